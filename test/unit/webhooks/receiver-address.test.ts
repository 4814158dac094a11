/** Which addresses webhooks are delivered to. */
import { describe, expect, test } from 'vitest'
import {
  checkedReceiver,
  isPublicAddress,
  resolveReceiver,
} from '../../../src/webhooks/receiver-address.ts'

describe('an address', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '2002:a00:1::1',
    '2001:db8::1',
    '2001::1',
    'localhost',
    '',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )
})

describe('an endpoint', () => {
  test.each([
    'http://example.com/',
    'ftp://example.com/',
    'example.com',
    'https://user:pass@example.com/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://a.localhost/',
  ])('%s is refused', (address) => {
    expect(() => checkedReceiver(address, false)).toThrow(/endpoint|public Internet/)
  })

  test('of a private network is taken where that is allowed, over http, too', () => {
    expect(checkedReceiver('http://10.0.0.1:81/hook#part', true)).toBe('http://10.0.0.1:81/hook')
  })
})

describe('a name', () => {
  const url = new URL('https://hooks.example.com/')

  test('that resolves to a private address beside public ones is refused', async () => {
    const resolve = async () => [{ address: '8.8.8.8' }, { address: '10.0.0.1' }]
    await expect(resolveReceiver(url, false, resolve)).rejects.toThrow(
      '10.0.0.1, which is not public',
    )
    expect(await resolveReceiver(url, true, resolve)).toHaveLength(2)
  })

  test('without an address is refused', async () => {
    await expect(resolveReceiver(url, false, async () => [])).rejects.toThrow('has no address')
  })
})
