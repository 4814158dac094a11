/** A node of a fleet: the built service over the default snapshot, with the ledger of a database. */
import { onTestFinished } from 'vitest'
import { asked, defaultSnapshots, type Reply, run, type Serving, serve } from '../program.ts'
import { temporaryDirectory } from '../temporary-directory.ts'

/** A query that costs 0.001 USD. */
export const query = '/api/v1/index?query=rust&limit=1'

export interface FleetNode extends Serving {
  readonly ask: (key: string, target?: string) => Promise<Reply>
  readonly statusOf: (key: string) => Promise<number>
}

/** Starts a node. @param data the directory of its outbox. */
export async function startNode(
  ledger: string,
  data: string,
  words: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<FleetNode> {
  const places = ['--snapshots', defaultSnapshots, '--data', data, '--ledger', ledger]
  const serving = await serve(['--threads', '1', ...places, ...words], { variables })
  const ask = (key: string, target = query) => {
    // A connection that was kept may be closed by the node while this process waits for a program.
    const headers = { authorization: `Bearer ${key}`, connection: 'close' }
    return asked(`${serving.address}${target}`, { headers })
  }
  return { ...serving, ask, statusOf: async (key) => (await ask(key)).status }
}

/** Starts a node that ends with its test. @param data the directory of its outbox; a new one where it is absent. */
export async function startedNode(
  ledger: string,
  words: readonly string[] = [],
  data = temporaryDirectory(),
  variables: Readonly<Record<string, string>> = {},
): Promise<FleetNode> {
  const node = await startNode(ledger, data, words, variables)
  onTestFinished(async () => void (await node.stop('SIGKILL')))
  return node
}

/** Runs a command on a ledger and returns what it printed; fails when it does. */
export async function command(ledger: string, ...words: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run([...words, '--ledger', ledger])
  if (exitCode !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
  return stdout.trim()
}
