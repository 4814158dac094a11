/**
 * The envelope of an answer: everything around its items. The body holds its beginning once and for all;
 * an answer fills in its id and its duration.
 */
import { Body } from '../items/body.ts'
import { idLength, type RequestIds } from './request-ids.ts'

const idPlace = '-'.repeat(idLength)
const durationAt = '{"duration":'.length

export class Envelope {
  readonly body: Body
  readonly #idAt: number

  /** @param withRequestId whether the body carries `request_id`, as search and match do. */
  constructor(withRequestId: boolean) {
    const opening = '{"duration":0.000000'
    const id = withRequestId ? ',"request_id":"' : ''
    this.#idAt = withRequestId ? opening.length + id.length : -1
    this.body = new Body(`${opening}${id}${withRequestId ? `${idPlace}"` : ''},"results":[`)
  }

  /** Begins an answer with the id of its request; its items are then written to `body`. */
  begin(ids: RequestIds, id: number): void {
    this.body.begin()
    if (this.#idAt >= 0) ids.copy(id, this.body.data, this.#idAt)
  }

  /**
   * Ends an answer; returns its bytes, which are valid until the next one begins.
   * @param members JSON of the members behind the items, each behind a comma.
   */
  end(seconds: number, members?: string): Uint8Array {
    this.body.end(members)
    this.body.writeDuration(durationAt, seconds)
    return this.body.view()
  }
}
