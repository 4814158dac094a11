/**
 * Connections to PostgreSQL, by their addresses. The library is loaded with the first of them: a
 * process without one pays nothing for it. No text that leaves this file holds a password.
 */
import type { Client, ClientConfig } from 'pg'
import { Refusal } from '../problems.ts'

/** The address of a database, `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…`, checked. */
export interface PostgresqlAddress {
  readonly uri: string
  /** The address without the password. */
  readonly name: string
}

/** Values of `sslmode`, each as libpq has it; without one, nothing is encrypted. */
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const

const connectTimeoutMs = 10_000

/** Checks an address; nothing is connected yet. @throws Refusal `wrong-usage`. */
export function readPostgresqlAddress(uri: string): PostgresqlAddress {
  const name = withoutPassword(uri)
  const parameters = new URLSearchParams(/\?(.*)$/.exec(uri)?.[1])
  const mode = parameters.get('sslmode')
  if (mode === null) return { uri, name }
  // `prefer` and `allow` would say of no connection whether it is encrypted.
  if (!sslModes.some((each) => each === mode)) {
    throw new Refusal('wrong-usage', `${name}: sslmode is one of ${sslModes.join(', ')}`)
  }
  if (mode === 'verify-ca' && !parameters.has('sslrootcert')) {
    throw new Refusal('wrong-usage', `${name}: sslmode=verify-ca wants an sslrootcert`)
  }
  const hasCompatibility = parameters.has('uselibpqcompat')
  return { uri: hasCompatibility ? uri : `${uri}&uselibpqcompat=true`, name }
}

/**
 * @param program its name in the lists of the server.
 * @throws Error of the library or of the system, whose message is one line.
 */
export async function connectPostgresql(
  { uri }: PostgresqlAddress,
  program: string,
  more: ClientConfig = {},
): Promise<Client> {
  const { default: postgresql } = await import('pg')
  const client = new postgresql.Client({
    connectionString: uri,
    application_name: program,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    ...more,
  })
  // A pending query fails with the broken connection; nothing else needs to hear of it.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Up to the last `@`, in case a password holds one that should have been written as `%40`. */
function withoutPassword(uri: string): string {
  return uri.replace(/^([a-z]+:\/\/[^:@/?]*):.*@/i, '$1@').replace(/([?&]password=)[^&]*/gi, '$1')
}
