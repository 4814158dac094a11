/**
 * The address of a tail: its servers, and the credentials that they all take. It is read and never printed, since it may
 * hold a password.
 */
import type { RedisOptions } from 'ioredis'

/** A server. */
export interface TailHost {
  readonly host: string
  readonly port: number
}

/** The addresses of a tail: one of a server, or some of a cluster with commas between them. */
interface TailAddress {
  readonly hosts: readonly TailHost[]
  /** Credentials, database and TLS. */
  readonly options: RedisOptions
}

/** Reads `redis://user:password@host:port,host:port/0`; `rediss` is TLS. @param uri one that the setting `--tail` takes. */
export function tailAddressOf(uri: string): TailAddress {
  const [, scheme, authority = '', database = ''] =
    /^(rediss?):\/\/([^/]+)(?:\/(\d*))?$/.exec(uri) ?? []
  const at = authority.lastIndexOf('@')
  const [username = '', ...rest] = at < 0 ? [] : authority.slice(0, at).split(':')
  const password = rest.join(':')
  const hosts = authority
    .slice(at + 1)
    .split(',')
    .map((each) => {
      const { hostname, port } = new URL(`redis://${each}`)
      return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) }
    })
  return {
    hosts,
    options: {
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
      ...(database !== '' && { db: Number(database) }),
      ...(scheme === 'rediss' && { tls: {} }),
    },
  }
}
