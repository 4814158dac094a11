/** A node of a fleet: the built service over the default snapshot, with the ledger of a database. */
import type { ChildProcess } from 'node:child_process'
import { defaultSnapshots, type Ended, run, type Serving, serve } from '../program.ts'

/** A query that costs 0.001 USD. */
export const query = '/api/v1/index?query=rust&limit=1'

export class FleetNode {
  readonly child: ChildProcess
  readonly address: string
  readonly port: number
  /** The key of the account `default`, where this node made it. */
  readonly firstKey: string | undefined
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>

  private constructor({ child, address, port, key, stop }: Serving) {
    this.child = child
    this.address = address
    this.port = port
    this.firstKey = key
    this.stop = stop
  }

  /** @param data the directory of its outbox. */
  static async start(
    ledger: string,
    data: string,
    words: readonly string[] = [],
    variables: Readonly<Record<string, string>> = {},
  ) {
    const places = ['--snapshots', defaultSnapshots, '--data', data, '--ledger', ledger]
    return new FleetNode(await serve(['--threads', '1', ...places, ...words], { variables }))
  }

  async ask(key: string, target = query) {
    // A connection that was kept may be closed by the node while this process waits for a program.
    const headers = { authorization: `Bearer ${key}`, connection: 'close' }
    const response = await fetch(`${this.address}${target}`, { headers })
    const text = await response.text()
    // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for.
    const json: any = text.startsWith('{') ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, text, json }
  }

  async statusOf(key: string): Promise<number> {
    return (await this.ask(key)).status
  }
}

/** Runs a command on a ledger and returns what it printed; fails when it does. */
export async function command(ledger: string, ...words: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run([...words, '--ledger', ledger])
  if (exitCode !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
  return stdout.trim()
}
