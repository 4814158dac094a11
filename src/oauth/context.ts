/** The dependencies of the parts of the authorization server. The process loses nothing with it but a cache of documents. */
import type { Books } from '../ledger/books/books.ts'
import { ClientDocuments, type DocumentOptions } from './clients/documents.ts'
import type { HandOverLogin } from './hand-over.ts'
import { Signer } from './signing.ts'

/** Options of the server. */
export interface OAuthOptions extends DocumentOptions {
  /** The public origin of the service. */
  readonly issuer: string
  readonly books: Pick<
    Books,
    'renewKey' | 'revokeKey' | 'keyWith' | 'countKeys' | 'keepNote' | 'redeemNote'
  >
  readonly secret: Uint8Array
  /** The operator's login; undefined if there is none. */
  readonly login?: HandOverLogin | undefined
}

/** The same, with the state that is kept. */
export interface OAuthContext extends OAuthOptions {
  readonly documents: ClientDocuments
  /** Signs what clients and browsers carry: every node of the ledger reads it, also after a restart. */
  readonly signer: Signer
}

/** A context with nothing in it yet. */
export function newContext(options: OAuthOptions): OAuthContext {
  return {
    ...options,
    documents: new ClientDocuments(options),
    signer: Signer.ofLedger(options.secret),
  }
}
