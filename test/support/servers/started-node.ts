/** Nodes that end with their test; `node.ts` is for programs, too, which have no tests. */
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from '../built.ts'
import { FleetNode } from './node.ts'

/** Starts a node. @param data the directory of its outbox; a new one where it is absent. */
export async function startedNode(
  ledger: string,
  words: readonly string[] = [],
  data = temporaryDirectory(),
  variables: Readonly<Record<string, string>> = {},
): Promise<FleetNode> {
  const node = await FleetNode.start(ledger, data, words, variables)
  onTestFinished(async () => void (await node.stop('SIGKILL')))
  return node
}
