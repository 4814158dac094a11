/**
 * The addresses at which client documents may be read: a caller must not reach the operator's network. Every address of
 * a host name is checked, and the connection is made to a checked one.
 */

import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { networkTest } from '../../text/network.ts'

export type Resolve = (hostname: string) => Promise<readonly { readonly address: string }[]>

/** Networks of IPv4 that are not public: the special-purpose registry of IANA, multicast, reserved. */
const specialNetworks4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]

/** What of the public part of IPv6 is not public: tunnels that carry IPv4, documentation, benchmarks. */
const specialNetworks6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const isSpecial = networkTest([...specialNetworks4, ...specialNetworks6])
const isGlobal6 = networkTest(['2000::/3'])

/** False for a text that is no address. */
export function isPublicAddress(address: string): boolean {
  return (isIP(address) === 4 || isGlobal6(address)) && !isSpecial(address)
}

/** @throws Error when the host has no address, or any of them is not allowed. */
export async function resolveChecked(
  { hostname }: URL,
  allowsPrivate: boolean,
  resolve: Resolve = systemResolve,
): Promise<readonly LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const found = isIP(host) === 0 ? await resolve(host) : [{ address: host }]
  if (found.length === 0) throw new Error(`${host} has no address`)
  const refused = found.find(({ address }) => !isPublicAddress(address))
  if (refused !== undefined && !allowsPrivate) {
    throw new Error(`${host} is at ${refused.address}, which is not public`)
  }
  return found.map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
}

/** Connects to the checked addresses, even if the name resolves to others by now. */
export function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  const [first] = addresses
  return (_, { all }, callback) => {
    if (all) callback(null, [...addresses])
    else callback(null, first!.address, first!.family)
  }
}

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true })
