/**
 * What the package exports: one row for each sub-path. `npm run build` bundles these modules, `pack.ts` makes
 * the published package of them, and a test holds `exports` of package.json to them. Each row is published
 * as an ES module and as CommonJS, with types.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** A sub-path of the package. */
export interface Entry {
  /** As `exports` of package.json spells it. */
  readonly path: string
  readonly module: string
  /** Modules with types that its declaration refers to. They import nothing that is not in this list. */
  readonly declared: readonly string[]
  /** The modules that run in its threads. Without any it is one file, for any runtime. */
  readonly threads: readonly string[]
}

export const entries: readonly Entry[] = [
  {
    path: '.',
    module: 'src/library/open-index.ts',
    declared: ['src/library/types.ts', 'src/library/failures.ts'],
    threads: ['src/service/loading-worker.ts', 'src/service/mirror/mirror-worker.ts'],
  },
  {
    path: './client',
    module: 'src/client/authority-client.ts',
    declared: modulesIn('src/client'),
    threads: [],
  },
]

/** All modules below a folder of the repository. */
function modulesIn(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
}

/** Whether an entry is one file that needs no other. */
export function isAlone({ threads }: Entry): boolean {
  return threads.length === 0
}

/** The name of the file that a module is bundled into, without its ending. */
export function nameOf({ module }: Entry): string {
  return basename(module, '.ts')
}

/** Where the declaration of a module lies below a directory of `declareTypes`. */
export function declarationOf({ module }: Entry): string {
  return join(dirname(module).replace(/^src\//, ''), `${basename(module, '.ts')}.d.ts`)
}

/** Writes declarations file by file: their imports are not read, so that no other file comes along. */
export function declareTypes(directory: string): void {
  const module = ['--target', 'es2023', '--module', 'nodenext', '--rewriteRelativeImportExtensions']
  const only = ['--ignoreConfig', '--noResolve', '--noCheck', '--emitDeclarationOnly']
  const places = ['--declaration', '--rootDir', 'src', '--outDir', directory]
  const files = new Set(entries.flatMap(({ module, declared }) => [module, ...declared]))
  const words = [...module, ...only, ...places, ...files]
  execFileSync(join(root, 'node_modules', '.bin', 'tsc'), words, { cwd: root, stdio: 'inherit' })
}
