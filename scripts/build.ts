/**
 * `npm run build`: the program, the library with its declarations and the explorer's page in `dist`.
 * Native addons stay in `node_modules`, from where the program loads them. Types are not checked:
 * `npm run typecheck` does.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { buildExplorer } from './build-explorer.ts'
import { bundleProgram, clientBundle } from './bundle.ts'

const root = join(import.meta.dirname, '..')
const output = join(root, 'dist')

/** What the package exports. */
const exported = ['src/library/open-index.ts', 'src/library/pocket-reader.ts']
/** Where the types of that are declared; no other file is. */
const declared = [...exported, 'src/library/types.ts', 'src/library/failures.ts']

/** What scripts and tests load by itself: a thread cannot be started from TypeScript on every Node.js. */
const alone = [
  'src/commands/fitting-node.ts',
  'src/http/wire-library.ts',
  'src/indexer/keyword-thread.ts',
  'src/service/loader.ts',
  'src/service/thread-pool.ts',
  'src/source/uri.ts',
]

rmSync(output, { recursive: true, force: true })
await bundleProgram(output, {
  entryPoints: [...alone, ...exported],
  external: ['lmdb', 'uws-pack', '@btc-vision/uwebsockets.js', '@aws-sdk/client-s3', 'pg'],
  target: 'node20',
})
await build({ ...clientBundle, outdir: output })
await buildExplorer(join(output, 'site'))
declareTypes(join(output, 'types'), declared)
declareTypes(join(output, 'types', 'client'), clientFiles())

/** The files of the client; its types stand in most of them. */
function clientFiles(): string[] {
  const folder = join(root, 'src', 'client')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
}

/** Writes declarations file by file: their imports are not read, so that no other file comes along. */
function declareTypes(outDir: string, files: readonly string[]): void {
  const module = ['--target', 'es2023', '--module', 'nodenext', '--rewriteRelativeImportExtensions']
  const only = ['--ignoreConfig', '--noResolve', '--noCheck', '--emitDeclarationOnly']
  const words = [...module, ...only, '--declaration', '--outDir', outDir, ...files]
  execFileSync(join(root, 'node_modules', '.bin', 'tsc'), words, { cwd: root, stdio: 'inherit' })
}
