/** A snapshot that was split into a head and a tail, ready to answer, and requests that wait for the tail. */
import { type ActiveSnapshot, activate } from '../../src/api/active-snapshot.ts'
import type { Api } from '../../src/api/api.ts'
import type { ApiReply, ApiRequest } from '../../src/api/exchange.ts'
import { Wait } from '../../src/api/waiting/wait.ts'
import { askedAgain, type Waits } from '../../src/http/waiting/waits.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { fillTail, headSnapshotOf } from '../../src/sync/tail/publish-tail.ts'
import { BlockFetcher } from '../../src/tail/block-fetcher.ts'
import type { TailReads } from '../../src/tail/tail-store.ts'
import { tailedBy } from '../../src/tail/tailed-catalog.ts'
import { MemoryTail } from './memory-tail.ts'

/** A split snapshot. */
export interface Split {
  readonly head: Snapshot
  readonly tail: MemoryTail
  readonly served: ActiveSnapshot
}

const silent = { phase: () => {}, update: () => {}, note: () => {}, stop: () => {} }

/** Splits a snapshot. @param blocks reads the blocks, where not the tail itself does. */
export async function splitOf(
  whole: Snapshot,
  people: number,
  blocks?: (tail: MemoryTail) => TailReads['blocks'],
): Promise<Split> {
  const tail = new MemoryTail()
  const head = headSnapshotOf(whole, people)
  const facts = await fillTail({ tail, head: people, progress: silent }, whole, head.header.id)
  const store = { blocks: blocks?.(tail) ?? tail.blocks.bind(tail), nodeOf: tail.nodeOf }
  const fetcher = new BlockFetcher({ store, clock: () => 0, callMsMax: 60_000 })
  return { head, tail, served: activate(head, { newCatalog: tailedBy(fetcher, facts) }) }
}

/** Asks as a server does. */
export function askWaiting(api: Api, waits: Waits, request: ApiRequest): Promise<ApiReply> {
  const reply = api.tryAnswer(request)
  if (!(reply instanceof Wait)) return Promise.resolve(copyOf(reply))
  return new Promise((resolve) => {
    const take = (given: ApiReply) => resolve(copyOf(given))
    waits.answer({ wait: reply, address: '10.0.0.1', again: askedAgain(api, request), take })
  })
}

/** A reply is valid until the next. */
function copyOf(reply: ApiReply): ApiReply {
  return { ...reply, body: reply.body.slice() }
}
