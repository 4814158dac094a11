/**
 * Every failure that is expected, in one table: the problems that the service answers over HTTP, and the
 * refusals of commands. A failure that is not in this table is a bug and throws as one.
 */

/** The failures of a request: `status` is the HTTP status, `title` the RFC 9457 title. */
export const problems = {
  'invalid-parameter': { status: 400, title: 'Invalid parameter' },
  'malformed-request': { status: 400, title: 'Malformed request' },
  unauthorized: { status: 401, title: 'A valid API key is required' },
  'insufficient-balance': { status: 402, title: 'The balance is below the price of this request' },
  'cap-reached': { status: 402, title: 'A cap of the key is below the price of this request' },
  'key-restricted': { status: 403, title: 'This key may not be used for this request' },
  'forbidden-origin': { status: 403, title: 'This web origin may not ask' },
  'not-found': { status: 404, title: 'No such path' },
  'no-such-snapshot': { status: 404, title: 'No snapshot of this id is known' },
  'method-not-allowed': { status: 405, title: 'This method is not served here' },
  'request-timeout': { status: 408, title: 'The body came too slowly' },
  'changes-gone': { status: 410, title: 'The changes do not go back so far' },
  'payload-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The body has to be JSON' },
  'idempotency-key-reused': {
    status: 422,
    title: 'This Idempotency-Key was sent with another request',
  },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'internal-error': { status: 500, title: 'Internal error' },
  overloaded: { status: 503, title: 'Too many requests are being answered' },
  'no-snapshot': { status: 503, title: 'No snapshot is being served yet' },
  'balance-elsewhere': { status: 503, title: 'The rest of the balance is on its way' },
  'ledger-unavailable': { status: 503, title: 'Charges cannot be recorded at the moment' },
  'texts-unavailable': { status: 503, title: 'Texts cannot be read at the moment' },
} as const satisfies Record<string, { status: number; title: string }>

/** The failures of a request to the admin API, beside those of `problems` that it can have. */
export const adminProblems = {
  'scope-missing': { status: 403, title: 'The admin key may not do this' },
  'no-such-thing': { status: 404, title: 'There is no such account, key, snapshot or entry' },
  refused: { status: 409, title: 'The books or the snapshots do not allow this' },
  'made-before': { status: 409, title: 'This change was made before' },
} as const satisfies Record<string, { status: number; title: string }>

/** The code of a failed request; it ends the `type` URI of its problem document. */
export type ProblemCode = keyof typeof problems

export const problemType = 'urn:authority-index:problem:'

/** A failed request as a value: its code in `problems`, and the fault in this request. */
export interface Problem {
  readonly code: ProblemCode
  /** One sentence for the caller, which names the parameter if there is one. */
  readonly detail: string
  /** Members of the document beside those that every problem has. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** The failures of a command and of the layers under it, each with the exit code of the process. */
export const refusals = {
  'wrong-usage': { exitCode: 2 },
  'source-unreadable': { exitCode: 1 },
  'too-many-rejects': { exitCode: 1 },
  'build-limit': { exitCode: 1 },
  'held-back': { exitCode: 1 },
  'snapshot-refused': { exitCode: 1 },
  'snapshot-missing': { exitCode: 1 },
  'store-refused': { exitCode: 1 },
  'storage-unreachable': { exitCode: 1 },
  'storage-refused': { exitCode: 1 },
  'object-damaged': { exitCode: 1 },
  'announced-meanwhile': { exitCode: 1 },
  'already-running': { exitCode: 1 },
  'ledger-refused': { exitCode: 1 },
  'ledger-corrupt': { exitCode: 1 },
  'cannot-listen': { exitCode: 1 },
  'threads-not-started': { exitCode: 1 },
  'threads-dying': { exitCode: 1 },
  'no-fitting-node': { exitCode: 1 },
  'no-cache': { exitCode: 1 },
  'not-installed': { exitCode: 1 },
  'request-failed': { exitCode: 1 },
  'not-ready': { exitCode: 1 },
  'output-failed': { exitCode: 1 },
} as const satisfies Record<string, { exitCode: number }>

export type RefusalCode = keyof typeof refusals

/**
 * An expected failure on its way to the command line or to a caller that can go on without.
 * Its message is one line for a person and names the thing (file, account, key id) it is about.
 */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly kind: RefusalKind

  constructor(code: RefusalCode, message: string, kind: RefusalKind = 'rule') {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.kind = kind
  }
}

/** What work gives, or undefined where it is refused; any other error is thrown on. */
export function unlessRefused<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/**
 * The reason of a refusal: a rule forbids the action, its object does not exist, or a disk or a database does not
 * work at the moment.
 */
type RefusalKind = 'rule' | 'not-there' | 'unavailable'

export function thrownMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The reason of a failed fetch, whose own message is only "fetch failed". */
export function causeMessage(error: unknown): string {
  const { cause } = error as Error
  return cause instanceof Error && cause.message !== '' ? cause.message : thrownMessage(error)
}
