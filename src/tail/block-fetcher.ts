/**
 * Fetches blocks for all requests of a thread: those that are wanted of a node in one turn of the loop are one call of the
 * store, and a block that is on its way is not asked for again. Each node has a deadline and a breaker of its own, so
 * that blocks of the others come in time while one is slow.
 */
import { PassingEntries } from '../memory/elsewhere/passing-entries.ts'
import { Breaker } from './breaker.ts'
import { type BlockKey, blockNameOf, type TailReads } from './tail-store.ts'

/** A block that was asked for. */
interface Wanted {
  readonly key: BlockKey
  readonly take: (bytes: Uint8Array) => void
  readonly fail: (error: unknown) => void
}

/** A node of the store: the blocks that are wanted of it in this turn of the loop. */
interface Node {
  readonly breaker: Breaker
  wanted: Wanted[]
}

/** Options of a fetcher. */
interface FetcherOptions {
  readonly store: Pick<TailReads, 'blocks' | 'nodeOf'>
  /** Milliseconds, never going back. */
  readonly clock: () => number
  /** Duration after which a call counts as failed, ms. */
  readonly callMsMax: number
}

export class BlockFetcher {
  readonly #options: FetcherOptions
  readonly #coming = new PassingEntries<Promise<Uint8Array>>()
  readonly #nodes = new Map<string, Node>()

  constructor(options: FetcherOptions) {
    this.#options = options
  }

  /** The bytes of a block. @throws Error if it is missing, cannot be fetched in time, or its node's breaker is open. */
  fetch(key: BlockKey): Promise<Uint8Array> {
    const name = blockNameOf(key)
    const coming = this.#coming.get(name)
    if (coming !== undefined) return coming
    const node = this.#nodeOf(key)
    if (node.breaker.isOpen) return Promise.reject(new Error('the tail is not reached'))
    const fetched = new Promise<Uint8Array>((take, fail) => {
      if (node.wanted.length === 0) queueMicrotask(() => setImmediate(() => void this.#call(node)))
      node.wanted.push({ key, take, fail })
    }).finally(() => this.#coming.delete(name))
    this.#coming.set(name, fetched)
    return fetched
  }

  #nodeOf(key: BlockKey): Node {
    const { store, clock } = this.#options
    const name = store.nodeOf(key)
    const known = this.#nodes.get(name)
    if (known !== undefined) return known
    const node: Node = { breaker: new Breaker(clock), wanted: [] }
    this.#nodes.set(name, node)
    return node
  }

  async #call(node: Node): Promise<void> {
    const { store, callMsMax } = this.#options
    const { wanted, breaker } = node
    node.wanted = []
    breaker.begin()
    try {
      const found = await within(store.blocks(wanted.map(({ key }) => key)), callMsMax)
      breaker.succeeded()
      for (const [index, { key, take, fail }] of wanted.entries()) {
        const bytes = found[index]
        if (bytes) take(bytes)
        else fail(new Error(`${blockNameOf(key)} is missing`))
      }
    } catch (error) {
      breaker.failed()
      for (const { fail } of wanted) fail(error)
    }
  }
}

/** The result of a call, unless it takes too long. */
async function within<T>(called: Promise<T>, msMax: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the tail took more than ${msMax} ms`)), msMax)
  })
  try {
    return await Promise.race([called, late])
  } finally {
    clearTimeout(timer)
  }
}
