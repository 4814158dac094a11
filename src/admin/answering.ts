/**
 * The admin API without a wire: a request becomes a reply. A change is made once for each `Idempotency-Key`, which is
 * noted in the transaction of the change; a repeat is a problem that has the ids of what was made.
 */
import { createHash, randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Account } from '../ledger/books/account-records.ts'
import { isWellFormedAdminKey, keyHash, withoutKeys } from '../ledger/books/key.ts'
import type { IssuedKey } from '../ledger/books/key-rows.ts'
import { type Cause, MadeBefore, type MadeChange, type MadeIds } from '../ledger/books/trail.ts'
import { limits } from '../limits.ts'
import { adminProblems, problems, problemType, Refusal } from '../problems.ts'
import { adminOpenApi } from './openapi.ts'
import { type AdminContext, type AdminFile, restOf } from './operation.ts'
import { adminRoot, servedOperations } from './operations.ts'
import { read } from './reading.ts'

export interface AdminHead {
  readonly method: string
  /** Without the query string. */
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly from: string
  /** Whether the request names this listener, and not a name that was pointed at it. */
  readonly isOwnHost: boolean
}

export interface AdminReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A reply that is a problem, thrown wherever it is found. */
export class AdminProblem extends Error {
  readonly code: keyof typeof allProblems
  readonly headers: Readonly<Record<string, string>>
  readonly members: Readonly<Record<string, unknown>>

  constructor(
    code: keyof typeof allProblems,
    detail: string,
    headers: Readonly<Record<string, string>> = {},
    members: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail)
    this.code = code
    this.headers = headers
    this.members = members
  }
}

const allProblems = { ...problems, ...adminProblems }

interface AdminOptions extends AdminContext {
  /** The directory of the ledger; '' for none. */
  readonly data: string
  readonly onError: (error: unknown, requestId: string) => void
}

export class AdminApi {
  readonly #options: AdminOptions
  #openApi: ReturnType<typeof adminOpenApi> | undefined
  #requests = 0

  constructor(options: AdminOptions) {
    this.#options = options
  }

  /** @param readBody reads the body of a POST; called once the head is admitted. May throw an `AdminProblem`. */
  async answer(head: AdminHead, readBody: () => Promise<string>): Promise<AdminReply> {
    const requestId = randomUUID()
    this.#requests += 1
    const reply = await this.#reply(head, readBody)
      .catch((error: unknown) => this.#problemOf(error, requestId))
      .finally(() => {
        this.#requests -= 1
      })
    return { ...reply, headers: { ...reply.headers, 'X-Request-Id': requestId } }
  }

  async #reply(head: AdminHead, readBody: () => Promise<string>): Promise<AdminReply> {
    refuseOtherSites(head)
    refuseKeyInAddress(head)
    if (this.#requests > limits.adminRequestsMax) {
      throw new AdminProblem('overloaded', 'too many requests at once', { 'Retry-After': '1' })
    }
    if (head.path === `${adminRoot}/openapi.json`) {
      this.#openApi ??= adminOpenApi()
      return jsonReply(this.#openApi)
    }
    const { row, rest, params, key } = await this.#admit(head)
    const isChange = row.method === 'POST'
    const idempotencyKey = isChange ? idempotencyKeyOf(head) : undefined
    const text = isChange ? await readBody() : ''
    const given = isChange ? jsonOf(text) : pairsOf(head.query)
    const input = { ...read(rest, given), ...params }
    const asked = `${head.method} ${head.path}?${head.query}\n${text}`
    const question = createHash('sha256').update(asked).digest('hex')
    const idsOf = (result: unknown) => idsIn(result, params)
    const request = { id: `${key.id} ${idempotencyKey}`, question, idsOf }
    const cause: Cause = { name: key.id, from: head.from, ...(idempotencyKey && { request }) }
    try {
      const { books, ...context } = this.#options
      const result = await row.run({ ...context, books: books.by(cause) }, input)
      const file = row.file?.(result, input)
      return file === undefined ? jsonReply(result) : fileReply(file)
    } catch (error) {
      throw error instanceof MadeBefore ? repeated(error.change, question) : error
    }
  }

  async #admit(head: AdminHead) {
    const found = operationsAt(head.path)
    if (found.length === 0) throw new AdminProblem('not-found', 'there is no such path')
    const text = /^Bearer +(\S+)$/i.exec(head.headers.authorization ?? '')?.[1] ?? ''
    const { books } = this.#options
    const key = isWellFormedAdminKey(text) ? await books.adminKeyWith(keyHash(text)) : undefined
    if (key === undefined) {
      const scheme = { 'WWW-Authenticate': 'Bearer' }
      throw new AdminProblem('unauthorized', 'a valid admin key is required', scheme)
    }
    const named = found.find(({ row }) => row.method === head.method)
    if (named === undefined) {
      const allowed = found.map(({ row }) => row.method).join(', ')
      throw new AdminProblem('method-not-allowed', `this path takes ${allowed}`, { Allow: allowed })
    }
    const { scope } = named.row
    if (key.scopes.includes(scope)) return { ...named, key }
    throw new AdminProblem('scope-missing', `this needs the scope ${scope}`)
  }

