/** Addresses of the Internet as they are limited: who holds one of a network holds them all. */
import { BlockList, isIP } from 'node:net'

/** Itself, or the network of 64 bits of an IPv6 address, which one customer commonly has. */
export function limitedNetwork(address: string): string {
  return isIP(address) === 6 ? groupsOf(address).slice(0, 4).join(':') : address
}

function groupsOf(address: string): string[] {
  const [left = '', right] = address.toLowerCase().split('::')
  const first = left === '' ? [] : left.split(':')
  const last = right === undefined || right === '' ? [] : right.split(':')
  const between = right === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const groups = [...first, ...Array<string>(between).fill('0'), ...last]
  return groups.map((group) => group.padStart(4, '0'))
}

/** Whether a host to listen on is reached from this computer only. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.')
  if (isIP(host) === 6) return groupsOf(host).join('') === '1'.padStart(32, '0')
  return host.toLowerCase() === 'localhost'
}

/** Whether a text is an address, or a network as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const match = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text)
  const version = isIP(match?.[1] ?? '')
  return version !== 0 && Number(match?.[2] ?? 0) <= (version === 4 ? 32 : 128)
}

/** Whether an address is one of some addresses and networks, each as `isNetwork` takes it. */
export function networkTest(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = familyOf(address)
    const bits = prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix)
    list.addSubnet(address, bits, family)
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
