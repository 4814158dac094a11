/**
 * Splits a snapshot: fills a tail with the people behind its head, and publishes the head in a directory of its own.
 * The tail is complete before the head is announced, and blocks of the snapshot before it expire afterwards.
 */
import { join } from 'node:path'
import { Body } from '../../api/items/body.ts'
import { openEngine } from '../../engine/open.ts'
import { cutHead } from '../../indexer/head/head.ts'
import { namesBehind } from '../../indexer/head/names-behind.ts'
import { type Snapshot, snapshotHeaderOf } from '../../snapshot/file.ts'
import { partsOf, readRemovals } from '../../snapshot/store/removals.ts'
import { retain, type SnapshotStore } from '../../snapshot/store/store.ts'
import {
  type BlockContent,
  blockOfName,
  namesPerBlock,
  packBlock,
  peoplePerBlock,
  type TailNames,
} from '../../tail/blocks.ts'
import type { BlockKey, BlockKind, TailFacts, TailStore } from '../../tail/tail-store.ts'
import type { Progress } from '../progress.ts'
import { tailPersonOf, tailReasonsOf } from './people-behind.ts'

/** The directory of heads in that of the snapshots, and their folder in object storage. */
export const headDirectory = 'head'

/** An order to split a snapshot. */
interface TailOrder {
  readonly tail: TailStore
  /** The directory of the snapshots. */
  readonly snapshots: string
  /** People of the head. */
  readonly head: number
  /** Heads that are kept. */
  readonly keep: number
  /** Duration for which nodes may still read the tail of the snapshot before, ms. */
  readonly graceMs: number
  /** Whether the tail is filled even if it is marked as complete: blocks of it may be lost. */
  readonly force: boolean
  readonly progress: Progress
}

/** The stores of whole snapshots and of heads. */
interface Stores {
  readonly wholes: SnapshotStore
  readonly heads: SnapshotStore
}

/** Blocks that are written with one call. */
const blocksAtOnce = 512
/** Names that are in memory at once while blocks of them are made. */
const namesAtOnce = 1 << 20

/**
 * Splits an announced snapshot, but does not fill a tail that is complete. Where the head would hold everybody, it is the
 * whole snapshot, and nodes that follow heads go on with that.
 * @returns the id of the head.
 * @throws Refusal `tail-unreachable` and those of a store.
 */
export async function publishTail(
  order: TailOrder,
  { wholes, heads }: Stores,
  id: string,
): Promise<string> {
  const { snapshots, head, keep, progress } = order
  const whole = await wholes.load(id)
  const isAll = whole.header.counts.authorities <= head
  if (isAll) progress.note(`the head of ${head} people holds everybody: no tail is written`)
  else progress.phase('cutting the head')
  const made = isAll ? whole : headSnapshotOf(whole, head)
  if (!isAll && !(await isFilled(order, made.header.id))) {
    await fillTail(order, whole, made.header.id)
  }
  await heads.publish(made, progress.update)
  takeRemovals(snapshots)
  await heads.announce(made.header.id)
  await supersede(order, heads, made.header)
  await retain(heads, keep)
  return made.header.id
}

async function isFilled({ tail, force }: TailOrder, id: string): Promise<boolean> {
  return !force && (await tail.facts(id)) !== undefined
}

/** The head of a snapshot, ready to be written. */
export function headSnapshotOf(whole: Snapshot, head: number): Snapshot {
  const { counts, sections } = cutHead(whole, head)
  const { createdAt, recipe, sourceFingerprint, id } = whole.header
  const content = {
    createdAt,
    sourceFingerprint,
    recipe,
    counts: { ...counts, whole: numberOf(id) },
  }
  return { header: snapshotHeaderOf(content, sections), sections }
}

/** The first 32 bits of an id. */
function numberOf(id: string): number {
  return Number.parseInt(id.slice(0, 8), 16)
}

/** The list of removals goes with the heads, so that a service refuses one that holds a removed person. */
function takeRemovals(snapshots: string): void {
  const removals = readRemovals(snapshots)
  const directory = join(snapshots, headDirectory)
  if (removals.digest !== readRemovals(directory).digest) removals.write(directory)
}

