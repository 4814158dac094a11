/**
 * Objects under the address of a web server, which can be read only. It has to give an ETag, and
 * should know Range.
 */
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import {
  type Got,
  type ObjectFacts,
  type ObjectRange,
  type ReadableObjects,
  rangeHeaderOf,
  wholeBytesOf,
} from './object-store.ts'
import { storageRefused, storageUnreachable } from './storage-refusals.ts'

const answerMs = 30_000

export function openWebObjects(address: string): ReadableObjects {
  return new WebObjects(address.replace(/\/+$/, ''))
}

class WebObjects implements ReadableObjects {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  async head(key: string): Promise<ObjectFacts | undefined> {
    const response = await this.#ask('HEAD', key, {})
    if (isMissing(response)) return undefined
    if (!response.ok) throw refusalOf(`${this.name}/${key}`, response)
    return this.#factsOf(key, response, Number(response.headers.get('content-length') ?? 0))
  }

  async get(key: string, wanted: ObjectRange = {}): Promise<Got> {
    const { from = 0, ifMatch } = wanted
    const range = rangeHeaderOf(wanted)
    const response = await this.#ask('GET', key, {
      ...(range !== undefined && { range }),
      // If-Match compares strongly (RFC 9110, 13.1.1), which a weak ETag never passes.
      ...(ifMatch !== undefined && !ifMatch.startsWith('W/') && { 'if-match': ifMatch }),
    })
    const isWanted = response.ok && response.body !== null
    if (!isWanted) await response.body?.cancel()
    if (isMissing(response)) return { kind: 'missing' }
    if (response.status === 412 || response.status === 416) return { kind: 'changed' }
    if (!isWanted) throw refusalOf(`${this.name}/${key}`, response)
    const isPart = response.status === 206
    const length = Number(response.headers.get('content-length') ?? Number.NaN)
    const bytes = wholeBytesOf(response.headers.get('content-range')) ?? from + length
    const facts = this.#factsOf(key, response, isPart ? bytes : length)
    const body = Readable.fromWeb(response.body as ReadableStream)
    if (ifMatch === undefined || facts.etag === ifMatch) {
      const isAsWanted = isPart || range === undefined
      return { kind: 'found', facts, body: isAsWanted ? body : partOf(body, wanted) }
    }
    body.destroy()
    return { kind: 'changed' }
  }

  /** Refuses a reply that does not identify the object, or that a server repacked. */
  #factsOf(key: string, { headers }: Response, bytes: number): ObjectFacts {
    const place = `${this.name}/${key}`
    const etag = headers.get('etag')
    if (etag === null) throw storageRefused(place, 'the server gives no ETag')
    if ((headers.get('content-encoding') ?? 'identity') !== 'identity') {
      throw storageRefused(
        place,
        'the server gives it with a Content-Encoding, which it has to leave',
      )
    }
    if (Number.isNaN(bytes)) throw storageRefused(place, 'the server gives no Content-Length')
    const time = (name: string) => {
      const milliseconds = Date.parse(headers.get(name) ?? '')
      return Number.isNaN(milliseconds) ? undefined : milliseconds
    }
    return { key, bytes, etag, modifiedMs: time('last-modified'), seenAtMs: time('date') }
  }

  /** Asks once more if a connection ended before its answer: the server had closed it while it was idle. */
  async #ask(method: string, key: string, headers: Record<string, string>): Promise<Response> {
    try {
      return await this.#askOnce(method, key, headers)
    } catch (error) {
      if (!isClosed(error)) throw this.#unreachable(key, error)
    }
    return this.#askOnce(method, key, headers).catch((error) => {
      throw this.#unreachable(key, error)
    })
  }

  async #askOnce(method: string, key: string, headers: Record<string, string>): Promise<Response> {
    const given = new AbortController()
    const timer = setTimeout(() => given.abort(new Error('no answer in 30 s')), answerMs)
    try {
      // Packed once more on the way, a part of it would be a part of something else.
      const all = { 'accept-encoding': 'identity', ...headers }
      return await fetch(`${this.name}/${key}`, { method, headers: all, signal: given.signal })
    } finally {
      clearTimeout(timer)
    }
  }

  #unreachable(key: string, error: unknown) {
    const { cause, message } = error as Error
    const reason = (cause as Error | undefined)?.message || message
    return storageUnreachable(`${this.name}/${key}`, reason)
  }
}

function isClosed(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: string }
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE'
}

function isMissing({ status }: Response): boolean {
  return status === 404 || status === 410
}

function refusalOf(place: string, { status, statusText }: Response) {
  const reason = `${status} ${statusText}`
  const isTransient = status >= 500 || status === 429 || status === 408
  return isTransient ? storageUnreachable(place, reason) : storageRefused(place, reason)
}

/** Some servers do not know Range, and give the whole body. */
function partOf(body: Readable, { from = 0, to = Number.POSITIVE_INFINITY }: ObjectRange) {
  async function* part(): AsyncGenerator<Buffer, void> {
    let at = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const wanted = chunk.subarray(Math.max(0, from - at), to - at)
      if (wanted.length > 0) yield wanted
      at += chunk.length
      if (at >= to) break
    }
  }
  return Readable.from(part(), { objectMode: false })
}
