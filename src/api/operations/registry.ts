/** The operations by their rows in `src/operations.ts`; `items.ts` and `tools.ts` describe them for clients. */
import type { RouteName } from '../../operations.ts'
import type { OperationHandler } from '../pipeline/operation-handler.ts'
import { autocomplete } from './autocomplete.ts'
import { changes } from './changes.ts'
import { detail } from './detail.ts'
import { history } from './history.ts'
import { match } from './match.ts'
import { peers } from './peers.ts'
import { rank } from './rank.ts'
import { search } from './search.ts'
import { snapshot, snapshots } from './snapshots.ts'
import { topics } from './topics.ts'

export const handlers: Readonly<Record<RouteName, OperationHandler>> = {
  search,
  detail,
  peers,
  match,
  rank,
  autocomplete,
  topics,
  snapshots,
  snapshot,
  changes,
  history,
}
