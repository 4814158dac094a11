/**
 * Exports: another file imports each of them. Modules are read as text; a module that is imported as a whole counts as used.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const parts = ['src', 'bench', 'test', 'scripts'] as const

/** What the package exports. */
const entryModules = ['src/library/open-index.ts', 'src/client/client.ts']

const exportShape =
  /^export (?:declare |abstract |async )*(?:function|class|const|interface|type|enum)\*? +(\w+)/gm
const importShape = /^(?:import|export)\s+(?:type\s+)?([^'";()]*)\sfrom\s+'(\.[^']+)'/gm
const laterShape = /import\(\s*'(\.[^']+)'\s*\)(?:\.(\w+))?/g

interface Module {
  readonly name: string
  readonly code: string
}

function modulesIn(part: string): Module[] {
  return readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(part, name))
    .map((name) => ({
      name,
      code: readFileSync(join(root, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
    }))
}

/** The names that a module imports, each with the module it is of; `*` is all of one. */
function importsOf({ name, code }: Module): string[] {
  const of = (target: string, imported: string) => `${join(dirname(name), target)} ${imported}`
  const listed = [...code.matchAll(importShape)].flatMap(([, names = '', target = '']) =>
    names.includes('*')
      ? [of(target, '*')]
      : names
          .replace(/[{}]/g, '')
          .split(',')
          .map((each) => of(target, each.trim().replace(/^type\s+|\s+as\s.*$/g, ''))),
  )
  const later = [...code.matchAll(laterShape)].map(([, target = '', member = '*']) =>
    of(target, member),
  )
  return [...listed, ...later]
}

function exportsOf({ code }: Module): string[] {
  return [...code.matchAll(exportShape)].map(([, name = '']) => name)
}

describe('an export', () => {
  const all = parts.flatMap(modulesIn)
  const imported = new Set(all.flatMap(importsOf))

  it.each(parts)('is imported by another file: %s', (part) => {
    const modules = all.filter(({ name }) => name.startsWith(`${part}/`))
    expect(modules.flatMap(exportsOf).length).toBeGreaterThan(19)
    const unused = modules
      .filter(({ name }) => !entryModules.includes(name))
      .filter(({ name }) => !imported.has(`${name} *`))
      .flatMap((module) =>
        exportsOf(module)
          .filter((each) => !imported.has(`${module.name} ${each}`))
          .map((each) => `${module.name}: ${each}`),
      )
    expect(unused).toEqual([])
  })

  it('is found where a file takes types, another name, or a module later', () => {
    const code = [
      "import { type A, b as c } from './one.ts'",
      "import type { D } from '../two.ts'",
      "const later = await import('./three.ts')",
    ].join('\n')
    expect(importsOf({ name: 'src/x/y.ts', code })).toEqual([
      ...['src/x/one.ts A', 'src/x/one.ts b', 'src/two.ts D', 'src/x/three.ts *'],
    ])
  })
})
