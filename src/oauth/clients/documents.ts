/**
 * Client id metadata documents: an id is an https address, at which the client describes itself. The caller chooses the
 * address, so the fetch is distrustful: public addresses only, no redirect, little time, few bytes.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { programVersion } from '../../version.ts'
import { OAuthError, objectIn } from '../exchange.ts'
import { type OAuthClient, shownName } from './client.ts'
import { lookupOf, type Resolve, resolveChecked } from './public-address.ts'
import { checkedRedirects } from './redirects.ts'

export interface DocumentOptions {
  readonly clock: () => number
  /** `node:dns` outside of tests. */
  readonly resolve?: Resolve
  /** Tests have their servers on this computer, at any port and with a certificate of their own. */
  readonly allowsPrivate?: boolean
  readonly allowsPorts?: boolean
  readonly ca?: string
  /** 5 s outside of tests. */
  readonly timeoutMs?: number
}

const timeoutMsUsual = 5_000
const bytesMax = 16_384
const headerBytesMax = 16_384
const idCharactersMax = 1_000
/** Lifetime of a fetched document, ms; maximum number of kept documents, and of concurrent fetches. */
const keptMs = 600_000
const keptMax = 200
const fetchesMax = 8

interface Kept {
  readonly client: OAuthClient
  readonly untilMs: number
}

export class ClientDocuments {
  readonly #options: DocumentOptions
  readonly #kept = new Map<string, Kept>()
  #fetches = 0

  constructor(options: DocumentOptions) {
    this.#options = options
  }

  /** @throws OAuthError `invalid_client` for a document that cannot be had or is none. */
  async clientAt(id: string): Promise<OAuthClient> {
    const url = this.#addressOf(id)
    const nowMs = this.#options.clock()
    const kept = this.#kept.get(id)
    if (kept !== undefined && nowMs < kept.untilMs) return kept.client
    const client = clientIn(await this.#fetch(url), id, url.host)
    this.#kept.delete(id)
    this.#kept.set(id, { client, untilMs: nowMs + keptMs })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > keptMax) this.#kept.delete(oldest!)
    return client
  }

  #addressOf(id: string): URL {
    const url = URL.canParse(id) && id.length <= idCharactersMax ? new URL(id) : undefined
    const isOwn = url?.href === id && url.username === '' && url.password === ''
    const hasPlace = url?.protocol === 'https:' && url.hash === '' && url.pathname !== '/'
    const isUsual = url?.port === '' || this.#options.allowsPorts === true
    if (url !== undefined && isOwn && hasPlace && isUsual) return url
    throw new OAuthError('invalid_client', 'the client_id is no https address of a document')
  }

  async #fetch(url: URL): Promise<string> {
    if (this.#fetches >= fetchesMax) {
      throw new OAuthError('temporarily_unavailable', 'too many client documents are being read')
    }
    this.#fetches += 1
    const signal = AbortSignal.timeout(this.#options.timeoutMs ?? timeoutMsUsual)
    const late = once(signal, 'abort').then(() => Promise.reject(signal.reason))
    try {
      return await Promise.race([this.#read(url, signal), late])
    } catch {
      // The reason would reveal facts about networks that the client does not see.
      throw new OAuthError('invalid_client', 'the document of the client_id cannot be read')
    } finally {
      this.#fetches -= 1
    }
  }

  async #read(url: URL, signal: AbortSignal): Promise<string> {
    const { resolve, allowsPrivate = false, ca } = this.#options
    const addresses = await resolveChecked(url, allowsPrivate, resolve)
    return textAt(url, { lookup: lookupOf(addresses), signal, ...(ca !== undefined && { ca }) })
  }
}

type FetchOptions = Pick<Parameters<typeof requestHttps>[1], 'lookup' | 'signal' | 'ca'>

async function textAt(url: URL, options: FetchOptions): Promise<string> {
  const headers = {
    accept: 'application/json',
    'user-agent': `authority-index/${programVersion}`,
  }
  const shape = { agent: false, maxHeaderSize: headerBytesMax, headers } as const
  const request = requestHttps(url, { ...shape, ...options }).on('error', () => {})
  request.end()
  try {
    const [response]: IncomingMessage[] = await once(request, 'response')
    const { statusCode, headers: answered } = response!
    const isJson = /^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(answered['content-type'] ?? '')
    if (statusCode !== 200 || !isJson || answered['content-encoding'] !== undefined) {
      throw new Error('not a document')
    }
    const pieces: Buffer[] = []
    let bytes = 0
    for await (const piece of response!) {
      pieces.push(piece)
      bytes += piece.length
      if (bytes > bytesMax) throw new Error('too large')
    }
    return Buffer.concat(pieces).toString()
  } finally {
    request.destroy()
  }
}

function clientIn(text: string, id: string, host: string): OAuthClient {
  const faulty = 'the document of the client_id is no JSON object'
  const document = objectIn(text, new OAuthError('invalid_client', faulty))
  const { client_id, client_name, redirect_uris, client_secret } = document
  const { token_endpoint_auth_method: method = 'none' } = document
  if (client_id !== id) {
    throw new OAuthError('invalid_client', 'the document names another client_id')
  }
  if (client_secret !== undefined || method !== 'none') {
    throw new OAuthError(
      'invalid_client',
      'clients are public here: token_endpoint_auth_method is none',
    )
  }
  return { id, name: shownName(client_name), redirects: checkedRedirects(redirect_uris), host }
}
