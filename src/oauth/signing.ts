/** Signed texts, which carry what the service would otherwise have to store. Each is valid for its purpose only. */
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export type Purpose = 'client' | 'request' | 'login' | 'code' | 'refresh'

export class Signer {
  readonly #key: Uint8Array

  /** @param secret of the ledger: every node has it, also after a restart. */
  constructor(secret: Uint8Array) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', 'authority-index oauth', 32))
  }

  /** `payload.signature`, both in base64url. */
  sign(purpose: Purpose, content: object): string {
    const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
    return `${payload}.${this.#signatureOf(purpose, payload)}`
  }

  /** Undefined for a text that was not signed for this purpose. */
  read(purpose: Purpose, text: string): unknown {
    const content = signedContent(text, (payload) => this.#signatureOf(purpose, payload))
    return content === undefined ? undefined : JSON.parse(content)
  }

  #signatureOf(purpose: Purpose, payload: string): string {
    return createHmac('sha256', this.#key).update(`${purpose}.${payload}`).digest('base64url')
  }
}

/** The payload of `payload.signature`, both in base64url; undefined for another signature than that of the payload. */
export function signedContent(
  text: string,
  signatureOf: (payload: string) => string,
): string | undefined {
  const [payload = '', signature = '', ...more] = text.split('.')
  const isSigned = more.length === 0 && isEqualText(signature, signatureOf(payload))
  return isSigned ? Buffer.from(payload, 'base64url').toString() : undefined
}

/** Takes a time that does not depend on where the texts differ. */
export function isEqualText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** SHA-256 in base64url. */
export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
