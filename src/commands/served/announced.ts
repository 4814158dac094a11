/** The announced snapshot of a directory, and an API that answers from it without a server, a key or a charge. */
import { randomFillSync } from 'node:crypto'
import { type ActiveSnapshot, activate } from '../../api/active-snapshot.ts'
import { Api } from '../../api/api.ts'
import { RequestIds } from '../../api/pipeline/request-ids.ts'
import { readChain } from '../../snapshot/changes/change-directory.ts'
import { announcedId, loadForAnswers } from '../../snapshot/store/directory.ts'

/** Loads the announced snapshot; undefined where there is none. */
export function announcedIn(directory: string): ActiveSnapshot | undefined {
  const id = announcedId(directory)
  if (id === undefined) return undefined
  return activate(loadForAnswers(directory, id), { changes: readChain(directory, id).files })
}

/** The API over a snapshot. */
export function localApi(served: ActiveSnapshot | undefined): Api {
  return new Api({
    served: () => served,
    clock: () => performance.now(),
    ids: new RequestIds(randomFillSync),
    onError: (error) => {
      throw error
    },
  })
}
