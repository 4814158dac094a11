/** What the package exports, one row a sub-path. A test holds `exports` of package.json to it. */
import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')

interface Entry {
  readonly path: string
  readonly module: string
  /** Modules with types that its declaration refers to. They import nothing that is not in this list. */
  readonly declared: readonly string[]
  /** Whether it is one file that needs no other, for any runtime. */
  readonly isAlone: boolean
}

export const entries: readonly Entry[] = [
  {
    path: '.',
    module: 'src/library/open-index.ts',
    declared: ['src/library/types.ts', 'src/library/failures.ts', 'src/client/contract.ts'],
    isAlone: false,
  },
  {
    path: './client',
    module: 'src/client/client.ts',
    declared: modulesIn('src/client'),
    isAlone: true,
  },
]

function modulesIn(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
}

export function nameOf({ module }: Entry): string {
  return basename(module, '.ts')
}

export function declarationOf({ module }: Entry): string {
  return join(dirname(module).replace(/^src\//, ''), `${basename(module, '.ts')}.d.ts`)
}

/** Writes the declarations of a program that imports the package, and in `required` of one that requires it. */
export function declareTypes(directory: string): void {
  const required = join(directory, 'required')
  for (const place of [directory, required]) declareIn(place)
  writeFileSync(join(required, 'package.json'), '{"type":"commonjs"}\n')
}

/** Declares file by file: their imports are not read, so that no other file comes along. */
function declareIn(directory: string): void {
  const module = ['--target', 'es2023', '--module', 'nodenext', '--rewriteRelativeImportExtensions']
  const only = ['--ignoreConfig', '--noResolve', '--noCheck', '--emitDeclarationOnly']
  const places = ['--declaration', '--rootDir', 'src', '--outDir', directory]
  const files = new Set(entries.flatMap(({ module, declared }) => [module, ...declared]))
  const words = [...module, ...only, ...places, ...files]
  execFileSync(join(root, 'node_modules', '.bin', 'tsc'), words, { cwd: root, stdio: 'inherit' })
}
