/** The announced snapshot of a directory, and an API that answers from it without a server, a key or a charge. */
import { randomFillSync } from 'node:crypto'
import { readChain } from '../snapshot/changes/change-directory.ts'
import { loadForAnswers } from '../snapshot/store/directory.ts'
import { announcedId } from '../snapshot/store/states.ts'
import { type ActiveSnapshot, activate } from './active-snapshot.ts'
import { Api } from './api.ts'
import { RequestIds } from './pipeline/request-ids.ts'

export function announcedIn(directory: string): ActiveSnapshot | undefined {
  const id = announcedId(directory)
  if (id === undefined) return undefined
  return activate(loadForAnswers(directory, id), { changes: readChain(directory, id).files })
}

export function localApi(
  served: ActiveSnapshot | undefined,
  onError = (error: unknown, _requestId: string): void => {
    throw error
  },
): Api {
  return new Api({
    served: () => served,
    clock: () => performance.now(),
    ids: new RequestIds(randomFillSync),
    onError,
  })
}
