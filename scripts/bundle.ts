/**
 * The program and its threads as modules in one flat directory, each with all it needs but native
 * addons: `npm run build` puts them into `dist`, `build-binary.ts` into the single file. A start reads
 * tens of files in the place of hundreds, which halves the time of a command.
 */
import { join, resolve } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { madeTables } from './made.ts'

const root = join(import.meta.dirname, '..')

/** Where a process or a thread starts that loads what it needs piece by piece. */
const entryPoints = [
  'src/main.ts',
  'src/service/mirror/mirror-worker.ts',
  'src/admin/admin-worker.ts',
  'src/mcp/mcp-worker.ts',
  'src/oauth/oauth-worker.ts',
  'src/indexer/keyword-worker.ts',
  'src/source/ndjson/connection-worker.ts',
]

/**
 * Threads of every service, which need all their code at once: each in one file, because fifty pieces take a third to a
 * half of the processor time of their start.
 */
const wholeThreads = ['src/service/serving-worker.ts', 'src/service/loading-worker.ts']

/** How a module by itself is bundled, for any runtime: it needs no other file. */
export const aloneOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'neutral',
  target: 'es2022',
  external: ['node:*'],
  entryNames: '[name]',
  legalComments: 'none',
  metafile: true,
} as const satisfies BuildOptions

/**
 * Bundles the program.
 * @param more entry points beside those of the program, and what else esbuild is to do.
 * @returns what went into it, one for each time that esbuild ran.
 */
export async function bundleProgram(
  outdir: string,
  { entryPoints: more = [], ...options }: BuildOptions & { entryPoints?: string[] },
): Promise<Metafile[]> {
  const pieces = { ...options, entryPoints: [...entryPoints, ...more], splitting: true }
  const whole = { ...options, entryPoints: wholeThreads }
  return [await bundle(outdir, pieces), await bundle(outdir, whole)]
}

async function bundle(
  outdir: string,
  { external = [], plugins = [], ...options }: BuildOptions,
): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    outdir,
    plugins: [madeTables(resolve(root, outdir)), ...plugins],
    entryNames: '[name]',
    bundle: true,
    format: 'esm',
    platform: 'node',
    // An accelerator that msgpackr does without.
    external: ['msgpackr-extract', ...external],
    banner: {
      js: "import{createRequire as newRequire}from'node:module';const require=newRequire(import.meta.url);",
    },
    legalComments: 'none',
    // Names stay as they are, for what a stack says.
    minifySyntax: true,
    minifyWhitespace: true,
    metafile: true,
    ...options,
  })
  return metafile!
}
