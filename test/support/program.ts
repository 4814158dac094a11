/**
 * The built program as a child process, as an operator runs it: one command to its end, or a
 * service until it is stopped. `npm test` builds `dist` first; AUTHORITY_INDEX_COMMAND names another
 * executable with the same program in it. Nothing is left when a test is over.
 */
import { type ChildProcess, type SpawnOptions, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathOf } from '../../src/snapshot/store/directory.ts'
import { readPointer } from '../../src/snapshot/store/states.ts'
import { readStarted, type Started } from './started.ts'

const root = join(import.meta.dirname, '..', '..')

/** The program's entry, built. */
export const entry = join(root, 'dist', 'main.js')

/** The default snapshots of the repository. */
export const defaultSnapshots = join(root, 'snapshots')

/** How a command ended. `exitCode` is null when a signal ended it. */
export interface Ended {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** What a child process is started with beside its words. */
export interface Surroundings {
  /** Variables added to the test's own, of which no setting is passed on but the time of practice. */
  readonly variables?: Readonly<Record<string, string>>
  /** The entry of another build; else that of this checkout. */
  readonly entry?: string
  /** Words for node, before the program. */
  readonly nodeWords?: readonly string[]
  /** Words before all others, of a program that starts this one in a place of its own. */
  readonly before?: readonly string[]
  /** The directory it works in; else that of the test. */
  readonly directory?: string
  /** File descriptors in the place of pipes. */
  readonly stdout?: number
  readonly stderr?: number
}

/** Starts the program. */
export function start(words: readonly string[], surroundings: Surroundings = {}): ChildProcess {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(AUTHORITY_INDEX_(?!WARM_UP_MS$)|NODE_OPTIONS$|VITEST)/.test(name),
  )
  const env = { ...Object.fromEntries(inherited), ...surroundings.variables }
  const { nodeWords = [], before = [], stdout = 'pipe', stderr = 'pipe' } = surroundings
  const stdio: StdioOptions = ['pipe', stdout, stderr]
  const { directory: cwd, entry: main = entry } = surroundings
  const { AUTHORITY_INDEX_COMMAND: command } = process.env
  if (command === undefined) {
    const all = [...before, process.execPath, ...nodeWords, main, ...words]
    return spawnAll(all, { env, cwd, stdio })
  }
  // A single executable preloads with --require only, which Node 22 lets load modules too.
  const preload = nodeWords.join(' ').replace('--import', '--require')
  const options = preload === '' ? {} : { NODE_OPTIONS: preload }
  const all = [...before, resolve(root, command), ...words]
  return spawnAll(all, { env: { ...env, ...options }, cwd, stdio })
}

function spawnAll([program, ...words]: readonly string[], options: SpawnOptions): ChildProcess {
  return spawn(program!, words, options)
}

/** Waits for the end of a child and everything it printed. */
export async function endOf(child: ChildProcess): Promise<Ended> {
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text
    })
  }
  const [exitCode, signal] = await once(child, 'close')
  return { exitCode, signal, ...printed }
}

/** Runs a command to its end. */
export function run(words: readonly string[], surroundings?: Surroundings): Promise<Ended> {
  return endOf(start(words, surroundings))
}

/** Copies the announced snapshot of the repository into a new directory, with its pointer. */
export function copyDefaultSnapshot(directory: string): string {
  const id = readPointer(defaultSnapshots, 'CURRENT') ?? ''
  mkdirSync(directory, { recursive: true })
  copyFileSync(pathOf(defaultSnapshots, id), pathOf(directory, id))
  copyFileSync(join(defaultSnapshots, 'CURRENT'), join(directory, 'CURRENT'))
  return directory
}

/** A service that says that it serves. */
export interface Serving extends Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** What every request must carry to be served. */
  readonly headers: Readonly<Record<string, string>>
  /** What it has written on stderr so far. */
  readonly errors: () => string
  /** Sends the signal, also to one that stands still, and waits for the end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>
}

/** Starts `serve` on a free port, and waits until it serves. @throws Error with what it printed when it ends instead. */
export async function serve(
  words: readonly string[],
  surroundings?: Surroundings,
): Promise<Serving> {
  const child = start(['serve', '--port', '0', '--json', ...words], surroundings)
  const ended = endOf(child)
  let errors = ''
  child.stderr?.on('data', (text: string) => {
    errors += text
  })
  const line = await Promise.race([
    once(createInterface(child.stdout!), 'line').then(([first]) => String(first)),
    ended.then(({ stderr }) => Promise.reject(new Error(`the service ended: ${stderr}`))),
  ])
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill('SIGCONT')
    child.kill(signal)
    return ended
  }
  const started = readStarted(line)
  const headers = { authorization: `Bearer ${started.key}` }
  return { ...started, child, ended, headers, errors: () => errors, stop }
}

/** A service with a directory of its own. */
export interface RunningService extends Serving {
  /** The directory of its ledger. */
  readonly data: string
}

/**
 * Starts a service on a free port over new copies in a directory, and waits until it serves.
 * @param words settings beside those.
 */
export async function startService(
  directory: string,
  words: readonly string[] = [],
  surroundings?: Surroundings,
): Promise<RunningService> {
  const snapshots = copyDefaultSnapshot(join(directory, 'snapshots'))
  const data = join(directory, 'data')
  const all = ['--threads', '2', '--snapshots', snapshots, '--data', data, ...words]
  return { ...(await serve(all, surroundings)), data }
}

/** An answer of a service, read to its end. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for.
  readonly json: any
}

/** Asks a service. The JSON is undefined where the answer is no object. */
export async function asked(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, init)
  const text = await response.text()
  const json = text.startsWith('{') ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, json }
}

/** A call of a tool over `/mcp`. */
export function toolCall(
  name: string,
  args: object,
  headers: Readonly<Record<string, string>> = {},
  _meta: object = {},
): RequestInit {
  const typed = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const call = { method: 'tools/call', params: { name, arguments: args, _meta } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
  return { method: 'POST', headers: { ...typed, ...headers }, body }
}
