/**
 * The version before and this one, each as a built program: its commands and its services. `AUTHORITY_INDEX_BEFORE`
 * names the checkout of the one before; `build-before.ts` sets it for a run.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type Ended, endOf } from '../../support/program.ts'
import { readStarted } from '../../support/started.ts'

const root = resolve(import.meta.dirname, '..', '..', '..')

/** What a search costs that is not repeated, in USD. */
export const priceUsd = 0.001

/** Whether there is a version before; `build-before.ts` says why there is none. */
export const hasBefore = process.env.AUTHORITY_INDEX_BEFORE !== undefined

/** Both versions. */
export interface Versions {
  readonly before: Version
  readonly now: Version
  /** Ends all services. */
  readonly end: () => void
}

/** Both versions, built. */
export function bothVersions(): Versions {
  const before = new Version(resolve(process.env.AUTHORITY_INDEX_BEFORE!))
  const now = new Version(root)
  const end = () => {
    before.end()
    now.end()
  }
  return { before, now, end }
}

/** A service of a version. */
interface Serving {
  readonly address: string
  readonly snapshotId: string
  /** The key of the account `default`, where this start made it. */
  readonly key: string
  readonly child: ChildProcess
  /** Asks for something that was not asked for before; returns the status. */
  readonly sell: (key: string) => Promise<number>
  readonly readiness: () => Promise<Record<string, unknown>>
  /** What it has logged so far. */
  readonly log: () => string
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>
}

let questions = 0

/** A built program. */
export class Version {
  /** Of its checkout. */
  readonly root: string
  readonly #children = new Set<ChildProcess>()

  constructor(directory: string) {
    this.root = directory
    const main = join(directory, 'dist', 'main.js')
    if (!existsSync(main)) throw new Error(`${main} is missing: npm run build`)
  }

  /** Runs a command to its end. */
  run(...words: string[]): Promise<Ended> {
    return endOf(this.#start(words))
  }

  /** Runs a command that prints JSON. @throws Error where it fails. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for.
  async json(...words: string[]): Promise<any> {
    const { exitCode, stdout, stderr } = await this.run(...words, '--json')
    if (exitCode !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
    return JSON.parse(stdout)
  }

  /** Ends all services. */
  end(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    this.#children.clear()
  }

  /** Starts a service. @throws Error with its log where it ends by itself. */
  async serve(...words: string[]): Promise<Serving> {
    const child = this.#start(['serve', '--port', '0', '--threads', '1', '--json', ...words])
    this.#children.add(child)
    const lines: string[] = []
    child.stderr!.on('data', (text) => lines.push(String(text)))
    const ended = endOf(child)
    const line = await Promise.race([
      once(createInterface(child.stdout!), 'line').then(([first]) => String(first)),
      ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
    ])
    const { address, snapshotId, key = '' } = readStarted(line)
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(`${address}${path}`, { headers: { connection: 'close', ...headers } })
    return {
      ...{ address, snapshotId, key, child },
      sell: async (of) => {
        questions += 1
        const path = `/api/v1/index?query=rust+${questions}&limit=1`
        return (await ask(path, { authorization: `Bearer ${of}` })).status
      },
      readiness: async () => (await ask('/readyz')).json() as Promise<Record<string, unknown>>,
      log: () => lines.join(''),
      stop: (signal = 'SIGTERM') => {
        child.kill(signal)
        return ended
      },
    }
  }

  #start(words: readonly string[]): ChildProcess {
    const kept = Object.entries(process.env).filter(
      ([name]) => !/^(AUTHORITY_INDEX_|NODE_OPTIONS$|VITEST)/.test(name),
    )
    const main = join(this.root, 'dist', 'main.js')
    return spawn(process.execPath, [main, ...words], { env: Object.fromEntries(kept) })
  }
}
