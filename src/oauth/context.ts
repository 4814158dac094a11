/** The dependencies of the parts of the authorization server. */
import { randomBytes } from 'node:crypto'
import type { Books } from '../ledger/administration.ts'
import { ClientDocuments, type DocumentOptions } from './clients/documents.ts'
import { type KeptCode, RecentMap } from './codes.ts'
import type { HandOverLogin } from './hand-over.ts'
import { Signer } from './signing.ts'

/** How the server is made. */
export interface OAuthOptions extends DocumentOptions {
  /** The public origin of the service. */
  readonly issuer: string
  readonly books: Pick<Books, 'issueKey' | 'renewKey' | 'revokeKey' | 'listKeys'>
  /** A secret of the ledger. */
  readonly secret: Uint8Array
  /** The operator's login; undefined where there is none. */
  readonly login?: HandOverLogin | undefined
}

/** The same, with what is kept. */
export interface OAuthContext extends OAuthOptions {
  readonly documents: ClientDocuments
  /** Signs what outlives the process: ids of clients, refresh tokens. */
  readonly lasting: Signer
  /** Signs what is over with the process: requests, and so the logins for them. */
  readonly passing: Signer
  readonly codes: RecentMap<KeptCode>
  /** Requests that were answered, and hand-overs. */
  readonly used: RecentMap<true>
  /** How many requests were answered lately, by account. */
  readonly answers: RecentMap<{ count: number }>
}

/** Longer than a request lives, and long enough to notice that a code comes twice. */
const keptMs = 600_000
const entriesMax = 100_000

/** A context with nothing in it yet. */
export function newContext(options: OAuthOptions): OAuthContext {
  const bounds = { lifeMs: keptMs, entriesMax, clock: options.clock }
  return {
    ...options,
    documents: new ClientDocuments(options),
    lasting: Signer.ofLedger(options.secret),
    passing: new Signer(randomBytes(32)),
    codes: new RecentMap(bounds),
    used: new RecentMap(bounds),
    answers: new RecentMap(bounds),
  }
}
