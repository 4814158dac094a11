/**
 * The operations of administration over the admin API of a running service. A change is sent under one `Idempotency-Key`, so that it can be sent again when a
 * connection broke.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../limits.ts'
import { Refusal } from '../problems.ts'
import { type AdminOperation, parametersIn, type ServedOperation } from './operation.ts'
import { adminRoot } from './operations.ts'
import { type Answered, type Send, sender } from './sending.ts'

/** The input of an operation, as JSON has it. */
export type Input = Readonly<Record<string, unknown>>

/** The answer of an operation: JSON, or the text of a file. */
// biome-ignore lint/suspicious/noExplicitAny: read by the names of its members
export type Answer = any

/** Carries out an operation; a list as a whole where `isWhole`. @throws Refusal. */
export type Call = (operation: AdminOperation, input: Input, isWhole?: boolean) => Promise<Answer>

/** Maximum number of times that a request without an answer is sent, and the pause before the next, ms. */
const triesMax = 3
const pauseMs = 500

/** Calls of operations. @param url `http://…`, `https://…` or `unix:PATH`. @param adminKey of their scopes. */
export function remoteCalls(url: string, adminKey: string): Call {
  const send = sender(url, adminKey)
  return async (operation, input, isWhole = false) => {
    if (operation.localOnly) {
      throw new Refusal('wrong-usage', 'this is done on the machine of the ledger only: no --url')
    }
    if (!isWhole) return answerTo(send, requestOf(operation, input))
    const results: unknown[] = []
    let page: Answer
    do {
      const next = { ...input, limit: limits.adminPageMax, cursor: page?.next_cursor }
      page = await answerTo(send, requestOf(operation, next))
      results.push(...page.results)
    } while (page.next_cursor !== null)
    return { results, next_cursor: null }
  }
}

/** Sends a request until it has an answer. */
async function answerTo(send: Send, order: Parameters<Send>[0]): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    // At most triesMax times.
    const answered = await send(order)
    if (answered.status === 200) return answered.json ?? answered.text
    if (answered.status !== undefined && answered.status !== 503) throw refusalOf(answered)
    if (tries === triesMax) throw refusalOf(answered)
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

/**
 * A name or an id as a part of a path. Whatever reads an address takes `.`, `..` and slashes for steps, percent-encoded
 * or not, and would send the call to another operation.
 */
function pathPart(value: unknown): string {
  if (typeof value === 'string' && /^[\w.-]+$/.test(value) && !/^\.+$/.test(value)) return value
  throw new Refusal(
    'wrong-usage',
    'a name or an id in an address is of A-Z a-z 0-9 . _ -, and not of dots alone: use --data for another',
  )
}

function refusalOf({ status, json, text }: Answered): Refusal {
  const message =
    status === undefined ? text : String(json?.detail ?? json?.title ?? `status ${status}`)
  if (status === 400) return new Refusal('wrong-usage', message)
  const isAway = status === undefined || status >= 500
  return new Refusal('ledger-refused', message, isAway ? 'unavailable' : 'rule')
}
