/** The house rules that a compiler does not check: who may import whom, and what stands where. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src')

/**
 * The rooms from the top of the house to its ground. A room may import itself and every room below
 * it, never one above, types included.
 */
const rooms = [
  'main.ts',
  'commands',
  'service',
  'mcp',
  'explorer',
  'http',
  'sync',
  'telemetry',
  'api',
  'catalog',
  'ledger',
  'indexer',
  'source',
  'snapshot',
  'objects',
  'process',
  'settings.ts',
  'setting-kinds.ts',
  'storage-addresses.ts',
  'memory',
  'text',
  'operation-paths.ts',
  'operations.ts',
  'operation.ts',
  'request-parameters.ts',
  'request-bodies.ts',
  'limits.ts',
  'money.ts',
  'problems.ts',
  'version.ts',
]

/** What a folder may hold; one that is larger has a folder inside it. */
const folderFilesMax = 14
const folderLinesMax = 2_000
/** Better whole: each is one thing, taken apart nowhere else. */
const largeFolders = ['mcp', 'indexer']

function mayImport(room: string, other: string): boolean {
  return rooms.indexOf(room) <= rooms.indexOf(other)
}

interface SourceFile {
  /** Below src, with slashes: `api/api.ts`. */
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

/** The TypeScript of a directory and those below it. */
function filesOf(directory: string): SourceFile[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
    .map((name) => readSourceFile(directory, name))
}

const files = filesOf(source)
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

/** The first cycle of imports, of types too, that can be walked from a file; or undefined. */
function cycleFrom(
  name: string,
  importsOf: (name: string) => readonly string[],
  path: readonly string[],
  done: Set<string>,
): string | undefined {
  if (path.includes(name)) return [...path.slice(path.indexOf(name)), name].join(' → ')
  if (done.has(name)) return undefined
  done.add(name)
  for (const target of importsOf(name)) {
    const cycle = cycleFrom(target, importsOf, [...path, name], done)
    if (cycle !== undefined) return cycle
  }
  return undefined
}

/** The cycles among some files. */
function cyclesAmong(all: readonly SourceFile[]): string[] {
  const byFile = new Map(all.map((file) => [file.name, file]))
  const importsOf = (name: string) =>
    byFile
      .get(name)!
      .imports.map(({ target }) => target)
      .filter((target) => byFile.has(target))
  const done = new Set<string>()
  return all.flatMap(({ name }) => cycleFrom(name, importsOf, [], done) ?? [])
}

describe('imports', () => {
  it('are read: every relative one leads to a file', () => {
    const dangling = files.flatMap(({ name, imports }) =>
      imports
        .filter(({ target }) => /\.tsx?$/.test(target) && !byName.has(target))
        .map(({ target }) => `${name} → ${target}`),
    )
    expect(dangling).toEqual([])
    expect(byName.get('api/api.ts')?.imports.length).toBeGreaterThan(3)
  })

  it('are of rooms that are in the list', () => {
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

  it('take only types from source into indexer', () => {
    const values = files
      .filter(({ room }) => room === 'indexer')
      .flatMap(({ name, imports }) =>
        imports
          .filter(({ target, typesOnly }) => target.startsWith('source/') && !typesOnly)
          .map(({ target }) => `${name} → ${target}`),
      )
    expect(values).toEqual([])
  })

  it('do not lead into the page of the explorer, nor out of it', () => {
    const isInPage = (name: string) => name.startsWith('explorer/page/')
    const wrong = files.flatMap(({ name, imports }) =>
      imports
        .filter(({ target }) => byName.has(target) && isInPage(name) !== isInPage(target))
        .map(({ target }) => `${name} → ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('lead from one part of the ledger to another through its port only', () => {
    // The sale, the ledger on a disk, and the ledger in a database.
    const half = (name: string) => {
      if (/^ledger\/(?:leases|postgres)\//.test(name)) return 'database'
      return /^ledger\/(?:live|lmdb)\//.exec(name)?.[0]
    }
    const wrong = files.flatMap(({ name, imports }) =>
      imports
        .filter(({ target }) => half(name) && half(target) && half(name) !== half(target))
        .map(({ target }) => `${name} → ${target}`),
    )
    expect(wrong).toEqual([])
  })

  it('of pg are of its types, or later', () => {
    const importers = namesOf(({ imports }) =>
      imports.some(({ target, typesOnly }) => target === 'pg' && !typesOnly),
    )
    expect(importers).toEqual([])
    expect(namesOf(({ code }) => /\bimport\('pg'\)/.test(code))).not.toEqual([])
  })

  it('of what sells from a database are later, too', () => {
    const importers = namesOf(({ name, imports }) =>
      imports.some(
        ({ target, typesOnly }) =>
          /^ledger\/(?:leases|postgres)\//.test(target) &&
          !/^ledger\/(?:leases|postgres)\//.test(name) &&
          !typesOnly,
      ),
    )
    expect(importers).toEqual([])
  })

  it('have no cycle, of types neither, in src and in bench', () => {
    expect(cyclesAmong(files)).toEqual([])
    expect(cyclesAmong(filesOf(join(root, 'bench')))).toEqual([])
  })

  it('have no cycle among the benches, of types neither', () => {
    const benches = filesOf(join(root, 'bench'))
    expect(benches.length).toBeGreaterThan(50)
    expect(cyclesAmong(benches)).toEqual([])
  })

  it('leave no file dead', () => {
    const reached = new Set<string>()
    const walk = (name: string) => {
      if (reached.has(name)) return
      reached.add(name)
      for (const target of leadsTo(byName.get(name)!)) walk(target)
    }
    walk('main.ts')
    // Bundled for browsers, see scripts/build-explorer.ts.
    walk('explorer/page/page.tsx')
    expect(namesOf(({ name }) => !reached.has(name))).toEqual([])
  })

  it('of uWebSockets.js stand in http/wire-library.ts alone', () => {
    const importers = namesOf(({ code }) =>
      /'(uws-pack|@btc-vision\/uwebsockets\.js)'\)/.test(code),
    )
    expect(importers).toEqual(['http/wire-library.ts'])
  })
})

describe('a folder', () => {
  const folders = [...new Set(files.map(({ name }) => dirname(name)))]
    .filter((folder) => !largeFolders.includes(folder))
    .map((folder) => ({ folder, inside: files.filter(({ name }) => dirname(name) === folder) }))

  it(`holds at most ${folderFilesMax} files`, () => {
    expect(folders.filter(({ inside }) => inside.length > folderFilesMax)).toEqual([])
  })

  it(`holds at most ${folderLinesMax} lines`, () => {
    const linesOf = (inside: readonly SourceFile[]) =>
      inside.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
    expect(folders.filter(({ inside }) => linesOf(inside) > folderLinesMax)).toEqual([])
  })
})

describe('a source file', () => {
  it('opens with a comment that says what it owns', () => {
    expect(namesOf(({ text }) => !/^(#!.*\n)?\/\*\*\s/.test(text))).toEqual([])
  })

  it('has at most 400 lines', () => {
    expect(namesOf(({ text }) => text.split('\n').length > 401)).toEqual([])
  })

  it('shares its name with none but the command that is about the same', () => {
    const shared = files
      .filter(({ room }) => room !== 'commands')
      .map(({ name }) => basename(name))
      .filter((name, index, all) => all.indexOf(name) !== index)
    expect(shared).toEqual([])
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
