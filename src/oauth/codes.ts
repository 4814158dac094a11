/**
 * Codes. A code names the request that it answers and is signed, so that it cannot be guessed and none is stored. The
 * grant of the person lies in the ledger as a note that is good once, on whichever node the code comes back.
 */
import type { TermsChange } from '../ledger/books/checked-terms.ts'
import type { Signer } from './signing.ts'

/** The consent of a person. */
export interface Grant {
  /** The digest of the client's id. */
  readonly client: string
  readonly redirect: string
  /** The challenge of PKCE: SHA-256 of the verifier in base64url. */
  readonly challenge: string
  readonly account: string
  readonly cap: NonNullable<TermsChange['cap']>
  readonly label: string
}

/** The code of a request that was allowed. @param id of the request. */
export function codeText(signer: Signer, id: string): string {
  return signer.sign('code', { id })
}

/** The request that a code is of; undefined for any other text. */
export function requestOfCode(signer: Signer, code: string): string | undefined {
  return (signer.read('code', code) as { readonly id: string } | undefined)?.id
}

/** The id of the note of a request, in the ledger. */
export function noteOfRequest(id: string): string {
  return `oauth ${id}`
}
