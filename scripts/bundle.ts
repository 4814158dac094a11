/**
 * The program and its threads as modules in one flat directory, each with all it needs but native addons. A start
 * reads tens of files in the place of hundreds, which halves the time of a command. Beside them lie the pages of the explorer,
 * the tables that the build makes, the example and the documents.
 */
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, gzipSync } from 'node:zlib'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'

const root = join(import.meta.dirname, '..')
const page = join(root, 'src', 'explorer', 'page')

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
    await buildPages(join(outdir, 'site')),
  ]
  copyGuides(outdir)
  await packed
  return metafiles
}

/** Builds of packages, and a part of one, that are smaller and have all that is used. */
const lighter = {
  flexsearch: './node_modules/flexsearch/dist/flexsearch.light.module.min.js',
  // The schemas of all tools are zod's, so nothing asks for its validator of JSON Schema; that for Node.js would be 200 KB.
  '@modelcontextprotocol/server/_shims':
    './node_modules/@modelcontextprotocol/server/dist/shimsBrowser.mjs',
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

const tableReader = `
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
function read(name) {
  let value
  const file = new URL('./made/' + name + '.json.br', import.meta.url)
  return () => value ??= JSON.parse(brotliDecompressSync(readFileSync(file)))
}`

/**
 * Tables that the build makes. A module `….made.ts` exports functions without parameters that give plain values and take
 * long to load or to run: the build runs them, keeps the values as compressed JSON in `made/` beside the program, and replaces the
 * module by one that reads each value when it is first asked for.
 */
export function madeTables(directory: string): Plugin {
  const place = join(directory, 'made')
  return {
    name: 'made',
    setup({ onLoad }) {
      onLoad({ filter: /\.made\.ts$/ }, async ({ path }) => {
        const makers = Object.entries<() => unknown>(await import(pathToFileURL(path).href))
        mkdirSync(place, { recursive: true })
        for (const [name, make] of makers) {
          writeFileSync(join(place, `${name}.json.br`), brotliCompressSync(JSON.stringify(make())))
        }
        const exported = makers.map(([name]) => `export const ${name} = read('${name}')`)
        return { contents: [tableReader, ...exported].join('\n') }
      })
    },
  }
}

/** The explorer's pages as they are served: bundled, named by content, and as gzip, which every browser takes. */
async function buildPages(directory: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['page.tsx', 'page.css', 'docs.ts', 'docs.css', 'mark.svg'].map((name) =>
      join(page, name),
    ),
    outdir: directory,
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    metafile: true,
    format: 'esm',
    target: ['chrome110', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    loader: { '.svg': 'copy' },
    legalComments: 'none',
  })
  const names = readdirSync(directory)
  for (const name of ['page.html', 'docs.html']) {
    // `{{page.css}}` becomes `page-AB12CD34.css`.
    const html = readFileSync(join(page, name), 'utf8').replace(
      /\{\{(\w+)(\.\w+)\}\}/g,
      (part, stem, ending) => {
        const name = names.find((each) => each.startsWith(`${stem}-`) && each.endsWith(ending))
        if (name === undefined) throw new Error(`${page} names ${part}, which was not built`)
        return name
      },
    )
    writeFileSync(join(directory, name), html)
  }
  for (const path of readdirSync(directory).map((name) => join(directory, name))) {
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
    rmSync(path)
  }
  return metafile
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
  copyFileSync(join(page, 'mark.svg'), join(guides, 'icon.svg'))
}
