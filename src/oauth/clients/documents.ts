/**
 * Client id metadata documents: an id is an https address, at which the client describes itself. The caller chooses the
 * address, so the fetch is distrustful: public addresses only, no redirect, little time, few bytes.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request as requestHttps } from 'node:https'
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

/** Of a document, and of the head of its answer. */
const bytesMax = 16_384
const idCharactersMax = 1_000
/** Lifetime of a fetched document, ms; maximum number of kept documents, and of concurrent fetches. */
const keptMs = 600_000
const keptMax = 200
const fetchesMax = 8

/** The client whose id is an address. @throws OAuthError `invalid_client` for a document that cannot be had or is none. */
export type ClientAt = (id: string) => Promise<OAuthClient>

/** Reads documents, and keeps each for ten minutes. */
export function clientDocuments(options: DocumentOptions): ClientAt {
  const { clock, resolve, allowsPrivate = false, ca, timeoutMs = 5_000 } = options
  const kept = new Map<string, { readonly client: OAuthClient; readonly untilMs: number }>()
  let fetches = 0

  const read = async (url: URL, signal: AbortSignal): Promise<string> => {
    const addresses = await resolveChecked(url, allowsPrivate, resolve)
    return textAt(url, { lookup: lookupOf(addresses), signal, ...(ca !== undefined && { ca }) })
  }

  const textOf = async (url: URL): Promise<string> => {
    if (fetches >= fetchesMax) {
      throw new OAuthError('temporarily_unavailable', 'too many client documents are being read')
    }
    fetches += 1
    const signal = AbortSignal.timeout(timeoutMs)
    const late = once(signal, 'abort').then(() => Promise.reject(signal.reason))
    try {
      return await Promise.race([read(url, signal), late])
    } catch {
      // The reason would reveal facts about networks that the client does not see.
      throw new OAuthError('invalid_client', 'the document of the client_id cannot be read')
    } finally {
      fetches -= 1
    }
  }

  return async (id) => {
    const url = addressOf(id, options)
    const nowMs = clock()
    const known = kept.get(id)
    if (known !== undefined && nowMs < known.untilMs) return known.client
    const client = clientIn(await textOf(url), id, url.host)
    kept.delete(id)
    kept.set(id, { client, untilMs: nowMs + keptMs })
    const [oldest] = kept.keys()
    if (kept.size > keptMax) kept.delete(oldest!)
    return client
  }
}

function addressOf(id: string, { allowsPorts = false }: DocumentOptions): URL {
  const url = URL.canParse(id) && id.length <= idCharactersMax ? new URL(id) : undefined
  const isOwn = url?.href === id && url.username === '' && url.password === ''
  const hasPlace = url?.protocol === 'https:' && url.hash === '' && url.pathname !== '/'
  if (url !== undefined && isOwn && hasPlace && (url.port === '' || allowsPorts)) return url
  throw new OAuthError('invalid_client', 'the client_id is no https address of a document')
}

async function textAt(url: URL, options: RequestOptions): Promise<string> {
  const headers = {
    accept: 'application/json',
    'user-agent': `authority-index/${programVersion}`,
  }
  const shape = { agent: false, maxHeaderSize: bytesMax, headers } as const
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
