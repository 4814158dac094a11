/**
 * The tail of one snapshot as a thread reads it: synchronously from blocks that requests hold. A block that no request
 * holds is not in memory: reading it throws `MissingBlocks`, and the request is sent again when it was brought. What is
 * read is of this very snapshot, since keys carry its id.
 */

import { CannotBeBrought, type Hold, NotAtHand } from '../memory/elsewhere/not-at-hand.ts'
import { mayHold } from '../memory/sets/bloom.ts'
import type { Problem } from '../problems.ts'
import type { BlockFetcher } from './block-fetcher.ts'
import {
  blockOfName,
  peoplePerBlock,
  type TailNames,
  type TailPerson,
  type TailReasons,
  unpackBlock,
} from './blocks.ts'
import type { BlockKey, BlockKind, TailFacts } from './tail-store.ts'

/** The problem of a request while blocks cannot be brought. */
const unavailable: Problem = {
  code: 'texts-unavailable',
  detail: 'the answer needs people of the tail, which cannot be read in time; nothing was charged',
}

/** A block that requests hold. */
interface HeldBlock {
  readonly content: unknown
  holds: number
}

/** Blocks that have to be brought first. */
class MissingBlocks extends NotAtHand {
  readonly problem = unavailable
  readonly keys: readonly BlockKey[]
  readonly #reader: TailReader

  constructor(reader: TailReader, keys: readonly BlockKey[]) {
    super()
    this.#reader = reader
    this.keys = keys
  }

  async bring(hold: Hold): Promise<void> {
    const all = await Promise.allSettled(this.keys.map((key) => this.#reader.bring(key, hold)))
    for (const each of all) {
      if (each.status === 'rejected') throw new CannotBeBrought(unavailable, { cause: each.reason })
    }
  }
}

export class TailReader {
  readonly facts: TailFacts
  readonly #snapshot: string
  readonly #fetcher: BlockFetcher
  readonly #namesBehind: Uint32Array
  readonly #held = new Map<string, HeldBlock>()

  /** @param namesBehind the section of the head with the names that its tail has. */
  constructor(snapshot: string, facts: TailFacts, fetcher: BlockFetcher, namesBehind: Uint32Array) {
    this.#snapshot = snapshot
    this.facts = facts
    this.#fetcher = fetcher
    this.#namesBehind = namesBehind
  }

  /** The numbers of a name; none if the tail has no such name. @throws MissingBlocks. */
  numbersOf(name: string): readonly number[] {
    if (!mayHold(this.#namesBehind, name)) return nothing
    const names: TailNames = this.#read(this.#keyOfName(name))
    return names.get(name) ?? nothing
  }

  /** Brings what some names need, all at once. @throws MissingBlocks. */
  wantNames(names: Iterable<string>): void {
    const own = [...names].filter((name) => mayHold(this.#namesBehind, name))
    this.#want(own.map((name) => this.#keyOfName(name)))
  }

  /** Somebody behind the head. @throws MissingBlocks. */
  personAt(ordinal: number): TailPerson {
    const place = ordinal - this.facts.head
    const people: readonly TailPerson[] = this.#read(this.#key('people', place))
    return people[place % peoplePerBlock]!
  }

  /** Brings the first people of a list, all at once; those of the head and below 0 are passed over. @throws MissingBlocks. */
  wantPeople(ordinals: ArrayLike<number>, count = ordinals.length): void {
    const { head } = this.facts
    const missing: BlockKey[] = []
    for (let index = 0; index < count; index += 1) {
      const place = ordinals[index]! - head
      if (place >= 0) missing.push(this.#key('people', place))
    }
    if (missing.length > 0) this.#want(missing)
  }

  /** The explanations of a person of the head or behind it. @throws MissingBlocks. */
  reasonsAt(ordinal: number): TailReasons {
    const reasons: readonly TailReasons[] = this.#read(this.#key('reasons', ordinal))
    return reasons[ordinal % peoplePerBlock]!
  }

  /** Brings the explanations of some people, all at once. @throws MissingBlocks. */
  wantReasons(ordinals: ArrayLike<number>): void {
    const own = Array.from(ordinals).filter((ordinal) => ordinal >= 0)
    this.#want(own.map((ordinal) => this.#key('reasons', ordinal)))
  }

  /** Brings a block and keeps it until the hold is released. */
  async bring(key: BlockKey, hold: Hold): Promise<void> {
    const name = nameOf(key)
    let block = this.#held.get(name)
    if (block === undefined) {
      const content = unpackBlock(key, await this.#fetcher.fetch(key))
      // Another request may have brought it meanwhile.
      block = this.#held.get(name) ?? { content, holds: 0 }
    }
    const held = block
    const letGo = () => {
      held.holds -= 1
      if (held.holds === 0) this.#held.delete(name)
    }
    if (!hold.keep(held, letGo)) return
    held.holds += 1
    this.#held.set(name, held)
  }

  #keyOfName(name: string): BlockKey {
    const number = blockOfName(name, this.facts.blocks.names)
    return { snapshot: this.#snapshot, kind: 'names', number }
  }

  #key(kind: BlockKind, place: number): BlockKey {
    return { snapshot: this.#snapshot, kind, number: Math.floor(place / peoplePerBlock) }
  }

  #read<T>(key: BlockKey): T {
    const block = this.#held.get(nameOf(key))
    if (block === undefined) throw new MissingBlocks(this, [key])
    return block.content as T
  }

  #want(keys: readonly BlockKey[]): void {
    const missing = new Map<string, BlockKey>()
    for (const key of keys) {
      const name = nameOf(key)
      if (!this.#held.has(name)) missing.set(name, key)
    }
    if (missing.size > 0) throw new MissingBlocks(this, [...missing.values()])
  }
}

const nothing: readonly number[] = []

function nameOf({ kind, number }: BlockKey): string {
  return `${kind}${number}`
}
