/**
 * Splits a snapshot: fills a tail with the people behind its head, and publishes the head in a directory of its own.
 * The tail is complete before the head is announced, and blocks of the snapshot before it expire afterwards.
 */
import { join } from 'node:path'
import { Body } from '../../api/items/body.ts'
import type { Catalog } from '../../engine/catalog.ts'
import { openEngine } from '../../engine/open.ts'
import { cutHead } from '../../indexer/head/head.ts'
import { type NameBehind, namesBehind } from '../../indexer/head/names-behind.ts'
import { type Snapshot, snapshotHeaderOf } from '../../snapshot/file.ts'
import { partsOf, readRemovals } from '../../snapshot/store/removals.ts'
import { retain, type SnapshotStore } from '../../snapshot/store/store.ts'
import {
  type BlockEntry,
  blockOfName,
  namesPerBlock,
  packBlock,
  peoplePerBlock,
} from '../../tail/blocks.ts'
import {
  type BlockKey,
  type BlockKind,
  earlierTailNamesOf,
  type TailFacts,
  type TailStore,
  tailNameOf,
} from '../../tail/tail-store.ts'
import type { Progress } from '../progress.ts'
import { tailPersonOf, tailReasonsOf, tailSummaryOf } from './people-behind.ts'

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
/** Owners of a handle whose summaries lie with it: the others are read with the people. */
const ownersPerName = 8

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
  return !force && (await tail.facts(tailNameOf(id))) !== undefined
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
  await tail.complete(tailNameOf(id), facts)
  return facts
}

/** All blocks of a tail. */
function* blocksOf(
  whole: Snapshot,
  id: string,
  facts: TailFacts,
): Iterable<readonly [BlockKey, Uint8Array]> {
  const { head, people, blocks } = facts
  const { catalog } = openEngine(whole)
  const body = new Body()
  const block = (
    kind: BlockKind,
    number: number,
    entries: readonly BlockEntry[],
  ): readonly [BlockKey, Uint8Array] => {
    const key = { snapshot: tailNameOf(id), kind, number }
    return [key, packBlock(key, entries)]
  }
  const each = (from: number, make: (ordinal: number) => BlockEntry[1]): BlockEntry[] => {
    const length = Math.max(0, Math.min(people - from, peoplePerBlock))
    const ordinals = Array.from({ length }, (_, index) => from + index)
    return ordinals.map((ordinal) => [String(ordinal), make(ordinal)])
  }
  for (let number = 0; number < blocks.people; number += 1) {
    const from = head + number * peoplePerBlock
    const some = each(from, (ordinal) => tailPersonOf(catalog, ordinal))
    yield block('people', number, some)
  }
  for (let number = 0; number < blocks.reasons; number += 1) {
    const from = number * peoplePerBlock
    const some = each(from, (ordinal) => tailReasonsOf(catalog, ordinal, body))
    yield block('reasons', number, some)
  }
  const step = Math.ceil(namesAtOnce / namesPerBlock)
  for (let first = 0; first < blocks.names; first += step) {
    const some = namesOf(whole, facts, first, Math.min(blocks.names, first + step))
    for (const [index, names] of some.entries()) {
      const entries = names.map((name) => entryOfName(catalog, name))
      yield block('names', first + index, entries)
    }
  }
}

function entryOfName(catalog: Catalog, [name, numbers, owners = []]: NameBehind): BlockEntry {
  const shown = owners.slice(0, ownersPerName)
  return [name, [Array.from(numbers), shown.map((owner) => tailSummaryOf(catalog, owner))]]
}

/** The names of the blocks from one on, up to another. */
function namesOf(
  whole: Snapshot,
  { head, blocks }: TailFacts,
  first: number,
  end: number,
): NameBehind[][] {
  const some = Array.from({ length: end - first }, (): NameBehind[] => [])
  for (const name of namesBehind(whole.sections, head)) {
    const block = blockOfName(name[0], blocks.names)
    if (block >= first && block < end) some[block - first]!.push(name)
  }
  return some
}

/**
 * Lets the tail that was current before expire, at once if the list of removals changed since; and those of earlier forms,
 * which nodes of an earlier version may still read.
 */
async function supersede(
  { tail, graceMs }: TailOrder,
  heads: SnapshotStore,
  header: Snapshot['header'],
): Promise<void> {
  for (const { id, header: before } of await heads.list()) {
    const digestOf = ({ sourceFingerprint }: Snapshot['header']) =>
      partsOf(sourceFingerprint).digest
    const isSame = before !== undefined && digestOf(before) === digestOf(header)
    const names = id === header.id ? [] : [tailNameOf(id)]
    for (const name of [...names, ...earlierTailNamesOf(id)]) {
      const facts = await tail.facts(name)
      if (facts !== undefined) await tail.expire(name, facts, isSame ? graceMs : 0)
    }
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
