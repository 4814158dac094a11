/**
 * What a request asks for, by way of its parameters: whatever they are and however they are
 * spelled.
 */
import type { GetRouteName } from '../../operations.ts'
import type { FieldName } from '../../request-parameters.ts'
import type { Written } from '../answer-cache.ts'
import { changesPage } from '../history/changes-page.ts'
import { historyPage } from '../history/history-page.ts'
import type { PageOrProblem } from '../history/page.ts'
import { snapshotPage, snapshotsPage } from '../history/snapshot-pages.ts'
import type { Served } from '../served.ts'
import type { Body } from '../write/body.ts'
import { ItemFields } from '../write/chosen-items.ts'
import { byScore, type Explained, inCoreTopic } from '../write/explanations.ts'
import {
  type ItemForm,
  writeFound,
  writeMatches,
  writePeerPage,
  writeProfiles,
  writeUnion,
} from '../write/item-lists.ts'
import type { AskedPage, PageStart } from '../write/listing-pages.ts'
import { writeSuggestions } from '../write/suggestion-items.ts'
import { topicsPage } from '../write/topic-pages.ts'
import type { Choice } from './choices.ts'
import type { Cursors, ListParts } from './cursor.ts'
import { HandleList } from './handle-list.ts'
import { unpackedPlace } from './list-cursor.ts'
import { type Parsed, parsePairs } from './pairs.ts'
import { type Explain, type ParameterValues, readParameters } from './parameters.ts'

/** What a request asks for, once its parameters are read. */
export interface Ask {
  /** How many queries it is charged as: one, or one for each SDU or handle. */
  readonly queries: number
  /** Writes the items of the answer, comma between items; returns what else it says. */
  readonly write: (served: Served, body: Body) => Written | undefined
}

/**
 * Reads the query string of a route: what it asks for, or what is wrong with it.
 * @param served the snapshot that is to answer, by which the values of filters are read.
 */
export function readAsk<R extends GetRouteName>(
  route: R,
  query: string,
  served: Served,
): Parsed<Ask> {
  const pairs = parsePairs(query)
  if (pairs.problem !== undefined) return pairs
  const values = readParameters(route, pairs.value, served.names)
  if (values.problem !== undefined) return values
  return asks[route](values.value, query, served)
}

type AskOf<R extends GetRouteName> = (
  values: ParameterValues<R>,
  query: string,
  served: Served,
) => Parsed<Ask>

/** A page of what is made from the changes. */
function askPage(page: PageOrProblem): Parsed<Ask> {
  if ('problem' in page) return page
  const write: Ask['write'] = (_, body) => {
    const { items, next } = page.read()
    body.text(items.map((item) => JSON.stringify(item)).join())
    return { way: '', members: next === undefined ? '' : `,"next_cursor":${JSON.stringify(next)}` }
  }
  return { value: { queries: 1, write } }
}

