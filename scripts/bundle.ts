/**
 * The program and its threads as modules in one flat directory, each with all it needs but native
 * addons: `npm run build` puts them into `dist`, `build-binary.ts` into the single file. A start reads
 * tens of files in the place of hundreds, which halves the time of a command.
 */
import { copyFileSync, cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { buildExplorer } from './build-explorer.ts'
import { madeTables } from './made.ts'

const root = join(import.meta.dirname, '..')

/** Where a process or a thread starts that loads what it needs piece by piece. */
const entryPoints = [
  'src/main.ts',
  'src/service/mirror/mirror-worker.ts',
  'src/service/control/control-worker.ts',
  'src/indexer/keyword-worker.ts',
  'src/source/ndjson/connection-worker.ts',
  'src/source/ndjson/parquet-worker.ts',
]

/**
 * Threads of every service, which need all their code at once: each in one file, because fifty pieces take a third to a
 * half of the processor time of their start.
 */
const wholeThreads = ['src/service/serving-worker.ts', 'src/service/loading-worker.ts']

/**
 * Builds the program into a directory, with what it looks for beside itself: the page, the example and the guides.
 * @param more entry points beside those of the program, and what else esbuild is to do.
 * @returns what went into it.
 */
export async function buildProgram(
  outdir: string,
  { entryPoints: more = [], ...options }: BuildOptions & { entryPoints?: string[] },
): Promise<Metafile[]> {
  const pieces = { ...options, entryPoints: [...entryPoints, ...more], splitting: true }
  const whole = { ...options, entryPoints: wholeThreads }
  const metafiles = [
    await bundle(outdir, pieces),
    await bundle(outdir, whole),
    await buildExplorer(join(outdir, 'site')),
  ]
  copyExample(outdir)
  copyGuides(outdir)
  return metafiles
}

async function bundle(
  outdir: string,
  { external = [], ...options }: BuildOptions,
): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    outdir,
    plugins: [madeTables(resolve(root, outdir))],
    entryNames: '[name]',
    bundle: true,
    format: 'esm',
    platform: 'node',
    // An accelerator that msgpackr does without.
    external: ['msgpackr-extract', ...external],
    banner: {
      js: "import{createRequire as newRequire}from'node:module';const require=newRequire(import.meta.url);",
    },
    // Else the SDK of S3 warns of Node 20.
    define: { 'process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED': '"true"' },
    legalComments: 'none',
    // Names stay as they are, for what a stack says.
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    ...options,
  })
  return metafile!
}

/** The announced snapshot, with where its records come from: `serve` finds it in a folder without snapshots. */
function copyExample(program: string): void {
  const snapshots = join(root, 'snapshots')
  const example = join(program, 'example')
  const announced = `${readFileSync(join(snapshots, 'CURRENT'), 'utf8').trim()}.msgpack`
  mkdirSync(example, { recursive: true })
  for (const file of ['CURRENT', announced, join('source', 'NOTICE.md')]) {
    copyFileSync(join(snapshots, file), join(example, file.replace(/^source./, '')))
  }
}

/** The documents and icons that the service serves to agents (`--public-url`). */
function copyGuides(program: string): void {
  const guides = join(program, 'guides')
  const documents = join(root, 'docs')
  const isText = (path: string) => !path.startsWith(join(documents, 'images'))
  cpSync(documents, guides, { recursive: true, filter: isText })
  copyFileSync(join(documents, 'images', 'icon.png'), join(guides, 'icon.png'))
  copyFileSync(join(root, 'src', 'explorer', 'page', 'mark.svg'), join(guides, 'icon.svg'))
}
