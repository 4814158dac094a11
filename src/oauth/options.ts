/** The settings of OAuth, read and checked before a service starts, and what the parts of its server share. */
import { readFileSync } from 'node:fs'
import type { Books } from '../ledger/books/books.ts'
import { Refusal } from '../problems.ts'
import type { Values } from '../settings.ts'
import type { ClientAt, DocumentOptions } from './clients/documents.ts'
import type { HandOverLogin } from './hand-over.ts'
import type { Signer } from './signing.ts'

export interface OAuthOptions extends DocumentOptions {
  readonly issuer: string
  readonly books: Books
  readonly secret: Uint8Array
  readonly login?: HandOverLogin | undefined
}

export interface OAuthContext extends OAuthOptions {
  readonly clientAt: ClientAt
  /** Signs what clients and browsers carry. */
  readonly signer: Signer
}

type OAuthSettings = Values<'oauth' | 'oauthLogin' | 'oauthSecret' | 'publicUrl'>

/** Undefined where OAuth is off. @throws Refusal `wrong-usage` for settings that do not fit together. */
export function oauthOf(values: OAuthSettings): Pick<OAuthOptions, 'issuer' | 'login'> | undefined {
  const { oauth, oauthLogin, oauthSecret, publicUrl } = values
  if ((oauthLogin === null) !== (oauthSecret === '')) {
    throw new Refusal('wrong-usage', '--oauth-login and --oauth-secret need each other')
  }
  if (oauth === null) {
    if (oauthLogin === null) return undefined
    throw new Refusal('wrong-usage', '--oauth-login needs --oauth')
  }
  if (publicUrl !== null && publicUrl !== oauth) {
    throw new Refusal('wrong-usage', `--public-url has to be ${oauth}, as --oauth says`)
  }
  if (oauthLogin === null) return { issuer: oauth, login: undefined }
  return { issuer: oauth, login: { url: oauthLogin, secret: secretIn(oauthSecret) } }
}

/** Fewer bytes could be guessed. */
const secretBytesMin = 32

/** @throws Refusal `wrong-usage` for a file that cannot be read, or holds too little. */
function secretIn(path: string): Uint8Array {
  let secret: Uint8Array
  try {
    secret = readFileSync(path)
  } catch (error) {
    throw new Refusal('wrong-usage', `--oauth-secret cannot be read: ${(error as Error).message}`)
  }
  if (secret.length >= secretBytesMin) return secret
  throw new Refusal('wrong-usage', `--oauth-secret: a secret has ${secretBytesMin} bytes or more`)
}
