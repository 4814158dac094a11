/**
 * The built service (`npm run build`) as a process of its own, and the commands of the command line
 * beside it: what a bench starts that has to see the whole of it.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import type { Child, Children } from './wire/children.ts'

const program = 'dist/main.js'

/** A service that answers. */
export interface Service {
  readonly child: Child
  readonly port: number
  readonly threads: number
  /** The key of the account `default`, where this start made it. */
  readonly key?: string
}

/** Starts `serve` with further words on a free port. @throws Error when it ends instead. */
export async function startService(children: Children, words: readonly string[]): Promise<Service> {
  const args = [program, 'serve', '--port', '0', '--json', ...words]
  const child = children.start({ name: 'the service', command: process.execPath, args })
  return { child, ...(await child.firstLine<Omit<Service, 'child'>>()) }
}

/** Ends a program with a signal; when this returns, all it printed has arrived. */
export async function endBy(signal: 'SIGTERM' | 'SIGKILL', { process }: Child): Promise<void> {
  const closed = once(process, 'close')
  process.kill(signal)
  await closed
}

/** Runs a command with `--json` and answers what it printed. @throws Error when it fails. */
export async function runForJson<T>(words: readonly string[]): Promise<T> {
  const args = [program, ...words, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 << 20 })
  return JSON.parse(stdout)
}
