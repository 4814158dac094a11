/**
 * The port of a tail: blocks of bytes by their keys, and for each snapshot a mark that all of its blocks were written.
 * Every block of a snapshot exists, an empty one too. So a block that is missing was lost or has expired, and means
 * "not at hand", never "no such person".
 */

/** Facts of the tail of a snapshot: written behind its last block, removed before its first. */
export interface TailFacts {
  /** People of the head, and of the head and the tail together. */
  readonly head: number
  readonly people: number
  /** Number of blocks of each kind. */
  readonly blocks: Readonly<Record<BlockKind, number>>
}

/** Blocks of names, of people, and of explanations. */
export type BlockKind = 'names' | 'people' | 'reasons'

/**
 * The form of blocks and marks. A change of what they hold raises it: it is a part of all keys and of the checksums of
 * blocks, so that a service reads blocks of its own form only. Form 1 has no number in its keys.
 */
const form = 2

/** The name of the tail of a snapshot in this form. */
export function tailNameOf(id: string): string {
  return `${form}:${id}`
}

/** The names that tails of a snapshot have in earlier forms. */
export function earlierTailNamesOf(id: string): readonly string[] {
  return [id]
}

/** A block: of a snapshot, by the name of its tail, a kind and a number from 0 on. */
export interface BlockKey {
  readonly snapshot: string
  readonly kind: BlockKind
  readonly number: number
}

/** Reads tails by their names. Every call rejects while the store is not reached. */
export interface TailReads {
  /** The facts of a snapshot's tail; undefined unless all of its blocks were written. */
  facts(snapshot: string): Promise<TailFacts | undefined>
  /** Name of the node that has a block at the moment: blocks of one node are read together. */
  nodeOf(key: BlockKey): string
  /** Blocks of one node, in the order of their keys; null for one that is missing. */
  blocks(keys: readonly BlockKey[]): Promise<readonly (Uint8Array | null)[]>
  close(): Promise<void>
}

/** Writes a tail. */
export interface TailStore extends TailReads {
  /** Writes blocks, and returns when they are written on as many copies as the store waits for. */
  write(blocks: readonly (readonly [key: BlockKey, bytes: Uint8Array])[]): Promise<void>
  /** Marks a snapshot whose blocks were all written as complete. */
  complete(snapshot: string, facts: TailFacts): Promise<void>
  /** Lets all of a snapshot expire; after 0 ms it is gone when the call returns. The mark goes first. */
  expire(snapshot: string, facts: TailFacts, afterMs: number): Promise<void>
  /** Complaints about the store that do not keep it from working, as sentences. */
  complaints(): Promise<readonly string[]>
}

/** A block in words: its name in maps. */
export function blockNameOf({ snapshot, kind, number }: BlockKey): string {
  return `${snapshot} ${kind} ${number}`
}

/** Keys of all blocks of a snapshot. */
export function* blockKeysOf(snapshot: string, { blocks }: TailFacts): Iterable<BlockKey> {
  for (const kind of ['names', 'people', 'reasons'] as const) {
    for (let number = 0; number < blocks[kind]; number += 1) yield { snapshot, kind, number }
  }
}
