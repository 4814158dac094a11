/** An API whose snapshot can be swapped, as that of a service is. */

import type { ActiveSnapshot } from '../../src/api/active-snapshot.ts'
import { Api } from '../../src/api/api.ts'
import { sameIds } from './api-client.ts'

/** The API over what is served first, and what swaps it. */
export function swapping(first: ActiveSnapshot) {
  const state = { served: first }
  const api = new Api({
    served: () => state.served,
    clock: () => 0,
    ids: sameIds(),
    onError: (error) => {
      throw error
    },
  })
  return { api, swap: (next: ActiveSnapshot) => Object.assign(state, { served: next }) }
}
