/**
 * `npm run build`: the program, the library with its declarations and the explorer's page in `dist`.
 * Native addons stay in `node_modules`, from where the program loads them. Types are not checked:
 * `npm run typecheck` does. Each step is named on stderr, for people who wait behind `npm start`.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { buildExplorer } from './build-explorer.ts'
import { aloneOptions, bundleProgram } from './bundle.ts'
import { copyExample } from './example.ts'
import { copyGuides } from './guides.ts'
import { declareTypes, type Entry, entries, isAlone } from './package/entries.ts'

const output = join(import.meta.dirname, '..', 'dist')

/** What scripts and tests load by itself: a thread cannot be started from TypeScript on every Node.js. */
const alone = [
  'src/http/wire-library.ts',
  'src/indexer/keyword-thread.ts',
  'src/process/fitting-node.ts',
  'src/service/loader.ts',
  'src/service/thread-pool.ts',
  'src/source/uri.ts',
]

const modulesOf = (some: readonly Entry[]) => some.map(({ module }) => module)

const report = (line: string) => void process.stderr.write(`${line}\n`)

const startedMs = Date.now()
rmSync(output, { recursive: true, force: true })
report('building dist/: the program')
await bundleProgram(output, {
  entryPoints: [...alone, ...modulesOf(entries.filter((entry) => !isAlone(entry)))],
  external: ['lmdb', 'uws-pack', '@btc-vision/uwebsockets.js', '@aws-sdk/client-s3', 'pg'],
  target: 'node20',
})
const oneFile = modulesOf(entries.filter(isAlone))
await build({ ...aloneOptions, entryPoints: oneFile, outdir: output, format: 'esm' })
report('building dist/: the page')
await buildExplorer(join(output, 'site'))
copyExample(output)
copyGuides(output)
report('building dist/: the types of the library')
declareTypes(join(output, 'types'))
report(`built in ${((Date.now() - startedMs) / 1_000).toFixed(1)} s`)
