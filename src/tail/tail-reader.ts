/**
 * The tail of one snapshot as a thread reads it: synchronously from entries of blocks that requests hold. An entry that no
 * request holds is not in memory: reading it throws `NotAtHand`, and the request is sent again when it was brought. All
 * that is read is of this very snapshot, since keys carry its id.
 */

import { CannotBeBrought, type Hold, NotAtHand } from '../memory/elsewhere/not-at-hand.ts'
import { PassingEntries } from '../memory/elsewhere/passing-entries.ts'
import { mayHold } from '../memory/sets/bloom.ts'
import type { Problem } from '../problems.ts'
import type { BlockFetcher } from './block-fetcher.ts'
import {
  blockOfName,
  entryOfBlock,
  peoplePerBlock,
  type TailName,
  type TailPerson,
  type TailReasons,
  type TailSummary,
} from './blocks.ts'
import { type BlockKey, type BlockKind, type TailFacts, tailNameOf } from './tail-store.ts'

/** The problem of a request while blocks cannot be brought. */
const unavailable: Problem = {
  code: 'texts-unavailable',
  detail: 'the answer needs people of the tail, which cannot be read in time; nothing was charged',
}

/** The place of an entry: its block, and its name in it. */
interface Place {
  readonly key: BlockKey
  readonly name: string
}

/** An entry that requests hold. */
interface HeldEntry {
  readonly value: unknown
  holds: number
}

export class TailReader {
  readonly facts: TailFacts
  readonly #name: string
  readonly #fetcher: BlockFetcher
  readonly #namesBehind: Uint32Array
  readonly #held = new PassingEntries<HeldEntry>()

  /**
   * @param id of the snapshot.
   * @param namesBehind the section of the head with the names that its tail has.
   */
  constructor(id: string, facts: TailFacts, fetcher: BlockFetcher, namesBehind: Uint32Array) {
    this.#name = tailNameOf(id)
    this.facts = facts
    this.#fetcher = fetcher
    this.#namesBehind = namesBehind
  }

  /** The numbers of a name; none if the tail has no such name. @throws NotAtHand. */
  numbersOf(name: string): readonly number[] {
    if (!mayHold(this.#namesBehind, name)) return nothing
    const [numbers] = this.#read(this.#placeOfName(name)) as TailName
    return numbers
  }

  /** Brings what some names need, all at once. @throws NotAtHand. */
  wantNames(names: Iterable<string>): void {
    const own = [...names].filter((name) => mayHold(this.#namesBehind, name))
    this.#want(own.map((name) => this.#placeOfName(name)))
  }

  /** The summary of a person behind the head: with a handle of the person, or with the person. @throws NotAtHand. */
  summaryAt(ordinal: number): TailSummary {
    const held = this.#held.get(summaryNameOf(ordinal))
    return held === undefined ? this.personAt(ordinal) : (held.value as TailSummary)
  }

  /** A person behind the head. @throws NotAtHand. */
  personAt(ordinal: number): TailPerson {
    return this.#read(this.#placeOfPerson(ordinal)) as TailPerson
  }

  /** Brings the summaries of the first people of a list, as `wantPeople` does. @throws NotAtHand. */
  wantSummaries(ordinals: ArrayLike<number>, count = ordinals.length): void {
    const missing: number[] = []
    for (let index = 0; index < count; index += 1) {
      const ordinal = ordinals[index]!
      if (ordinal < this.facts.head) continue
      if (this.#held.get(summaryNameOf(ordinal)) === undefined) missing.push(ordinal)
    }
    this.wantPeople(missing)
  }

  /** Brings the first people of a list, all at once; those of the head and below 0 are passed over. @throws NotAtHand. */
  wantPeople(ordinals: ArrayLike<number>, count = ordinals.length): void {
    const places: Place[] = []
    for (let index = 0; index < count; index += 1) {
      const ordinal = ordinals[index]!
      if (ordinal >= this.facts.head) places.push(this.#placeOfPerson(ordinal))
    }
    this.#want(places)
  }

  /** The explanations of a person of the head or behind it. @throws NotAtHand. */
  reasonsAt(ordinal: number): TailReasons {
    return this.#read(this.#placeOf('reasons', ordinal, ordinal)) as TailReasons
  }

  /** Brings the explanations of some people, all at once. @throws NotAtHand. */
  wantReasons(ordinals: ArrayLike<number>): void {
    const own = Array.from(ordinals).filter((ordinal) => ordinal >= 0)
    this.#want(own.map((ordinal) => this.#placeOf('reasons', ordinal, ordinal)))
  }

  #placeOfName(name: string): Place {
    const number = blockOfName(name, this.facts.blocks.names)
    return { key: { snapshot: this.#name, kind: 'names', number }, name }
  }

  #placeOfPerson(ordinal: number): Place {
    return this.#placeOf('people', ordinal - this.facts.head, ordinal)
  }

  #placeOf(kind: BlockKind, index: number, ordinal: number): Place {
    const number = Math.floor(index / peoplePerBlock)
    return { key: { snapshot: this.#name, kind, number }, name: String(ordinal) }
  }

  #read(place: Place): unknown {
    const held = this.#held.get(heldNameOf(place))
    if (held === undefined) throw this.#missing([place])
    return held.value
  }

  #want(places: readonly Place[]): void {
    const missing = new Map<string, Place>()
    for (const place of places) {
      const name = heldNameOf(place)
      if (this.#held.get(name) === undefined) missing.set(name, place)
    }
    if (missing.size > 0) throw this.#missing([...missing.values()])
  }

  #missing(places: readonly Place[]): NotAtHand {
    return new NotAtHand(unavailable, places, (hold) => this.#bringAll(places, hold))
  }

  async #bringAll(places: readonly Place[], hold: Hold): Promise<void> {
    const all = await Promise.allSettled(places.map((place) => this.#bring(place, hold)))
    for (const each of all) {
      if (each.status === 'rejected') throw new CannotBeBrought(unavailable, { cause: each.reason })
    }
  }

  /** Brings an entry, and with a name the summaries of its owners. */
  async #bring(place: Place, hold: Hold): Promise<void> {
    const name = heldNameOf(place)
    const held = this.#held.get(name)
    const value = held === undefined ? await this.#fetched(place) : held.value
    this.#keep(name, value, hold)
    if (place.key.kind !== 'names') return
    for (const owner of (value as TailName)[1])
      this.#keep(summaryNameOf(owner.ordinal), owner, hold)
  }

  /** @throws Error for a block that lacks a person: only names may be unknown. */
  async #fetched({ key, name }: Place): Promise<unknown> {
    const value = entryOfBlock(key, await this.#fetcher.fetch(key), name)
    if (value !== undefined) return value
    if (key.kind === 'names') return unknownName
    throw new Error(`${key.kind} ${key.number} of ${key.snapshot} lacks ${name}`)
  }

  /** Keeps an entry until the hold is released. @param value of the entry, unless another request has brought it. */
  #keep(name: string, value: unknown, hold: Hold): void {
    const held = this.#held.get(name) ?? { value, holds: 0 }
    const letGo = () => {
      held.holds -= 1
      if (held.holds === 0) this.#held.delete(name)
    }
    if (!hold.keep(held, letGo)) return
    held.holds += 1
    this.#held.set(name, held)
  }
}

const nothing: readonly number[] = []
/** A name that the filter of names took for one of the tail. */
const unknownName: TailName = [nothing, []]

function heldNameOf({ key: { kind }, name }: Place): string {
  return kind + name
}

function summaryNameOf(ordinal: number): string {
  return `summary${ordinal}`
}
