/**
 * The operations of administration over the admin API of a running service. A change is sent under one
 * `Idempotency-Key`, so that it can be sent again when a connection broke. No redirection is followed.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../limits.ts'
import { Refusal } from '../problems.ts'
import { jsonIn } from '../reading/readers.ts'
import { type AdminOperation, parametersIn, type ServedOperation } from './operation.ts'
import { adminRoot } from './operations.ts'

export type Input = Readonly<Record<string, unknown>>

/** The answer of an operation. */
// biome-ignore lint/suspicious/noExplicitAny: read by the names of its members
export type Answer = any

/** Carries out an operation; a list as a whole where `isWhole`. @throws Refusal. */
export type Call = (operation: AdminOperation, input: Input, isWhole?: boolean) => Promise<Answer>

/** Maximum number of times that a request without an answer is sent, and the pause before the next, ms. */
const triesMax = 3
const pauseMs = 500

/** Calls of operations. @param url of the listener, without a slash at its end. @param adminKey of their scopes. */
export function remoteCalls(url: string, adminKey: string): Call {
  const send = sender(url, adminKey)
  return async (operation, input, isWhole = false) => {
    if (operation.localOnly) {
      throw new Refusal('wrong-usage', 'this is done on the machine of the ledger only: no --url')
    }
    const ask = (more: Input) => answerTo(send, requestOf(operation, { ...input, ...more }))
    if (!isWhole) return ask({})
    const results: unknown[] = []
    let page: Answer
    do {
      page = await ask({ limit: limits.adminPageMax, cursor: page?.next_cursor })
      results.push(...page.results)
    } while (page.next_cursor !== null)
    return { results, next_cursor: null }
  }
}

async function answerTo(send: Send, order: Parameters<Send>[0]): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    // At most triesMax times.
    const { status, body } = await send(order)
    if (status === 200) return body
    const mayPass = status === undefined || status === 503
    if (!mayPass || tries === triesMax) throw refusalOf({ status, body })
    await sleep(pauseMs * tries)
  }
}

function requestOf(operation: ServedOperation, input: Input) {
  const { method, path } = operation
  const inPath = parametersIn(operation)
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => pathPart(input[name]))
  const rest = Object.entries(input).filter(
    ([name, value]) => !inPath.includes(name) && value !== undefined,
  )
  const query = new URLSearchParams(
    rest.map(([name, value]): [string, string] => [name, String(value)]),
  )
  const target = `${adminRoot}${filled}${method === 'POST' || query.size === 0 ? '' : `?${query}`}`
  const body = JSON.stringify(Object.fromEntries(rest))
  return { method, target, idempotencyKey: randomUUID(), body }
}

/** Readers of an address take `.`, `..` and slashes for steps, percent-encoded or not: to another operation. */
function pathPart(value: unknown): string {
  if (typeof value === 'string' && /^[\w.-]+$/.test(value) && !/^\.+$/.test(value)) return value
  throw new Refusal(
    'wrong-usage',
    'a name or an id in an address is of A-Z a-z 0-9 . _ -, and not of dots alone: use --data for another',
  )
}

function refusalOf({ status, body }: Answered): Refusal {
  const message = status === undefined ? body : (body.detail ?? body.title ?? `status ${status}`)
  if (status === 400) return new Refusal('wrong-usage', String(message))
  const isAway = status === undefined || status >= 500
  return new Refusal('ledger-refused', String(message), isAway ? 'unavailable' : 'rule')
}

/** Reply to a request. Without a status, the body is the reason why there is none. */
interface Answered {
  readonly status: number | undefined
  readonly body: Answer
}

/** Sends a request; never rejects. */
type Send = (sending: ReturnType<typeof requestOf>) => Promise<Answered>

/** Maximum duration of an answer, ms: that of a proof of a large ledger. */
const answerMsMax = 600_000

function sender(url: string, adminKey: string): Send {
  // A program that has used `fetch` ends later.
  const begin = url.startsWith('https:') ? tlsRequest : plainRequest
  return async ({ method, target, idempotencyKey, body }) => {
    const isChange = method === 'POST'
    const change = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey }
    const sent = begin(`${url}${target}`, {
      method,
      timeout: answerMsMax,
      headers: { Authorization: `Bearer ${adminKey}`, ...(isChange && change) },
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer came in time')))
    sent.on('error', () => {})
    sent.end(isChange ? body : undefined)
    try {
      const [response]: IncomingMessage[] = await once(sent, 'response')
      const body = jsonIn(await textOf(response!))
      const status = response!.statusCode
      if (typeof body === 'object' && body !== null) return { status, body }
      throw new Error(`status ${status}, and no JSON`)
    } catch (error) {
      return { status: undefined, body: `${url}: ${(error as Error).message}` }
    }
  }
}
