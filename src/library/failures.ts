/**
 * Expected failures as classes. Operations throw the problems of the API: code, status and title
 * are those of its problem documents, and the message is their `detail`. Imports nothing: it is published.
 */

/** An index that cannot be opened. */
export class OpenProblem extends Error {
  /** Such as `snapshot-missing`, `snapshot-refused` or `storage-unreachable`. */
  readonly code: string

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'OpenProblem'
    this.code = code
  }
}

/** An expected failure of an operation. */
export class RequestProblem extends Error {
  /** The end of the `type` of the problem document. */
  readonly code: string
  /** The HTTP status that the service answers with. */
  readonly status: number
  readonly title: string

  constructor(code: string, status: number, title: string, detail: string) {
    super(detail)
    this.name = new.target.name
    this.code = code
    this.status = status
    this.title = title
  }
}

/** A value that no operation takes: 400. */
export class InvalidParameter extends RequestProblem {}

/** A request that cannot be read: 400. */
export class MalformedRequest extends RequestProblem {}

/** The index was closed. */
export class IndexClosed extends RequestProblem {}
