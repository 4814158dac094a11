/** Addresses of the Internet as they are limited: who holds one of a network holds them all. */
import { isIP } from 'node:net'

/**
 * What an address is limited by: itself, or the network of 64 bits of an IPv6 address, all of which
 * one customer commonly has.
 */
export function limitedNetwork(address: string): string {
  return isIP(address) === 6 ? groupsOf(address).slice(0, 4).join(':') : address
}

/** The eight groups of an IPv6 address, each of four digits. */
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
