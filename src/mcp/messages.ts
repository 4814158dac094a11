/** Messages of the protocol: a call is read as its client meant it, a response is in a form that its client takes. */
import { takenIn } from '../api/ready-file.ts'
import { jsonIn } from '../reading/readers.ts'

interface TakenForms {
  readonly json: boolean
  readonly events: boolean
}

/**
 * The arguments of a call as an object: clients also send null, nothing, or the object as JSON text. What is no object
 * in any of these ways stays, and is refused.
 */
export function asMeant<T>(message: T): T {
  if (Array.isArray(message)) return message.map(asMeant) as T
  const { method, params } = (message ?? {}) as { method?: unknown; params?: unknown }
  const isCall = method === 'tools/call' || method === 'prompts/get'
  if (!isCall || typeof params !== 'object' || params === null) return message
  const given = (params as { arguments?: unknown }).arguments
  return { ...message, params: { ...params, arguments: readArguments(given) } }
}

function readArguments(given: unknown): unknown {
  if (given === undefined || given === null) return {}
  if (typeof given !== 'string') return given
  if (given.trim() === '') return {}
  const read = jsonIn(given)
  return typeof read === 'object' ? (read ?? {}) : given
}

/** RFC 9110 §12.5.1. */
export function takenForms(accept: string): TakenForms {
  const taken = takenIn(accept)
  const takes = (type: string) =>
    taken.get(type) ?? taken.get(`${type.split('/')[0]}/*`) ?? taken.get('*/*') ?? taken.size === 0
  return { json: takes('application/json'), events: takes('text/event-stream') }
}

/** Not by a wildcard. */
export function namesEvents(accept: string): boolean {
  return /(?:^|,)\s*text\/event-stream\s*(?:[;,]|$)/i.test(accept)
}

const line = /^data: (.*)$/gm

/**
 * Events of messages as JSON: one message, or a list of them. Between two stands what stands between two events, so that
 * each is found where a connection took a part of them.
 */
export function jsonOfEvents(events: string): string {
  const messages = [...events.matchAll(line)].map(([, message = '']) => message)
  const all = messages.filter((message) => message !== '')
  return all.length === 1 ? all[0]! : `[${all.join(',\n\n')}]`
}

export function eventOfJson(message: string): string {
  return `event: message\ndata: ${message}\n\n`
}
