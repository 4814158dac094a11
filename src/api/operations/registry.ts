/**
 * The steps of every operation by its row in `src/operations.ts`: they parse requests, find results and
 * render them. `described.ts` joins the descriptions of the same operations for clients.
 */
import type { RouteName } from '../../operations.ts'
import { holdsProfile } from '../../request-parameters.ts'
import type { OperationHandler } from '../pipeline/operation-handler.ts'
import { findAutocomplete } from './autocomplete/find.ts'
import { type AutocompleteQuery, parseAutocomplete } from './autocomplete/parse.ts'
import { renderAutocomplete } from './autocomplete/render.ts'
import { findChanges } from './changes/find.ts'
import { type ChangesQuery, parseChanges } from './changes/parse.ts'
import { findDetail, sdusAnswered } from './detail/find.ts'
import { type DetailQuery, fastParseDetail, parseDetail, parseDetailBody } from './detail/parse.ts'
import { renderDetail } from './detail/render.ts'
import { findHistory } from './history/find.ts'
import { type HistoryQuery, parseHistory } from './history/parse.ts'
import { renderListPage } from './lists/list-page.ts'
import { findMatch, handlesAnswered } from './match/find.ts'
import {
  fastParseMatch,
  type MatchBatchQuery,
  type MatchQuery,
  matchedProfilesMax,
  parseMatch,
  parseMatchBody,
} from './match/parse.ts'
import { renderMatch } from './match/render.ts'
import { findPeers } from './peers/find.ts'
import { fastParsePeers, type PeersQuery, parsePeers } from './peers/parse.ts'
import { renderPeers } from './peers/render.ts'
import { findRank, sourcesAnswered } from './rank/find.ts'
import { parseRankBody, type RankQuery } from './rank/parse.ts'
import { renderRank } from './rank/render.ts'
import { findSearch } from './search/find.ts'
import {
  fastParseSearch,
  parseSearch,
  type SearchQuery,
  searchedProfilesMax,
} from './search/parse.ts'
import { renderSearch } from './search/render.ts'
import { findSnapshotById, findSnapshots } from './snapshots/find.ts'
import {
  parseSnapshot,
  parseSnapshots,
  type SnapshotQuery,
  type SnapshotsQuery,
} from './snapshots/parse.ts'
import { findTopics } from './topics/find.ts'
import { parseTopics, type TopicsQuery } from './topics/parse.ts'

/** A parsed query of any operation. */
type Query =
  | SearchQuery
  | DetailQuery
  | PeersQuery
  | MatchQuery
  | MatchBatchQuery
  | RankQuery
  | AutocompleteQuery
  | TopicsQuery
  | SnapshotsQuery
  | SnapshotQuery
  | ChangesQuery
  | HistoryQuery

/** Holds the types of the steps of one operation together. */
function steps<Q extends Query, R>(handler: OperationHandler<Q, R>): OperationHandler {
  return handler
}

/** The operations. An operation with a GET has `parse`, one with a POST has `parseBody`. */
export const handlers: Readonly<Record<RouteName, OperationHandler>> = {
  search: steps({
    isCached: true,
    fastParse: fastParseSearch,
    parse: parseSearch,
    profilesMax: searchedProfilesMax,
    find: findSearch,
    render: renderSearch,
  }),
  detail: steps({
    fastParse: fastParseDetail,
    parse: parseDetail,
    parseBody: parseDetailBody,
    find: findDetail,
    render: renderDetail,
    answeredValues: sdusAnswered,
  }),
  peers: steps({
    fastParse: fastParsePeers,
    parse: parsePeers,
    profilesMax: ({ fields, limit }) => (holdsProfile(fields) ? limit : 0),
    find: findPeers,
    render: renderPeers,
  }),
  match: steps<MatchQuery | MatchBatchQuery, ReturnType<typeof findMatch>>({
    fastParse: fastParseMatch,
    parse: parseMatch,
    parseBody: parseMatchBody,
    profilesMax: matchedProfilesMax,
    find: findMatch,
    render: renderMatch,
    answeredValues: handlesAnswered,
  }),
  rank: steps({
    parseBody: parseRankBody,
    profilesMax: ({ asked: { fields }, count }) => (holdsProfile(fields) ? count : 0),
    find: findRank,
    render: renderRank,
    answeredValues: sourcesAnswered,
  }),
  autocomplete: steps({
    parse: parseAutocomplete,
    find: findAutocomplete,
    render: renderAutocomplete,
  }),
  topics: steps({ parse: parseTopics, find: findTopics, render: renderListPage }),
  snapshots: steps({ parse: parseSnapshots, find: findSnapshots, render: renderListPage }),
  snapshot: steps({ parse: parseSnapshot, find: findSnapshotById, render: renderListPage }),
  changes: steps({ parse: parseChanges, find: findChanges, render: renderListPage }),
  history: steps({ parse: parseHistory, find: findHistory, render: renderListPage }),
}
