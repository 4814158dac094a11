/**
 * Answers that are kept with an `Idempotency-Key`. They may hold the text of a key, which the ledger must not: an
 * answer is encrypted (AES-256-GCM) with a key that is made of the admin key's text and the `Idempotency-Key`
 * (HKDF-SHA-256, RFC 5869), of which the ledger has hashes only. So only the client that asked can read it.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** The text of an admin key, and the `Idempotency-Key` of a request. */
export interface SealSecrets {
  readonly adminKey: string
  readonly idempotencyKey: string
}

const nonceBytes = 12
const tagBytes = 16

/** The id under which the ledger keeps an answer. */
export function answerId({ adminKey, idempotencyKey }: SealSecrets): string {
  return createHash('sha256').update(`${adminKey}\n${idempotencyKey}`).digest('hex')
}

/** Encrypts a text. */
export function sealed(text: string, secrets: SealSecrets): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secrets), nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64')
}

/** Decrypts a text that `sealed` has made. @throws Error for any other text. */
export function unsealed(text: string, secrets: SealSecrets): string {
  const bytes = Buffer.from(text, 'base64')
  const nonce = bytes.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secrets), nonce)
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const rest = decipher.update(bytes.subarray(nonceBytes + tagBytes))
  return Buffer.concat([rest, decipher.final()]).toString('utf8')
}

function keyOf({ adminKey, idempotencyKey }: SealSecrets): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', adminKey, idempotencyKey, 'admin answer', 32))
}