/** Writes all that stands behind the head of a snapshot, and completes it. @param id of the head. */
export async function fillTail(
  order: Pick<TailOrder, 'tail' | 'head' | 'progress'>,
  whole: Snapshot,
  id: string,
): Promise<TailFacts> {
  const { tail, head, progress } = order
  const { authorities } = whole.header.counts
  const names = countOf(namesBehind(whole.sections, head))
  const blocks = {
    names: Math.max(1, Math.ceil(names / namesPerBlock)),
    people: Math.ceil((authorities - head) / peoplePerBlock),
    reasons: Math.ceil(authorities / peoplePerBlock),
  }
  const facts: TailFacts = { head, people: authorities, blocks }
  progress.phase('filling the tail')
  const all = blocks.names + blocks.people + blocks.reasons
  let written = 0
  for (const batch of batchesOf(blocksOf(whole, id, facts))) {
    await tail.write(batch)
    written += batch.length
    progress.update(written / all)
  }
  await tail.complete(id, facts)
  return facts
}

/** All blocks of a tail. */
function* blocksOf(
  whole: Snapshot,
  snapshot: string,
  facts: TailFacts,
): Iterable<readonly [BlockKey, Uint8Array]> {
  const { head, people, blocks } = facts
  const { catalog } = openEngine(whole)
  const body = new Body()
  const block = (
    kind: BlockKind,
    number: number,
    content: BlockContent,
  ): readonly [BlockKey, Uint8Array] => {
    const key = { snapshot, kind, number }
    return [key, packBlock(key, content)]
  }
  const range = (from: number, to: number) =>
    Array.from({ length: Math.max(0, Math.min(people, to) - from) }, (_, index) => from + index)
  for (let number = 0; number < blocks.people; number += 1) {
    const from = head + number * peoplePerBlock
    const own = range(from, from + peoplePerBlock)
    const some = own.map((each) => tailPersonOf(catalog, each))
    yield block('people', number, some)
  }
  for (let number = 0; number < blocks.reasons; number += 1) {
    const from = number * peoplePerBlock
    const own = range(from, from + peoplePerBlock)
    const some = own.map((each) => tailReasonsOf(catalog, each, body))
    yield block('reasons', number, some)
  }
  const step = Math.ceil(namesAtOnce / namesPerBlock)
  for (let first = 0; first < blocks.names; first += step) {
    const some = namesOf(whole, facts, first, Math.min(blocks.names, first + step))
    for (const [index, names] of some.entries()) yield block('names', first + index, names)
  }
}

/** The names of the blocks from one on, up to another. */
function namesOf(
  whole: Snapshot,
  { head, blocks }: TailFacts,
  first: number,
  end: number,
): TailNames[] {
  const some = Array.from({ length: end - first }, () => new Map<string, readonly number[]>())
  for (const [name, numbers] of namesBehind(whole.sections, head)) {
    const block = blockOfName(name, blocks.names)
    if (block >= first && block < end) some[block - first]!.set(name, Array.from(numbers))
  }
  return some
}

/** Lets the tail that was current before expire: at once if the list of removals changed since. */
async function supersede(
  { tail, graceMs }: TailOrder,
  heads: SnapshotStore,
  header: Snapshot['header'],
): Promise<void> {
  for (const { id, header: before } of await heads.list()) {
    if (id === header.id) continue
    const facts = await tail.facts(id)
    if (facts === undefined) continue
    const digestOf = ({ sourceFingerprint }: Snapshot['header']) =>
      partsOf(sourceFingerprint).digest
    const isSame = before !== undefined && digestOf(before) === digestOf(header)
    await tail.expire(id, facts, isSame ? graceMs : 0)
  }
}

function* batchesOf<T>(all: Iterable<T>): Iterable<readonly T[]> {
  let batch: T[] = []
  for (const each of all) {
    batch.push(each)
    if (batch.length < blocksAtOnce) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function countOf(all: Iterable<unknown>): number {
  let count = 0
  for (const _ of all) count += 1
  return count
}
