/**
 * The addresses at which client documents may be read: a caller must not reach the operator's network. Every address of
 * a host name is checked, and the connection is made to a checked one.
 */
import { lookup } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

interface CheckedAddress {
  readonly address: string
  readonly family: 4 | 6
}

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

/** The public part of IPv6, and what of it is not: tunnels that carry IPv4, documentation, benchmarks. */
const globalNetwork6 = '2000::/3'
const specialNetworks6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const special4 = blockList(specialNetworks4, 'ipv4')
const global6 = blockList([globalNetwork6], 'ipv6')
const special6 = blockList(specialNetworks6, 'ipv6')

function blockList(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** False for a text that is no address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special4.check(address, 'ipv4')
  return family === 6 && global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

/** @throws Error when the host has no address, or any of them is not allowed. */
export async function resolveChecked(
  { hostname }: URL,
  allowsPrivate: boolean,
  resolve: Resolve = systemResolve,
): Promise<readonly CheckedAddress[]> {
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
export function lookupOf(addresses: readonly CheckedAddress[]): LookupFunction {
  const [first] = addresses
  return (_, { all }, callback) => {
    if (all) callback(null, [...addresses])
    else callback(null, first!.address, first!.family)
  }
}

const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true })
