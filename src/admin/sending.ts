/** Sends requests to an admin API, over TCP or a Unix socket. Follows no redirection. */
import { request as plainRequest, type RequestOptions } from 'node:http'
import { request as tlsRequest } from 'node:https'

/** A request. */
interface AdminSending {
  readonly method: string
  readonly target: string
  readonly idempotencyKey: string
  /** JSON, sent with a POST. */
  readonly body: string
}

/** Reply to a request: its status and body. Without a status, `text` is the reason why there is none. */
export interface Answered {
  readonly status: number | undefined
  /** The body; undefined where it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: read by the names of its members
  readonly json: Readonly<Record<string, any>> | undefined
  readonly text: string
}

/** Sends a request; never rejects. */
export type Send = (sending: AdminSending) => Promise<Answered>

/** Maximum duration of an answer, ms: that of a proof of a large ledger. */
const answerMsMax = 600_000

/** Sends to one place. @param url `http://…`, `https://…` or `unix:PATH`. */
export function sender(url: string, adminKey: string): Send {
  const socketPath = url.startsWith('unix:') ? url.slice('unix:'.length) : undefined
  const base = new URL(socketPath === undefined ? url : 'http://localhost')
  const begin = base.protocol === 'https:' ? tlsRequest : plainRequest
  return ({ method, target, idempotencyKey, body }) =>
    new Promise((resolve) => {
      const fail = (failure: string) => {
        resolve({ status: undefined, json: undefined, text: `${url}: ${failure}` })
      }
      const isChange = method === 'POST'
      const options: RequestOptions = {
        ...(socketPath !== undefined && { socketPath }),
        method,
        timeout: answerMsMax,
        headers: {
          Authorization: `Bearer ${adminKey}`,
          ...(isChange && {
            'Content-Type': 'application/json',
            'Idempotency-Key': idempotencyKey,
          }),
        },
      }
      const sent = begin(new URL(`${base.pathname.replace(/\/$/, '')}${target}`, base), options)
      sent.once('error', ({ message }) => fail(message))
      sent.once('timeout', () => sent.destroy(new Error('no answer came in time')))
      sent.once('response', (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.once('error', ({ message }) => fail(message))
        response.once('end', () => {
          const text = Buffer.concat(pieces).toString()
          const isJson = /^application\/(problem\+)?json/.test(
            response.headers['content-type'] ?? '',
          )
          const json = isJson ? jsonOf(text) : undefined
          if (json === undefined && (isJson || response.statusCode !== 200)) {
            fail(`status ${response.statusCode}, and no JSON`)
          } else resolve({ status: response.statusCode, json, text })
        })
      })
      sent.end(isChange ? body : undefined)
    })
}

function jsonOf(text: string): Answered['json'] {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
