/** The house rules that a compiler does not check: who may import whom, and what stands where. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src')

/** The rooms at the bottom: anybody may import them. */
const ground = ['problems.ts', 'settings.ts', 'money.ts', 'lock.ts', 'thread-module.ts']

/** Which rooms a room may import, beside itself and the ground. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['commands', 'serve', 'build', 'source', 'catalog', 'ledger', 'snapshot'],
  commands: ['serve', 'build', 'source', 'catalog', 'ledger', 'snapshot'],
  serve: ['catalog', 'ledger', 'snapshot'],
  build: ['source', 'snapshot'],
  source: ['snapshot'],
  catalog: ['snapshot'],
  ledger: ['snapshot'],
  snapshot: [],
  'settings.ts': ['money.ts', 'problems.ts'],
  'lock.ts': ['problems.ts'],
  'money.ts': [],
  'problems.ts': [],
}

function mayImport(room: string, other: string): boolean {
  const isOnGround = !ground.includes(room) && ground.includes(other)
  return other === room || isOnGround || allowed[room]?.includes(other) === true
}

interface SourceFile {
  /** Below src, with slashes: `serve/api.ts`. */
  readonly name: string
  /** The folder below src, or the file itself where it stands in none. */
  readonly room: string
  readonly text: string
  /** Without comments. */
  readonly code: string
  readonly imports: readonly Import[]
}

interface Import {
  /** A name below src, or the package. */
  readonly target: string
  readonly typesOnly: boolean
}

const importShape = /^(?:import|export)\s+(type\s+)?([^'";(]*?)(?:\sfrom\s+)?'([^']+)'/gm

function readSourceFile(name: string): SourceFile {
  const text = readFileSync(join(source, name), 'utf8')
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
  const imports = [...code.matchAll(importShape)].map(([, type, names = '', target = '']) => {
    const listed = names.replace(/[{}]/g, '').split(',')
    const typesOnly = type !== undefined || listed.every((each) => /^\s*(type\s|$)/.test(each))
    return { target: resolveImport(name, target), typesOnly }
  })
  return { name, room: name.split('/')[0]!, text, code, imports }
}

function resolveImport(from: string, target: string): string {
  return target.startsWith('.') ? join(dirname(from), target).split(sep).join('/') : target
}

const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(source, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .sort()
  .map(readSourceFile)
const byName = new Map(files.map((file) => [file.name, file]))

/** The names of the files of which something holds. */
function namesOf(holds: (file: SourceFile) => boolean): string[] {
  return files.filter(holds).map(({ name }) => name)
}

/** What a file leads to: its imports, also those of later, and the threads that it starts. */
function leadsTo({ name, code, imports }: SourceFile): string[] {
  const started = [...code.matchAll(/\bmoduleOf\('([a-z-]+)', import\.meta\.url\)/g)].map(
    ([, thread]) => resolveImport(name, `./${thread}.ts`),
  )
  const later = [...code.matchAll(/\bimport\('([^']+)'\)/g)].map(([, target = '']) =>
    resolveImport(name, target),
  )
  const targets = [...imports.map(({ target }) => target), ...started, ...later]
  return targets.filter((target) => byName.has(target))
}

/** The first cycle that can be walked from a file, or undefined. */
function cycleFrom(name: string, path: readonly string[], done: Set<string>): string | undefined {
  if (path.includes(name)) return [...path.slice(path.indexOf(name)), name].join(' → ')
  if (done.has(name)) return undefined
  done.add(name)
  for (const { target, typesOnly } of byName.get(name)?.imports ?? []) {
    const cycle =
      byName.has(target) && !typesOnly ? cycleFrom(target, [...path, name], done) : undefined
    if (cycle !== undefined) return cycle
  }
  return undefined
}

describe('imports', () => {
  it('are read: every relative one leads to a file', () => {
    const dangling = files.flatMap(({ name, imports }) =>
      imports
        .filter(({ target }) => target.endsWith('.ts') && !byName.has(target))
        .map(({ target }) => `${name} → ${target}`),
    )
    expect(dangling).toEqual([])
    expect(byName.get('serve/api.ts')?.imports.length).toBeGreaterThan(3)
  })

  it('point one way only', () => {
    const wrong = files.flatMap(({ name, room, imports }) =>
      imports
        .filter(({ target }) => byName.has(target) && !mayImport(room, target.split('/')[0]!))
        .map(({ target }) => `${name} → ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('take only types from source into build', () => {
    const values = files
      .filter(({ room }) => room === 'build')
      .flatMap(({ name, imports }) =>
        imports
          .filter(({ target, typesOnly }) => target.startsWith('source/') && !typesOnly)
          .map(({ target }) => `${name} → ${target}`),
      )
    expect(values).toEqual([])
  })

  it('have no cycle in which modules would wait for each other', () => {
    const done = new Set<string>()
    expect(files.map(({ name }) => cycleFrom(name, [], done)).filter(Boolean)).toEqual([])
  })

  it('leave no file dead', () => {
    const reached = new Set<string>()
    const walk = (name: string) => {
      if (reached.has(name)) return
      reached.add(name)
      for (const target of leadsTo(byName.get(name)!)) walk(target)
    }
    walk('main.ts')
    expect(namesOf(({ name }) => !reached.has(name))).toEqual([])
  })

  it('of uWebSockets.js stand in serve/http.ts alone', () => {
    const importers = namesOf(({ imports }) =>
      imports.some(({ target }) => target === 'uWebSockets.js'),
    )
    expect(importers).toEqual(['serve/http.ts'])
  })
})

describe('a source file', () => {
  it('opens with a comment that says what it owns', () => {
    expect(namesOf(({ text }) => !/^(#!.*\n)?\/\*\*\s/.test(text))).toEqual([])
  })

  it('has at most 400 lines', () => {
    expect(namesOf(({ text }) => text.split('\n').length > 401)).toEqual([])
  })

  it('is named by a noun of its own, not as utils, helpers, common or an index', () => {
    expect(namesOf(({ name }) => /(^|\/)(utils?|helpers?|common|misc|index)\b/.test(name))).toEqual(
      [],
    )
  })

  it('keeps no mutable state of its module', () => {
    expect(namesOf(({ code }) => /^(export )?(let|var) /m.test(code))).toEqual([])
  })

  it('exports what it owns, nothing of another', () => {
    expect(namesOf(({ code }) => /^export [^'"\n]*\bfrom '/m.test(code))).toEqual([])
  })

  it('leaves argv, the environment and the end of the process to main.ts', () => {
    const readers = namesOf(({ code }) => /\bprocess\.(argv|env|exit|exitCode)\b/.test(code))
    expect(readers).toEqual(['main.ts'])
  })
})
