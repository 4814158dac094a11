/** What the parts of the authorization server share. A restart loses nothing but a cache of documents. */
import type { Books } from '../ledger/books/books.ts'
import type { ClientDocuments, DocumentOptions } from './clients/documents.ts'
import type { HandOverLogin } from './hand-over.ts'
import type { Signer } from './signing.ts'

export interface OAuthOptions extends DocumentOptions {
  readonly issuer: string
  readonly books: Pick<
    Books,
    'renewKey' | 'revokeKey' | 'keyWith' | 'countKeys' | 'keepNote' | 'redeemNote'
  >
  readonly secret: Uint8Array
  readonly login?: HandOverLogin | undefined
}

export interface OAuthContext extends OAuthOptions {
  readonly documents: ClientDocuments
  /** Signs what clients and browsers carry: every node of the ledger reads it, also after a restart. */
  readonly signer: Signer
}