const asks: { readonly [R in GetRouteName]: AskOf<R> } = {
  /** The first `limit` authorities for the text, kept for whoever asks the same. */
  search: (values, query, { cursors }) => {
    const { query: text, limit, explain, fields, related } = values
    // A cursor goes on in the list that it was made for.
    const list = related ? ['search', text] : ['search', text, 'unrelated']
    const { value: page, problem } = readPage(list, values, cursors)
    if (problem !== undefined) return { problem }
    const asked = { text, limit, explain, page, fields: fieldsOf(fields), related }
    const write: Ask['write'] = (served, body) => {
      const items = writeFound(served, asked, body)
      // Nobody asks for one page behind a cursor as often as for the first.
      if (isBehindCursor(page)) served.cache.countMiss()
      else served.cache.keepMissed(query, items)
      return items
    }
    return { value: { queries: 1, write } }
  },

  /** The profiles of the SDUs that are known, in the order of the request. */
  detail: ({ sdus, ...values }) => {
    const form = formOf(values, inCoreTopic)
    const write: Ask['write'] = ({ catalog }, body) => {
      const ordinals = sdus.map((sdu) => catalog.findSdu(sdu))
      writeProfiles(catalog, ordinals, body, form)
      return undefined
    }
    return { value: { queries: sdus.length, write } }
  },

  /** The union of the peers of all handles by authority score, ranked from 1. */
  peers: (values, _, { cursors }) => {
    const { handles, limit } = values
    const form = formOf(values, byScore)
    const identities = handles.map(({ query: { platform, key } }) => [platform, key])
    const { value: page, problem } = readPage(['peers', identities], values, cursors)
    if (problem !== undefined) return { problem }
    const write: Ask['write'] = (served, body) => {
      const lists = handles.map(({ query }) => served.catalog.peersOf(query))
      if (page !== undefined) return writePeerPage(served, lists, { limit, page }, body, form)
      writeUnion(served.catalog, lists, limit, body, form)
      return undefined
    }
    return { value: { queries: handles.length, write } }
  },

  /**
   * The owners of each handle in the order of the request; when several handles were asked for, each
   * item says which one it answers.
   */
  match: ({ handles, ...values }) => {
    const form = formOf(values, inCoreTopic)
    const list = new HandleList(handles.length).take(handles)
    const write: Ask['write'] = ({ catalog }, body) => {
      writeMatches(catalog, list, list.count > 1, body, form)
      return undefined
    }
    return { value: { queries: list.count, write } }
  },

  /** Topics, people and handles that begin with what was typed. */
  autocomplete: ({ query: typed, limit, kinds }) => {
    const write: Ask['write'] = (served, body) => {
      writeSuggestions(served, { typed, limit, kinds }, body)
      return undefined
    }
    return { value: { queries: 1, write } }
  },

  topics: ({ query: typed, limit, cursor }, _, served) =>
    askPage(topicsPage(served, { typed, limit }, placeOf(cursor))),

  snapshots: ({ cursor }, _, served) => askPage(snapshotsPage(served, placeOf(cursor))),

  snapshot: ({ id }, _, { past }) => askPage(snapshotPage(past, id)),

  changes: ({ since, sdus, inTopic: topic, types, cursor }, _, served) =>
    askPage(changesPage(served, { since, sdus, topic, types }, placeOf(cursor))),

  history: ({ sdus, inTopic: topic, cursor }, _, served) =>
    askPage(historyPage(served, { sdus, topic }, placeOf(cursor))),
}

function fieldsOf(names: readonly FieldName[] | undefined): ItemFields | undefined {
  return names && new ItemFields(names)
}

/**
 * What is to be written of items.
 * @param explained the rank that is explained where items are.
 */
export function formOf(
  { fields, explain }: { fields: readonly FieldName[] | undefined; explain: Explain },
  explained: Explained,
): ItemForm {
  return { fields: fieldsOf(fields), explained: explain === 'items' ? explained : undefined }
}

/** The cursor of a page; '' of the first. */
function placeOf(cursor: string | undefined): string {
  return cursor === undefined || cursor === '*' ? '' : cursor
}

function isBehindCursor(page: AskedPage | undefined): boolean {
  return page?.start !== undefined && page.start !== '*'
}

/** The parameters that ask for more of a list than its first items. */
interface PageValues {
  readonly country: Choice | undefined
  readonly platform: Choice | undefined
  readonly topic: Choice | undefined
  readonly score_min: number | undefined
  readonly followers_min: number | undefined
  readonly cursor: string | undefined
  readonly facets?: AskedPage['facets'] | undefined
}

/**
 * What is asked of a list, undefined where only its first items are.
 * @param of what it is a list of, filters apart.
 */
function readPage(
  of: ListParts,
  values: PageValues,
  cursors: Cursors,
): Parsed<AskedPage | undefined> {
  const { country, platform, topic, score_min, followers_min, cursor, facets = [] } = values
  const filters = {
    places: country?.numbers,
    platforms: platform?.numbers,
    topics: topic?.numbers,
    scoreMin: score_min,
    followersMin: followers_min,
  }
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined)
  if (!isFiltered && cursor === undefined && facets.length === 0) return { value: undefined }
  const sent = [country?.sent, platform?.sent, topic?.sent, score_min, followers_min]
  const list = [...of, ...sent]
  const start = readStart(cursor, list, cursors)
  return start.problem === undefined
    ? { value: { filters, start: start.value, facets, list } }
    : start
}

function readStart(
  cursor: string | undefined,
  list: ListParts,
  cursors: Cursors,
): Parsed<PageStart | undefined> {
  if (cursor === undefined || cursor === '*') return { value: cursor }
  const { value, problem } = cursors.read(list, cursor)
  return problem === undefined ? { value: unpackedPlace(value) } : { problem }
}
