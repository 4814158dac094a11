/**
 * The TLS certificate of the service. It is checked before the service listens, because uWebSockets.js
 * reports a wrong one only as a failed start.
 */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { Refusal } from '../problems.ts'
import type { WireApp, WireLibrary } from './wire-library.ts'

/**
 * The ciphers of TLS 1.2, as OpenSSL and BoringSSL name them: authenticated encryption with
 * forward secrecy, as RFC 9325 §4.2 recommends. TLS 1.3 has no others.
 */
const tlsCiphers = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

/**
 * The files to serve with; undefined when neither is given, and HTTP is plain.
 * @throws Refusal `wrong-usage` when only one is given, `cannot-listen` when they cannot be read or
 * are not a certificate and its key.
 */
export function checkedTlsFiles(cert: string, key: string): TlsFiles | undefined {
  if (cert === '' && key === '') return undefined
  if (cert === '' || key === '') {
    throw new Refusal('wrong-usage', 'give both --tls-cert and --tls-key, or neither')
  }
  try {
    createSecureContext({ cert: readFileSync(cert), key: readFileSync(key) })
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new Refusal('cannot-listen', `TLS with ${cert} and ${key}: ${reason}`)
  }
  return { cert, key }
}

/** End of the certificate of a file, in milliseconds since the epoch. @throws what reading it throws. */
export function certificateEndsAtMs({ cert }: TlsFiles): number {
  return Date.parse(new X509Certificate(readFileSync(cert)).validTo)
}

export function appOf({ App, SSLApp }: WireLibrary, tls: TlsFiles | undefined): WireApp {
  if (tls === undefined) return App()
  return SSLApp({ cert_file_name: tls.cert, key_file_name: tls.key, ssl_ciphers: tlsCiphers })
}
