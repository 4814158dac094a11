/**
 * The program and its threads as modules in one flat directory, each with all it needs but native addons. A start
 * reads tens of files in the place of hundreds, which halves the time of a command.
 */
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { buildExplorer } from './build-explorer.ts'
import { madeTables } from './made.ts'

const root = join(import.meta.dirname, '..')

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
 * @param more entry points beside those of the program, and what else esbuild is to do.
 * @returns what went into it.
 */
export async function buildProgram(
  outdir: string,
  { entryPoints: more = [], ...options }: BuildOptions & { entryPoints?: string[] },
): Promise<Metafile[]> {
  const pieces = { ...options, entryPoints: [...entryPoints, ...more], splitting: true }
  const whole = { ...options, entryPoints: wholeThreads }
  const packed = packExample(outdir)
  const metafiles = [
    await bundle(outdir, pieces),
    await bundle(outdir, whole),
    await buildExplorer(join(outdir, 'site')),
  ]
  copyGuides(outdir)
  await packed
  return metafiles
}

/** Builds of packages, and a part of one, that are smaller and have all that is used. */
const lighter = {
  flexsearch: './node_modules/flexsearch/dist/flexsearch.light.module.min.js',
  '@modelcontextprotocol/server/_shims': './scripts/mcp-shims.ts',
}

/** Loading the compressions of Parquet does nothing, so those that Node.js has are left out: the package does not say so. */
const pureCompressions: Plugin = {
  name: 'pure-compressions',
  setup({ onResolve, resolve }) {
    const filter = /^(hyparquet-compressors|\.\/(compressors|brotli|gzip)\.js)$/
    onResolve({ filter }, async ({ path, pluginData, ...from }) => {
      if (pluginData === pureCompressions) return undefined
      const found = await resolve(path, { ...from, pluginData: pureCompressions })
      return { ...found, sideEffects: !found.path.includes('hyparquet-compressors') }
    })
  },
}

async function bundle(
  outdir: string,
  { external = [], ...options }: BuildOptions,
): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    outdir,
    plugins: [madeTables(resolve(root, outdir)), pureCompressions],
    entryNames: '[name]',
    bundle: true,
    format: 'esm',
    platform: 'node',
    // Of a package with both, the modules: what is not used of them is left out.
    mainFields: ['module', 'main'],
    alias: lighter,
    // An accelerator that msgpackr does without, and what the SDK of S3 loads in browsers alone.
    external: ['msgpackr-extract', 'bowser', ...external],
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

/** The announced snapshot, compressed, with where its records come from: `src/snapshot/store/example.ts` unpacks it. */
async function packExample(program: string): Promise<void> {
  const snapshots = join(root, 'snapshots')
  const example = join(program, 'example')
  mkdirSync(example, { recursive: true })
  copyFileSync(join(snapshots, 'CURRENT'), join(example, 'CURRENT'))
  copyFileSync(join(snapshots, 'source', 'NOTICE.md'), join(example, 'NOTICE.md'))
  const announced = readFileSync(join(snapshots, 'CURRENT'), 'utf8').trim()
  const snapshot = readFileSync(join(snapshots, `${announced}.msgpack`))
  writeFileSync(join(example, 'snapshot.br'), await promisify(brotliCompress)(snapshot))
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
