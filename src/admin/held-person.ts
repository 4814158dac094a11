/** All that a directory of snapshots holds of one person, but for texts of others that name the person. */

import type { ActiveSnapshot } from '../api/active-snapshot.ts'
import { announcedIn, localApi } from '../api/announced.ts'
import type { Api } from '../api/api.ts'
import { Body } from '../api/items/body.ts'
import { writeExplanation } from '../api/items/explanations.ts'
import { changeItemsOf } from '../api/operations/changes.ts'
import { readFrom } from '../api/operations/lists/list-page.ts'
import type { Catalog } from '../engine/catalog.ts'
import { textAt } from '../memory/text-table.ts'
import { Refusal } from '../problems.ts'
import { rangeOfSdu } from '../snapshot/changes/change-file.ts'
import { forClaims } from '../snapshot/people/owners.ts'
import { readRemovals } from '../snapshot/store/removals.ts'
import { textsOf } from '../snapshot/text-tables.ts'
import { recordedCorrections } from '../sync/removals/recorded-corrections.ts'

/** @throws Refusal `snapshot-missing` where no snapshot is announced. */
export function heldOf(directory: string, sdu: string) {
  const served = announcedIn(directory)
  if (served === undefined) throw new Refusal('snapshot-missing', `${directory} has no snapshot`)
  const api = localApi(served)
  return {
    sdu,
    snapshot_id: served.catalog.id,
    record: answerOf(api, `/api/v1/detail?sdus=${sdu}`).results[0] ?? null,
    ...unanswered(served, sdu),
    history: historyOf(api, sdu),
    changes: changesOf(served, sdu),
    corrections: correctionsOf(directory, sdu),
    removals: removalsOf(directory, sdu),
  }
}

interface Answer {
  readonly results: readonly unknown[]
  readonly next_cursor?: string
}

/** @throws Error for an answer that is not 200: that is a bug. */
function answerOf(api: Api, target: string): Answer {
  const [path = '', query = ''] = target.split('?')
  const { status, body } = api.answer({ method: 'GET', path, query })
  const text = Buffer.from(body).toString()
  if (status !== 200) throw new Error(`${target} is answered with ${status}: ${text}`)
  return JSON.parse(text)
}

function historyOf(api: Api, sdu: string): unknown[] {
  const items: unknown[] = []
  let cursor: string | undefined
  do {
    const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const page = answerOf(api, `/api/v1/history?sdus=${sdu}${more}`)
    items.push(...page.results)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return items
}

/** What the snapshot holds of a person beside the record: no operation answers all of it. */
function unanswered({ catalog }: ActiveSnapshot, sdu: string) {
  const ordinal = catalog.findSdu(sdu)
  if (ordinal < 0) return { handles: [], attributes: [], peers: [], evidence: [] }
  return {
    handles: handlesOf(catalog, ordinal),
    attributes: Array.from(catalog.attributesOf(ordinal), (each) => catalog.attributeOf(each)),
    // The list of peers of a person has the number of its ordinal.
    peers: Array.from(catalog.peersIn(ordinal), (peer) => catalog.sduOf(peer)),
    evidence: evidenceOf(catalog, ordinal),
  }
}

/** Handles and identifiers as `platform:handle`, as they are looked up. */
function handlesOf({ sections, platforms }: Catalog, ordinal: number): string[] {
  const keys = textsOf({ sections }, 'handle')
  const handles: string[] = []
  forClaims({ sections }, (handle, node, platform) => {
    if (node === ordinal) handles.push(`${platforms[platform]}:${textAt(keys, handle)}`)
  })
  return handles
}

/** The parts of every rank: by authority score, whose topic is null, then in each topic. */
function evidenceOf(catalog: Catalog, ordinal: number): unknown[] {
  const { evidence } = catalog
  const topics = Array.from({ length: catalog.counts.topics }, (_, topic) => topic)
  const ranked = topics.filter((topic) => evidence.rankIn(topic, ordinal) > 0)
  const body = new Body('{"of":0')
  return [-1, ...ranked].map((topic) => {
    body.begin()
    writeExplanation(catalog, evidence.ofRank(topic, ordinal), body)
    body.text('}')
    return JSON.parse(Buffer.from(body.view()).toString()).explanation
  })
}

/** What changed of the person, the newest first: earlier values of the record stand in files of changes. */
function changesOf({ past }: ActiveSnapshot, sdu: string): unknown[] {
  return past.files.toReversed().flatMap((file) => {
    const { start, end } = rangeOfSdu(file, sdu)
    const people = readFrom(file, (read) => read(start, end)) ?? []
    const { id, announcedAt } = file.header
    return people
      .filter((person) => person.sdu === sdu)
      .flatMap(changeItemsOf)
      .map((change) => ({ ...change, snapshot_id: id, at: announcedAt }))
  })
}

function correctionsOf(directory: string, sdu: string) {
  return recordedCorrections(directory)
    .filter((each) => each.sdu === sdu)
    .map(({ id, ...rest }) => ({ correction_id: id, ...rest }))
}

/** @throws Refusal `snapshot-refused` where the key of the list is not at hand. */
function removalsOf(directory: string, sdu: string) {
  const list = readRemovals(directory)
  if (list.length === 0) return []
  return list.entries
    .filter(({ id }) => id === list.idOf(sdu))
    .map(({ id, ...rest }) => ({ removal_id: id, ...rest }))
}
