/**
 * Codes. A code names the request that it answers and is signed, so that it cannot be guessed and none is stored. The
 * grant of the person lies in the ledger as a note that is good once, on whichever node the code comes back.
 */
import type { TermsChange } from '../ledger/books/checked-terms.ts'
import type { Signer } from './signing.ts'

export interface Grant {
  readonly client: string
  readonly redirect: string
  /** The challenge of PKCE: SHA-256 of the verifier in base64url. */
  readonly challenge: string
  readonly account: string
  readonly cap: NonNullable<TermsChange['cap']>
  readonly label: string
}

export function codeText(signer: Signer, id: string): string {
  return signer.sign('code', { id })
}

/** Undefined for a text that is no code. */
export function requestOfCode(signer: Signer, code: string): string | undefined {
  return (signer.read('code', code) as { readonly id: string } | undefined)?.id
}

export function noteOfRequest(id: string): string {
  return `oauth ${id}`
}
