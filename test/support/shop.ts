/** A service with a ledger of its own, that sells to one account, and commands on its books. */
import type { ChildProcess } from 'node:child_process'
import { expect } from 'vitest'
import { withAdministration } from '../../src/ledger/books/open-books.ts'
import {
  asked,
  defaultSnapshots,
  type Ended,
  type Reply,
  run,
  type Serving,
  serve,
} from './program.ts'

/** Different prices, so that a mixed-up route shows; detail is dear enough to be refused. */
const prices = ['--price', 'search=0.001', '--price', 'detail=2', '--price', 'peers=0.003'].concat([
  '--price',
  'match=0.0005',
])

export const pollMs = 20

/** A query that is charged and finds nobody. */
export const match = '/api/v1/match?handle=nobody'

export class Shop {
  readonly data: string
  readonly child: ChildProcess
  readonly key: string
  readonly address: string
  readonly end: (signal?: NodeJS.Signals) => Promise<Ended>

  private constructor(data: string, { child, key = '', address, stop }: Serving) {
    this.data = data
    this.child = child
    this.key = key
    this.address = address
    this.end = stop
  }

  static async open(data: string, words: readonly string[] = []): Promise<Shop> {
    const places = ['--snapshots', defaultSnapshots, '--data', data]
    return new Shop(data, await serve([...places, ...prices, ...words]))
  }

  ask(target: string, request: RequestInit = {}): Promise<Reply> {
    const headers = { authorization: `Bearer ${this.key}`, ...request.headers }
    return asked(`${this.address}${target}`, { ...request, headers })
  }

  async statusWith(key: string): Promise<number> {
    const { status } = await this.ask(match, { headers: { authorization: `Bearer ${key}` } })
    return status
  }

  /** Runs a command on the books as another process, while this one serves. */
  async command(...words: string[]): Promise<Ended> {
    const ended = await run([...words, '--data', this.data])
    expect(ended.exitCode, ended.stderr).toBe(0)
    return ended
  }

  // biome-ignore lint/suspicious/noExplicitAny: each test knows which command it runs.
  async commandJson(...words: string[]): Promise<any> {
    return JSON.parse((await this.command(...words, '--json')).stdout)
  }

  issueKey(...words: string[]): Promise<{ key: string; key_id: string }> {
    return this.commandJson('key', 'issue', '--account', 'default', ...words)
  }

  /** Asks with another key, once the service knows it. */
  async asking(key: string) {
    const ask = (target: string) =>
      this.ask(target, { headers: { authorization: `Bearer ${key}` } })
    await expect.poll(async () => (await ask('/api/v1/topics?limit=1')).status).not.toBe(401)
    return ask
  }

  /** A new key of the account. */
  async issued(...words: string[]) {
    const { key, key_id: id } = await this.issueKey(...words)
    return { id, key, ask: await this.asking(key) }
  }

  async expectAddingUp(): Promise<void> {
    const readiness = await this.ask('/readyz')
    expect(readiness.json).toMatchObject({ ledger_balanced: true })
    // Another program may have its ledger elsewhere; of this one this process sees what the command would.
    const isOther = process.env.AUTHORITY_INDEX_COMMAND !== undefined
    const { contradictions } = isOther
      ? await this.commandJson('ledger', 'verify')
      : await this.#audited()
    expect(contradictions).toEqual([])
  }

  #audited() {
    const place = { data: this.data, ledger: null, clock: Date.now }
    return withAdministration(place, (books) => books.audit())
  }
}
