/**
 * The address of the client of a request: the other end of the connection, or, if that is a trusted proxy,
 * the address that it reports. `X-Forwarded-For` from any other peer is ignored.
 */
import { isIP, SocketAddress } from 'node:net'
import { networkTest } from '../text/network.ts'

/** The prefix of an IPv4 address that is mapped into IPv6 (RFC 4291 §2.5.5.2), as bytes and as text. */
const mappedPrefix = '0000:0000:0000:0000:0000:ffff:'
const mappedText = '::ffff:'

export class ClientAddresses {
  readonly hasProxies: boolean
  readonly #isTrusted: (address: string) => boolean

  constructor(trusted: readonly string[]) {
    this.hasProxies = trusted.length > 0
    this.#isTrusted = networkTest(trusted)
  }

  /**
   * The address of the client. Every proxy adds the address of its peer at the right; the first
   * from the right that is no trusted proxy is the client.
   * @param remote the other end of the connection, 4 or 16 bytes.
   * @param forwardedFor the values of `X-Forwarded-For`, joined with commas in their order.
   */
  of(remote: ArrayBuffer, forwardedFor: string): string {
    let client = textOf(new Uint8Array(remote))
    if (!this.hasProxies || forwardedFor === '') return client
    const said = forwardedFor.split(',')
    while (said.length > 0 && this.#isTrusted(client)) {
      const address = bare(said.pop()!)
      if (isIP(address) === 0) break
      client = address
    }
    return client
  }

  isProxy(remote: ArrayBuffer): boolean {
    return this.hasProxies && this.#isTrusted(textOf(new Uint8Array(remote)))
  }
}

/** An address without the port, the brackets and the spaces that some proxies add; IPv4 within IPv6 is IPv4. */
function bare(text: string): string {
  const trimmed = text.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1]
  return unmapped(bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1] ?? trimmed)
}

/** The IPv4 address of one that is mapped into IPv6, in any spelling; any other text as it is. */
function unmapped(text: string): string {
  if (isIP(text) !== 6) return text
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  return address.startsWith(mappedText) && address.includes('.')
    ? address.slice(mappedText.length)
    : text
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.')
  const hex = Buffer.from(bytes).toString('hex')
  const groups = hex.match(/.{4}/g)?.join(':') ?? ''
  return groups.startsWith(mappedPrefix) ? bytes.subarray(12).join('.') : groups
}
