/**
 * Links with which listed people see their own entry without a key. An operator makes one for an SDU; it
 * names the SDU and its own end, and is signed with a secret that only the operator and the service have.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readSecretFile } from '../settings/secret-file.ts'

/** Prefix of the paths of links. */
export const personPathPrefix = '/person/'

/** Characters of base64url: 144 bits. */
const signatureLength = 24

/** The secret in a file. @throws Refusal `wrong-usage`. */
export function readLinkSecret(path: string): Uint8Array {
  return readSecretFile('--link-secret', path)
}

/** The path of a link to the entry of an SDU. @param expiresAtMs milliseconds since the epoch. */
export function personPath(secret: Uint8Array, sdu: string, expiresAtMs: number): string {
  const expires = Math.floor(expiresAtMs / 1_000).toString(36)
  return `${personPathPrefix}${sdu}.${expires}.${signatureOf(secret, sdu, expires)}`
}

/** The SDU of a link; undefined for a path that is none, was changed, or is over. */
export function sduOfPath(secret: Uint8Array, path: string, nowMs: number): string | undefined {
  const match = /^\/person\/(\d{1,32})\.([0-9a-z]{1,9})\.([\w-]{24})$/.exec(path)
  if (match === null) return undefined
  const [, sdu = '', expires = '', given = ''] = match
  const expected = signatureOf(secret, sdu, expires)
  if (!timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return undefined
  return nowMs < Number.parseInt(expires, 36) * 1_000 ? sdu : undefined
}

function signatureOf(secret: Uint8Array, sdu: string, expires: string): string {
  const signed = createHmac('sha256', secret).update(`person ${sdu} ${expires}`)
  return signed.digest('base64url').slice(0, signatureLength)
}
