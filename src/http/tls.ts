/**
 * The certificate that the service shows, checked before anything listens: uWebSockets.js would
 * only say that it could not start.
 */
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { Refusal } from '../problems.ts'

/** Two PEM files. */
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