  #problemOf(error: unknown, requestId: string): AdminReply {
    if (error instanceof AdminProblem) return problemReply(error, requestId)
    if (error instanceof Refusal) {
      const { data, snapshots, removalKey } = this.#options
      const message = withoutPlaces(error.message, [data, snapshots, removalKey])
      return problemReply(problemFrom(error, message), requestId)
    }
    this.#options.onError(error, requestId)
    return problemReply(new AdminProblem('internal-error', 'this is a bug'), requestId)
  }
}

/** A page of another site must not ask, nor one that gave its name this address. */
function refuseOtherSites({ headers, isOwnHost }: AdminHead): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  const isOwn = isOwnHost && (origin === undefined || origin === `http://${host}`)
  if (isOwn && (site === undefined || site === 'same-origin' || site === 'none')) return
  throw new AdminProblem('forbidden-origin', 'pages of other origins may not use the admin API')
}

/** Browsers, proxies and logs keep addresses: a key that stood in one is not secret any more. */
function refuseKeyInAddress({ path, query }: AdminHead): void {
  if (!/aik_admin_/i.test(query) && !/aik_admin_/i.test(path.slice(adminRoot.length + 1))) return
  const detail = 'a key must not stand in an address; it is known to others now: revoke it'
  throw new AdminProblem('malformed-request', detail)
}

const routed = servedOperations.map(([, row]) => {
  const source = row.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  return { row, pattern: new RegExp(`^${adminRoot}${source}/?$`), rest: restOf(row) }
})

function operationsAt(path: string) {
  return routed.flatMap(({ pattern, ...operation }) => {
    const match = pattern.exec(path)
    if (match === null) return []
    const { groups = {} } = match
    const params = Object.entries(groups).map(([name, text]) => [name, decoded(text)] as const)
    return { ...operation, params: Object.fromEntries(params) }
  })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new AdminProblem('malformed-request', 'the path is not percent-encoded UTF-8')
  }
}

function idempotencyKeyOf({ headers }: AdminHead): string | undefined {
  const { 'idempotency-key': key } = headers
  const { idempotencyKeyCharactersMax: most } = limits
  if (key === undefined || (/^[!-~]+$/.test(key) && key.length <= most)) return key
  throw new AdminProblem(
    'invalid-parameter',
    `Idempotency-Key: takes 1 to ${most} visible characters`,
  )
}

function pairsOf(query: string): Record<string, string> {
  const pairs = [...new URLSearchParams(query)]
  const names = pairs.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice === undefined) return Object.fromEntries(pairs)
  throw new AdminProblem('invalid-parameter', `${twice}: is given more than once`)
}

function jsonOf(text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new AdminProblem('malformed-request', `the body is not JSON: ${(error as Error).message}`)
  }
}

const idNames = ['account', 'key_id', 'snapshot_id', 'removal_id', 'correction_id'] as const

/** What a change made or changed: by its path, or by its result, which may be an account or a key of the books. */
function idsIn(result: unknown, params: MadeIds): MadeIds {
  const { name, record, ...shown } = result as Partial<Account & IssuedKey>
  const named: Readonly<Record<string, unknown>> = { account: name, key_id: record?.id, ...shown }
  const ids = idNames.map((id) => [id, typeof named[id] === 'string' ? named[id] : params[id]])
  return Object.fromEntries(ids.filter(([, id]) => id !== undefined))
}

function repeated({ question: before, made }: MadeChange, question: string): AdminProblem {
  if (before !== question) {
    const detail = 'this Idempotency-Key was sent with another request before'
    return new AdminProblem('idempotency-key-reused', detail)
  }
  const ids = Object.entries(made).map((each) => each.join(' '))
  const what = ['this change was made before', ...ids].join(', ')
  const detail = `${what}: nothing was changed now, and the text of a key is not shown again`
  return new AdminProblem('made-before', detail, {}, { made })
}

/** The reader of a message may be on another computer, and has no use for directories of this one. */
function withoutPlaces(message: string, places: readonly string[]): string {
  const named = places.filter((place) => place !== '').flatMap((place) => [resolve(place), place])
  return named.reduce(
    (text, place) => text.replaceAll(`${place}/`, '').replaceAll(`${place}: `, ''),
    message,
  )
}

function problemFrom({ code, kind }: Refusal, message: string): AdminProblem {
  if (kind === 'not-there' || code === 'snapshot-missing') {
    return new AdminProblem('no-such-thing', message)
  }
  if (code === 'wrong-usage') return new AdminProblem('invalid-parameter', message)
  const isAway = kind === 'unavailable' || code === 'store-refused' || code === 'ledger-corrupt'
  if (isAway) return new AdminProblem('ledger-unavailable', message, { 'Retry-After': '1' })
  return new AdminProblem('refused', message)
}

function replyOf(status: number, contentType: string, body: string, more = {}): AdminReply {
  const always = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  return { status, headers: { ...always, 'Content-Type': contentType, ...more }, body }
}

function jsonReply(value: unknown): AdminReply {
  return replyOf(200, 'application/json', JSON.stringify(value))
}

function fileReply({ name, body }: AdminFile): AdminReply {
  return replyOf(200, 'text/csv; charset=utf-8; header=present', body, {
    'Content-Disposition': `attachment; filename="${name}"`,
  })
}

function problemReply(
  { code, message, headers, members }: AdminProblem,
  requestId: string,
): AdminReply {
  const { status, title } = allProblems[code]
  const type = `${problemType}${code}`
  const problem = { type, title, status, detail: withoutKeys(message), request_id: requestId }
  const body = JSON.stringify({ ...problem, ...members })
  return replyOf(status, 'application/problem+json', body, headers)
}
