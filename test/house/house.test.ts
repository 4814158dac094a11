/** The house rules that a compiler does not check: who may import whom, and what stands where. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../scripts/document-tables.ts'
import { rowsOf } from '../../scripts/markdown-table.ts'
import { nativePackages } from '../../src/version.ts'
import { sectionsOf } from '../support/table-sections.ts'

const root = join(import.meta.dirname, '..', '..')
const source = join(root, 'src')

const [, told = ''] = readDocument('docs/ARCHITECTURE.md').split('\n## Modules\n')

/**
 * The modules from the top of the house to its ground, as the document lists them. One may import itself and every
 * module below it, never one above, types included.
 */
const rooms = rowsOf(told.split('\n## ')[0]!)
  .slice(1)
  .map(([name = '']) => name.replace(/[`/]/g, ''))

/** What the engine is made of: a program that wants to search a snapshot needs no other room. */
const engineRooms =
  'engine limits.ts memory problems.ts reading request-parameters.ts snapshot text'

/** Characters of a loop in which its limit is named. */
const boundWithin = 600

/** What the package exports. */
const entryModules = ['library/open-index.ts', 'client/client.ts']

/** Loops without a condition that end all the same, and why. */
const boundElsewhere: Readonly<Record<string, string>> = {
  'ledger/leases/reaching.ts': 'the wait for a database ends with its time, or with the service',
  'memory/text-table.ts': 'a table has free slots, and texts end',
  'service/mirror/mirror-worker.ts': 'a mirror follows until its thread is ended',
  'snapshot/column-file.ts': 'a header that is too long for a region gets a larger one',
}

/** Imports that there are none of; a file is named below src, a package by its name. */
const [forbidden, phrases] = sectionsOf(new URL('house.tsv', import.meta.url))

function mayImport(room: string, other: string): boolean {
  return rooms.indexOf(room) <= rooms.indexOf(other)
}

interface SourceFile {
  /** Below src, with slashes: `api/api.ts`. */
  readonly name: string
  /** The folder below src, or the file itself where it stands in none. */
  readonly room: string
  readonly text: string
  readonly code: string
  readonly imports: readonly Import[]
}

interface Import {
  readonly target: string
  readonly typesOnly: boolean
}

const importShape = /^(?:import|export)\s+(type\s+)?(?:([^'";(]*?)\sfrom\s+)?'([^']+)'/gm

function readSourceFile(directory: string, name: string): SourceFile {
  const text = readFileSync(join(directory, name), 'utf8')
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

function filesOf(directory: string): SourceFile[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
    .map((name) => readSourceFile(directory, name))
}

const files = filesOf(source)
const byName = new Map(files.map((file) => [file.name, file]))

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

describe('imports', () => {
  it('are of modules that the document lists, each once', () => {
    expect([...new Set(files.map(({ room }) => room))].sort()).toEqual([...rooms].sort())
  })

  it('point one way only, those of types too', () => {
    const wrong = files.flatMap(({ name, room, imports }) =>
      imports
        .filter(({ target }) => byName.has(target) && !mayImport(room, target.split('/')[0]!))
        .map(({ target }) => `${name} → ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('lead from the engine to snapshots, texts and tables only: no API, ledger, HTTP or thread', () => {
    const reached = new Set<string>()
    const walk = (name: string) => {
      if (reached.has(name)) return
      reached.add(name)
      for (const { target } of byName.get(name)!.imports) if (byName.has(target)) walk(target)
    }
    const ofEngine = files.filter(({ room }) => room === 'engine')
    for (const { name } of ofEngine) walk(name)
    expect(reached).toContain('engine/open.ts')
    const rooms = new Set([...reached].map((name) => byName.get(name)!.room))
    expect([...rooms].sort().join(' ')).toBe(engineRooms)
    const packages = [...reached].flatMap((name) => byName.get(name)!.imports)
    expect(packages.map(({ target }) => target)).not.toContain('node:worker_threads')
    expect(packages.map(({ target }) => target)).not.toContain('node:http')
  })

  it('leave no file dead', () => {
    const reached = new Set<string>()
    const walk = (name: string) => {
      if (reached.has(name)) return
      reached.add(name)
      for (const target of leadsTo(byName.get(name)!)) walk(target)
    }
    walk('main.ts')
    for (const name of entryModules) walk(name)
    // Bundled for browsers, see scripts/bundle.ts.
    walk('explorer/page/page.tsx')
    walk('explorer/page/docs.ts')
    // A file of declarations is not imported.
    expect(namesOf(({ name }) => !reached.has(name) && !name.endsWith('.d.ts'))).toEqual([])
  })

  it.each(forbidden!.rows)('%s', (_, kind, ...sides) => {
    const [from, to] = sides.map((side) => new RegExp(side)) as [RegExp, RegExp]
    const all = files.flatMap(({ name, imports }) => imports.map((each) => ({ name, ...each })))
    const known = [...byName.keys(), ...all.map(({ target }) => target)]
    for (const side of [from, to]) expect(known.some((each) => side.test(each))).toBe(true)
    const wrong = all.filter(({ name, target, typesOnly }) => {
      return from.test(name) && to.test(target) && !(kind === 'values' && typesOnly)
    })
    expect(wrong.map(({ name, target }) => `${name} → ${target}`)).toEqual([])
  })
})

describe('the package', () => {
  it('depends on nothing, and names the packages that may stand beside it as the program does', () => {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const { dependencies, optionalDependencies, peerDependencies, devDependencies } = manifest
    expect([dependencies, optionalDependencies]).toEqual([undefined, undefined])
    const specs = Object.entries(peerDependencies).map(([name, version]) => `${name}@${version}`)
    expect(specs).toEqual(nativePackages)
    expect(devDependencies).toMatchObject(peerDependencies)
    for (const name of Object.keys(peerDependencies)) {
      expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true })
    }
  })

  it.each([
    ['src/version.ts', /^export const programVersion = '(.*)'/m],
    ['ops/helm/authority-index/Chart.yaml', /^version: (.*)/m],
    ['ops/helm/authority-index/Chart.yaml', /^appVersion: (.*)/m],
    ['clients/python/pyproject.toml', /^version = "(.*)"/m],
  ])('has the version that %s has', (path, shape) => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(shape.exec(readFileSync(join(root, path), 'utf8'))?.[1]).toBe(version)
  })

  it('exports what the build makes', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const paths = JSON.stringify(exports).match(/\.\/dist\/[^"]*/g) ?? []
    expect(paths.length).toBeGreaterThan(5)
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

describe('a source file', () => {
  it('opens with a comment that says what it owns', () => {
    expect(namesOf(({ text }) => !/^(#!.*\n)?\/\*\*\s/.test(text))).toEqual([])
  })

  it('is named by a noun of its own, not as utils, helpers, common or an index', () => {
    expect(namesOf(({ name }) => /(^|\/)(utils?|helpers?|common|misc|index)\b/.test(name))).toEqual(
      [],
    )
  })

  it('exports what it owns, nothing of another, but for the entries of the package', () => {
    const exporters = namesOf(({ code }) => /^export [^'"\n]*\bfrom '/m.test(code))
    expect(exporters.filter((name) => !entryModules.includes(name))).toEqual([])
  })

  it('blocks no thread without a time that ends it', () => {
    const calls = files.flatMap(({ name, code }) =>
      [...code.matchAll(/\bAtomics\.wait\(([^;\n]*)\)/g)].map(([, given = '']) => ({
        name,
        given: given.replace(/\([^()]*(?:\([^()]*\))*[^()]*\)/g, '').split(','),
      })),
    )
    expect(calls.length).toBeGreaterThan(1)
    expect(calls.filter(({ given }) => given.length !== 4)).toEqual([])
  })

  it('opens, reads and copies a ledger of SQLite by SQLite alone, whose locks the system would drop', () => {
    const harmless = 'chmodSync existsSync linkSync renameSync rmSync rmdirSync statSync statfsSync'
    const near = files.filter(({ name, code }) => {
      return /\b(?:ledgerFileName|SqliteFile)\b/.test(code) || name.startsWith('ledger/sql/sqlite/')
    })
    expect(near.length).toBeGreaterThan(6)
    const others = near.flatMap(({ name, code }) =>
      [...code.matchAll(/import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g)]
        .flatMap(([, given = '']) => given.split(',').map((each) => each.trim()))
        .filter((each) => /^[a-z]/.test(each) && !each.startsWith('type '))
        .filter((each) => !harmless.split(' ').includes(each))
        .map((each) => `${name}: ${each}`),
    )
    // One has a note of its own, the other makes a file that no process can have open yet.
    const [driver, note] = ['ledger/sql/sqlite/driver.ts', 'ledger/sql/sqlite/held-file.ts']
    expect(others).toEqual([
      ...[`${driver}: closeSync`, `${driver}: openSync`],
      ...[`${note}: readFileSync`, `${note}: writeFileSync`],
    ])
  })

  it('has a bound for every loop: a condition, or a limit in the first lines of its body', () => {
    const endless = files.flatMap(({ name, code }) =>
      [...code.matchAll(/\bwhile \(true\)|\bfor \([^;()]*(?:\([^()]*\)[^;()]*)*;\s*;/g)]
        .filter(({ index }) => !/\w(?:Max|sMax)\b/.test(code.slice(index, index + boundWithin)))
        .map(() => name),
    )
    expect(endless.filter((name) => !(name in boundElsewhere))).toEqual([])
    expect(Object.keys(boundElsewhere).filter((name) => !endless.includes(name))).toEqual([])
  })

  it.each(phrases!.rows)('%s', (_, phrase, ...allowed) => {
    expect(namesOf(({ code }) => new RegExp(phrase, 'm').test(code))).toEqual(allowed)
  })
})
