/**
 * The gates before a snapshot is announced: does it answer what it should, and differ from the
 * current one by no more than it may.
 */

import { type Engine, openEngine } from '../engine/open.ts'
import { textAt } from '../memory/text-table.ts'
import { Refusal, type RefusalCode } from '../problems.ts'
import { isStorageError } from '../process/sync-file.ts'
import type { Gates } from '../settings/gates.ts'
import type { Values } from '../settings.ts'
import type { StoredFacts } from '../snapshot/facts.ts'
import type { Snapshot } from '../snapshot/file.ts'
import { pointersOf, storedFacts } from '../snapshot/store/directory.ts'
import { partsOf } from '../snapshot/store/removals.ts'
import { heldBack } from '../snapshot/store/states.ts'
import { textsOf } from '../snapshot/text-tables.ts'
import type { Source } from '../source/source.ts'
import { topicKey } from '../text/analyzer.ts'
import { type Comparison, changeProblems } from './changes/changes.ts'
import { takenHandles } from './changes/claim-changes.ts'
import { type Pair, pairOf } from './changes/pair.ts'

/** Of topics, people and handles each, spread over all there are. */
const probesMax = 50

export function probeProblems(snapshot: Snapshot, engine = openEngine(snapshot)): string[] {
  const { sections, header } = snapshot
  const { catalog, search } = engine
  const problems: string[] = []
  const { authorities, topics, handles } = header.counts
  for (const ordinal of spread(authorities)) {
    const sdu = catalog.sduOf(ordinal)
    if (answeredPerson(engine, sdu) !== sdu) problems.push(`detail does not answer ${sdu}`)
  }
  for (const topic of spread(topics)) {
    const label = catalog.labelOf(topic)
    const named = search.topicNamed(label)
    // The label may be an address, or mean something else.
    if (search.isIdentity(label) || named < 0) continue
    if (catalog.findTopic(topicKey(label)) !== topic) {
      problems.push(`topic ${label} is not found by its label`)
      continue
    }
    // Other topics with the same phrase may have it, unless they are smaller.
    if (named !== topic && catalog.sizeOf(named) >= catalog.sizeOf(topic)) continue
    if (search.find(label, 1).way === 'name') continue
    const first = sections['topic.members'][catalog.membersOf(topic).start]!
    if (answeredSdus(engine, label)[0] !== catalog.sduOf(first))
      problems.push(`search does not answer topic ${label}`)
  }
  const keys = textsOf(snapshot, 'handle')
  for (const handle of spread(handles)) {
    const query = { platform: undefined, key: textAt(keys, handle) }
    const node = sections['handle.nodes'][sections['handle.node-starts'][handle]!]!
    const isFound = catalog.ownersOf(query).length > 0
    if (isFound !== node < authorities) problems.push(`match is wrong about ${query.key}`)
  }
  return problems
}

function answeredSdus({ catalog, search }: Engine, text: string): string[] {
  const { topic, ordinals } = search.find(text, 1)
  if (topic < 0) return Array.from(ordinals, (ordinal) => catalog.sduOf(ordinal))
  const { start, end } = catalog.itemsOfTopic(topic, 1)
  const items = Array.from({ length: end - start }, (_, at) =>
    catalog.rankedItems.textAt(start + at),
  )
  return JSON.parse(`[${items.join('')}]`).map(({ sdu }: { sdu: string }) => sdu)
}

function answeredPerson({ catalog }: Engine, sdu: string): string | undefined {
  const ordinal = catalog.findSdu(sdu)
  return ordinal < 0 ? undefined : JSON.parse(catalog.profiles.textAt(ordinal)).sdu
}

function spread(count: number): number[] {
  const probes = Math.min(count, probesMax)
  const step = probes > 1 ? (count - 1) / (probes - 1) : 0
  return Array.from({ length: probes }, (_, probe) => Math.floor(probe * step))
}

type GateOptions = Gates & Values<'acceptHandle' | 'force'>

interface Checked extends Omit<Comparison, 'pair'> {
  readonly probes: readonly string[]
  /** Why the current one cannot be read, where it cannot; undefined without a comparison. */
  readonly past: Pair | string | undefined
  /** `platform:key`. */
  readonly correctedEnds: ReadonlySet<string>
}

/** An id that cannot be read is not none: there is something to compare a new snapshot with. */
export function currentId({ snapshots, force }: Values<'snapshots' | 'force'>): string | undefined {
  try {
    return pointersOf(snapshots).current
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (force) return undefined
    const hint = 'a new snapshot is compared with nothing when you use --force'
    throw new Refusal('held-back', `${error.message}; ${hint}`)
  }
}

/**
 * A text says why the current one cannot be read; undefined if there is none, or it is the same.
 */
export function pastOf(
  snapshots: string,
  next: StoredFacts,
  before: string | undefined,
): Pair | string | undefined {
  if (before === undefined || before === next.header.id) return undefined
  try {
    return pairOf(storedFacts(snapshots, before), next)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.message
  }
}

export function gateProblem(
  options: GateOptions,
  { probes, past, ...checked }: Checked,
): string | undefined {
  if (probes.length > 0) return `the snapshot answers wrongly: ${probes.join('; ')}`
  if (options.force || past === undefined) return undefined
  const changes =
    typeof past === 'string'
      ? [`there is nothing to compare with: ${past}`]
      : changesWithin({ ...checked, pair: past }, options)
  return changes.length === 0 ? undefined : `${changes.join('; ')}; if this is meant, use --force`
}

/**
 * Snapshots of the same records have none, even of different recipes or without a removed person.
 */
function changesWithin(
  { correctedEnds, ...comparison }: Comparison & Pick<Checked, 'correctedEnds'>,
  options: GateOptions,
): string[] {
  const { pair } = comparison
  const sourceOf = ({ header }: StoredFacts) => partsOf(header.sourceFingerprint).source
  if (sourceOf(pair.before) === sourceOf(pair.next)) return []
  const taken = takenHandles(pair, new Set([...correctedEnds, ...options.acceptHandle]))
  return [...changeProblems(comparison, options), ...(taken === undefined ? [] : [taken])]
}

interface Held {
  readonly opened: Pick<Source, 'name'>
  readonly snapshots: string
  readonly clock: () => number
}

/** Services read the reason from a file; a disk that refuses the file does not hide it. */
export function refusalOf(
  { opened, snapshots, clock }: Held,
  code: RefusalCode,
  reason: string,
  sourceFingerprint: string,
): Refusal {
  const message = `${opened.name}: ${reason}; nothing was published`
  try {
    heldBack.write(snapshots, { reason, at: new Date(clock()).toISOString(), sourceFingerprint })
    return new Refusal(code, message)
  } catch (error) {
    if (!isStorageError(error)) throw error
    return new Refusal(code, `${message}; services were not notified: ${error.message}`)
  }
}
