/**
 * The admin API without a wire: a request becomes a reply. A change is made once for each `Idempotency-Key`, which is
 * noted in the transaction of the change; a repeat is a problem that has the ids of what was made.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { resolve } from 'node:path'
import type { Account } from '../ledger/books/account-records.ts'
import type { Books } from '../ledger/books/books.ts'
import { isWellFormedAdminKey, keyHash, withoutKeys } from '../ledger/books/key.ts'
import type { IssuedKey } from '../ledger/books/key-rows.ts'
import { type Cause, MadeBefore, type MadeChange, type MadeIds } from '../ledger/books/trail.ts'
import { limits } from '../limits.ts'
import { adminProblems, problems, problemType, Refusal } from '../problems.ts'
import { adminOpenApi } from './openapi.ts'
import { type AdminContext, restOf } from './operation.ts'
import { adminRoot, servedOperations } from './operations.ts'
import { read } from './reading.ts'

export interface AdminRequest {
  readonly method: string
  /** Without the query string. */
  readonly path: string
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly from: string
  /** Whether the request names this listener, and not a name that was pointed at it. */
  readonly isOwnHost: boolean
  /** Reads the body of a POST, once its head is admitted. May throw an `AdminProblem`. */
  readonly body: () => Promise<string>
}

export interface AdminReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const allProblems = { ...problems, ...adminProblems }

interface ProblemParts extends Partial<Pick<AdminReply, 'headers'>> {
  /** Members of the document beside those that every problem has. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** A reply that is a problem, thrown wherever it is found. */
export class AdminProblem extends Error {
  readonly code: keyof typeof allProblems
  readonly parts: ProblemParts

  constructor(code: keyof typeof allProblems, detail: string, parts: ProblemParts = {}) {
    super(detail)
    this.code = code
    this.parts = parts
  }
}

interface AdminOptions extends AdminContext {
  /** The directory of the ledger; '' for none. */
  readonly data: string
  readonly onError: (error: unknown, requestId: string) => void
}

/** Answers a request; never rejects. */
export type AnswerAdmin = (request: AdminRequest) => Promise<AdminReply>

/** The admin API over a ledger and the snapshots beside it. */
export function adminApi(options: AdminOptions): AnswerAdmin {
  let requests = 0
  let openApi: AdminReply | undefined
  const replyTo: AnswerAdmin = async (request) => {
    refuseOtherSites(request)
    refuseKeyInAddress(request)
    if (requests > limits.adminRequestsMax) throw later('overloaded', 'too many requests at once')
    if (request.path !== `${adminRoot}/openapi.json`) return carryOut(options, request)
    openApi ??= jsonReply(adminOpenApi())
    return openApi
  }
  return async (request) => {
    const requestId = randomUUID()
    requests += 1
    const reply = await replyTo(request)
      .catch((error: unknown) => problemReply(problemOf(error, requestId, options), requestId))
      .finally(() => {
        requests -= 1
      })
    return { ...reply, headers: { ...reply.headers, 'X-Request-Id': requestId } }
  }
}

async function carryOut(
  { books, ...context }: AdminOptions,
  request: AdminRequest,
): Promise<AdminReply> {
  const { method, path, query, from, body } = request
  const { row, rest, params, key } = await admit(request, books)
  const isChange = row.method === 'POST'
  const idempotencyKey = isChange ? idempotencyKeyOf(request) : undefined
  const text = isChange ? await body() : ''
  const given = isChange ? jsonOf(text) : pairsOf(query)
  const input = { ...read(rest, given), ...params }
  const asked = `${method} ${path}?${query}\n${text}`
  const question = createHash('sha256').update(asked).digest('hex')
  const idsOf = (result: unknown) => idsIn(result, params)
  const keyed = { id: `${key.id} ${idempotencyKey}`, question, idsOf }
  const cause: Cause = { name: key.id, from, ...(idempotencyKey && { request: keyed }) }
  try {
    return jsonReply(await row.run({ ...context, books: books.by(cause) }, input))
  } catch (error) {
    throw error instanceof MadeBefore ? repeated(error.change, question) : error
  }
}

async function admit({ method, path, headers }: AdminRequest, books: Books) {
  const found = operationsAt(path)
  if (found.length === 0) throw new AdminProblem('not-found', 'there is no such path')
  const text = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  const key = isWellFormedAdminKey(text) ? await books.adminKeyWith(keyHash(text)) : undefined
  if (key === undefined) {
    const challenge = { 'WWW-Authenticate': 'Bearer' }
    const detail = 'a valid admin key is required'
    throw new AdminProblem('unauthorized', detail, { headers: challenge })
  }
  const named = found.find(({ row }) => row.method === method)
  if (named === undefined) {
    const Allow = found.map(({ row }) => row.method).join(', ')
    throw new AdminProblem('method-not-allowed', `this path takes ${Allow}`, { headers: { Allow } })
  }
  const { scope } = named.row
  if (key.scopes.includes(scope)) return { ...named, key }
  throw new AdminProblem('scope-missing', `this needs the scope ${scope}`)
}

/** A page of another site must not ask, nor one that gave its name this address. */
function refuseOtherSites({ headers, isOwnHost }: AdminRequest): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  const isOwn = isOwnHost && (origin === undefined || origin === `http://${host}`)
  if (isOwn && (site === undefined || site === 'same-origin' || site === 'none')) return
  throw new AdminProblem('forbidden-origin', 'pages of other origins may not use the admin API')
}

