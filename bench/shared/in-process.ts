/** The API over a snapshot in this process: without a wire, a key or a price. */
import { randomFillSync } from 'node:crypto'
import type { ActiveSnapshot } from '../../src/api/active-snapshot.ts'
import { Api } from '../../src/api/api.ts'
import { RequestIds } from '../../src/api/pipeline/request-ids.ts'

/** The body of the answer to a target, which is a path with its query. */
type Get = (target: string) => string

/** @throws Error for any status but 200. */
export function getter(served: ActiveSnapshot): Get {
  const api = new Api({
    served: () => served,
    clock: () => 0,
    ids: new RequestIds(randomFillSync),
    onError: (error) => {
      throw error
    },
  })
  return (target) => {
    const [path = '', query = ''] = target.split('?')
    const { status, body } = api.answer({ method: 'GET', path, query })
    const text = Buffer.from(body).toString()
    if (status !== 200) throw new Error(`${target} was answered with ${status}: ${text}`)
    return text
  }
}

/** Of a body the results: from the name of the field on, and what is between its brackets. */
export function resultsOf(body: string): string {
  return body.slice(body.indexOf('"results":['))
}
