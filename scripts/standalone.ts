/**
 * The program with all it needs but Node, in one directory: bundled modules, the explorer's page, the default
 * snapshot and native addons. The single file holds such a directory, and so does the package of each platform.
 * A package whose licence is not listed stops the build.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { buildExplorer } from './build-explorer.ts'
import { bundleProgram } from './bundle.ts'
import { copyExample } from './example.ts'
import { copyGuides } from './guides.ts'
import { licencesOf } from './licences.ts'

const root = join(import.meta.dirname, '..')
const modules = join(root, 'node_modules')

/** The newer build of uWebSockets.js, which the program asks for by this name. */
const newerUws = '@btc-vision/uwebsockets.js'

/** What a directory of the program is built for. */
interface Standalone {
  readonly directory: string
  /** The oldest Node that runs it, as esbuild names it. */
  readonly target: string
  readonly addons: Addons
}

/** The addons of a platform. */
interface Addons {
  /** As `process.platform` and `process.arch` name it. */
  readonly platform: string
  readonly arch: string
  /** `process.versions.modules` of each Node that it is for. */
  readonly abis: readonly string[]
  /** The package with the addon of lmdb. */
  readonly lmdb: string
}

/** Builds the program into a directory, which must exist. */
export async function buildStandalone({ directory, target, addons }: Standalone): Promise<void> {
  licencesOf(...(await bundleProgram(directory, { target, plugins: [lmdbPlugin] })))
  // Where the bundled program looks for it: beside itself.
  licencesOf(await buildExplorer(join(directory, 'site')))
  copyExample(directory)
  copyGuides(directory)
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}\n')
  copyAddons(directory, addons)
}

/**
 * What lmdb needs to be bundled. It looks for its addon among its packages; here it lies beside the
 * program. Its key encoder compiles text that names its own variables (`eval`), which only stay as
 * they are named when the module is wrapped in a function, as a CommonJS one is.
 */
const lmdbPlugin: Plugin = {
  name: 'lmdb',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node-gyp-build-optional-packages$/ }, ({ path }) => ({
      path,
      namespace: 'addon',
    }))
    const keyEncoder = createRequire(join(modules, 'lmdb', 'index.js'))
    onResolve({ filter: /^ordered-binary$/ }, ({ path }) => ({ path: keyEncoder.resolve(path) }))
    onLoad({ filter: /.*/, namespace: 'addon' }, () => ({
      contents: `
        import { createRequire } from 'node:module'
        export default () => createRequire(import.meta.url)('./bin/lmdb.node')`,
    }))
  },
}

/**
 * The addons, where the bundle looks for them: the older uWebSockets.js beside it, the newer as the
 * package that it asks for; of lmdb the one that every Node loads.
 */
function copyAddons(directory: string, { platform, arch, abis, lmdb }: Addons): void {
  const bin = join(directory, 'bin')
  const newer = join(directory, 'node_modules', newerUws)
  mkdirSync(bin)
  mkdirSync(newer, { recursive: true })
  const copyUws = (from: string, to: string) => {
    const wanted = abis.map((abi) => `uws_${platform}_${arch}_${abi}.node`)
    for (const file of readdirSync(from)) {
      if (wanted.includes(file)) copyFileSync(join(from, file), join(to, file))
    }
  }
  copyUws(join(modules, 'uws-pack', 'dist', 'bin'), bin)
  copyUws(join(modules, newerUws), newer)
  for (const file of ['package.json', 'uws.js']) {
    copyFileSync(join(modules, newerUws, file), join(newer, file))
  }
  const libc = platform === 'linux' ? '.glibc' : ''
  copyFileSync(join(lmdb, `node.napi${libc}.node`), join(bin, 'lmdb.node'))
  if (platform === process.platform && arch === process.arch) strip(join(bin, 'lmdb.node'))
}

/** Takes the symbols off; a machine without binutils makes a larger file that works the same. */
export function strip(file: string): void {
  const { error } = spawnSync('strip', [file])
  if (error !== undefined) process.stderr.write(`${file}: not stripped, no binutils\n`)
}
