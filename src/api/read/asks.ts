/**
 * What a request asks for, by way of its parameters: whatever they are and however they are
 * spelled.
 */
import type { RouteName } from '../../operations.ts'
import type { Written } from '../answer-cache.ts'
import { changesPage } from '../history/changes-page.ts'
import { historyPage } from '../history/history-page.ts'
import type { PageOrProblem } from '../history/page.ts'
import { snapshotPage, snapshotsPage } from '../history/snapshot-pages.ts'
import type { Served } from '../served.ts'
import type { Body } from '../write/body.ts'
import { byScore, type Explained, inCoreTopic } from '../write/explanations.ts'
import { writeFound, writeMatches, writeProfiles, writeUnion } from '../write/item-lists.ts'
import {
  type Explain,
  type ParameterValues,
  type Parsed,
  parsePairs,
  readParameters,
} from './parameters.ts'

/** What a request asks for, once its parameters are read. */
export interface Ask {
  /** How many queries it is charged as: one, or one for each SDU or handle. */
  readonly queries: number
  /** Writes the items of the answer, comma between items; returns what else it says. */
  readonly write: (served: Served, body: Body) => Written | undefined
}

/** Reads the query string of a route: what it asks for, or what is wrong with it. */
export function readAsk<R extends RouteName>(route: R, query: string, served: Served): Parsed<Ask> {
  const pairs = parsePairs(query)
  if (pairs.problem !== undefined) return pairs
  const values = readParameters(route, pairs.value)
  if (values.problem !== undefined) return values
  return asks[route](values.value, query, served)
}

type AskOf<R extends RouteName> = (
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

const asks: { readonly [R in RouteName]: AskOf<R> } = {
  /** The first `limit` authorities for the text, kept for whoever asks the same. */
  search: ({ query: text, limit, explain }, query) => {
    const write: Ask['write'] = (served, body) => {
      const items = writeFound(served, { text, limit, explain }, body)
      served.cache.keepMissed(query, items)
      return items
    }
    return { value: { queries: 1, write } }
  },

  /** The profiles of the SDUs that are known, in the order of the request. */
  detail: ({ sdus, explain }) => {
    const write: Ask['write'] = ({ catalog }, body) => {
      const ordinals = sdus.map((sdu) => catalog.findSdu(sdu))
      writeProfiles(catalog, ordinals, body, explainedWhere(explain, inCoreTopic))
      return undefined
    }
    return { value: { queries: sdus.length, write } }
  },

  /** The union of the peers of all handles by authority score, ranked from 1. */
  peers: ({ handles, limit, explain }) => {
    const write: Ask['write'] = ({ catalog }, body) => {
      const lists = handles.map(({ query }) => catalog.peersOf(query))
      writeUnion(catalog, lists, limit, body, explainedWhere(explain, byScore))
      return undefined
    }
    return { value: { queries: handles.length, write } }
  },

  /**
   * The owners of each handle in the order of the request; when several handles were asked for, each
   * item says which one it answers.
   */
  match: ({ handles, explain }) => {
    const write: Ask['write'] = ({ catalog }, body) => {
      writeMatches(catalog, handles, body, explainedWhere(explain, inCoreTopic))
      return undefined
    }
    return { value: { queries: handles.length, write } }
  },

  snapshots: ({ place }, _, { past }) => askPage(snapshotsPage(past, place)),

  snapshot: ({ id }, _, { past }) => askPage(snapshotPage(past, id)),

  changes: ({ since, onlySdus, inTopic, types, place }, _, { catalog, past }) =>
    askPage(
      changesPage({ catalog, past }, { since, sdus: onlySdus, topic: inTopic, types }, place),
    ),

  history: ({ sdus, inTopic, place }, _, { catalog, past }) =>
    askPage(historyPage({ catalog, past }, { sdus, topic: inTopic }, place)),
}

function explainedWhere(explain: Explain, explained: Explained): Explained | undefined {
  return explain === 'items' ? explained : undefined
}