/** Browsers, proxies and logs keep addresses: a key that stood in one is not secret any more. */
function refuseKeyInAddress({ path, query }: AdminRequest): void {
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

function idempotencyKeyOf({ headers }: AdminRequest): string | undefined {
  // Only of Set-Cookie, which no request has, Node makes a list.
  const key = headers['idempotency-key'] as string | undefined
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

/** What a change made or changed: what its path names, else its result, which may be an account or a key of the books. */
function idsIn(result: unknown, params: MadeIds): MadeIds {
  const { name, record, ...shown } = result as Partial<Account & IssuedKey>
  const named: Readonly<Record<string, unknown>> = { account: name, key_id: record?.id, ...shown }
  const ofPath = idNames.filter((id) => id in params)
  const ids = (ofPath.length > 0 ? ofPath : idNames).map((id) => [
    id,
    typeof named[id] === 'string' ? named[id] : params[id],
  ])
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
  return new AdminProblem('made-before', detail, { members: { made } })
}

/** The reader of a message may be on another computer, and has no use for directories of this one. */
function withoutPlaces(message: string, places: readonly string[]): string {
  const named = places.filter((place) => place !== '').flatMap((place) => [resolve(place), place])
  return named.reduce(
    (text, place) => text.replaceAll(`${place}/`, '').replaceAll(`${place}: `, ''),
    message,
  )
}

function problemOf(
  error: unknown,
  requestId: string,
  { data, snapshots, removalKey, onError }: AdminOptions,
): AdminProblem {
  if (error instanceof AdminProblem) return error
  if (!(error instanceof Refusal)) {
    onError(error, requestId)
    return new AdminProblem('internal-error', 'this is a bug')
  }
  const { code, kind } = error
  const message = withoutPlaces(error.message, [data, snapshots, removalKey])
  if (kind === 'not-there' || code === 'snapshot-missing') {
    return new AdminProblem('no-such-thing', message)
  }
  if (code === 'wrong-usage') return new AdminProblem('invalid-parameter', message)
  const isAway = kind === 'unavailable' || code === 'store-refused' || code === 'ledger-corrupt'
  return isAway ? later('ledger-unavailable', message) : new AdminProblem('refused', message)
}

function later(code: 'ledger-unavailable' | 'overloaded', detail: string): AdminProblem {
  return new AdminProblem(code, detail, { headers: { 'Retry-After': '1' } })
}

function replyOf(status: number, contentType: string, body: string, more = {}): AdminReply {
  const always = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
  return { status, headers: { ...always, 'Content-Type': contentType, ...more }, body }
}

function jsonReply(value: unknown): AdminReply {
  return replyOf(200, 'application/json', JSON.stringify(value))
}

function problemReply({ code, message, parts }: AdminProblem, requestId: string): AdminReply {
  const { status, title } = allProblems[code]
  const type = `${problemType}${code}`
  const problem = { type, title, status, detail: withoutKeys(message), request_id: requestId }
  const body = JSON.stringify({ ...problem, ...parts.members })
  return replyOf(status, 'application/problem+json', body, parts.headers)
}
