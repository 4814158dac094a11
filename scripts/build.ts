/**
 * `npm run build`: program, library, declarations, explorer and licences, in `dist`. Packages with native addons
 * stay in `node_modules`. Types are not checked. Each step is named on stderr, for people who wait behind `npm
 * start`.
 */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { nativePackages } from '../src/version.ts'
import { buildProgram } from './bundle.ts'
import { licenceTexts } from './licences.ts'

const root = join(import.meta.dirname, '..')
const output = join(root, 'dist')

/** The library; and what scripts and tests load by itself: a thread cannot be started from TypeScript on every Node.js. */
const alone = [
  'src/http/wire-library.ts',
  'src/indexer/keyword-thread.ts',
  'src/library/open-index.ts',
  'src/process/fitting-node.ts',
  'src/service/loader.ts',
  'src/service/thread-pool.ts',
  'src/source/uri.ts',
]

const report = (line: string) => void process.stderr.write(`${line}\n`)

const startedMs = Date.now()
rmSync(output, { recursive: true, force: true })
report('building dist/: the program and the page')
const metafiles = await buildProgram(output, {
  entryPoints: alone,
  external: nativePackages.map((spec) => spec.slice(0, spec.lastIndexOf('@'))),
  target: 'node20',
})
// One file that needs no other, for any runtime.
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/client/client.ts'],
  outdir: output,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  external: ['node:*'],
  legalComments: 'none',
  metafile: true,
})
writeFileSync(join(output, 'LICENSES.txt'), licenceTexts([...metafiles, metafile]))
report('building dist/: the types of the library')
// Of programs that import the package, and of those that require it.
for (const types of ['dist/types', 'dist/types/required']) {
  const words = ['--project', 'scripts/declarations.json', '--outDir', types]
  execFileSync('node_modules/.bin/tsc', words, { cwd: root, stdio: 'inherit' })
}
writeFileSync(join(output, 'types', 'required', 'package.json'), '{"type":"commonjs"}\n')
report(`built in ${((Date.now() - startedMs) / 1_000).toFixed(1)} s`)
