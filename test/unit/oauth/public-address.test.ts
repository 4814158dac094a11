/** At which addresses client documents may be read. */
import { describe, expect, test } from 'vitest'
import { isPublicAddress, resolveChecked } from '../../../src/oauth/clients/public-address.ts'

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

describe('the host of a document', () => {
  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:7f00:1]',
  ])('that is an address inside is refused in any spelling: %s', async (host) => {
    const resolved = resolveChecked(new URL(`https://${host}/client.json`), false)
    await expect(resolved).rejects.toThrow('which is not public')
  })

  test('that is a public address is taken without a look-up', async () => {
    const resolve = () => Promise.reject(new Error('looked up'))
    expect(await resolveChecked(new URL('https://8.8.8.8/client.json'), false, resolve)).toEqual([
      { address: '8.8.8.8', family: 4 },
    ])
  })
})

describe('a name', () => {
  const url = new URL('https://client.example/client.json')

  test('that resolves to a private address beside public ones is refused', async () => {
    const resolve = async () => [{ address: '8.8.8.8' }, { address: '10.0.0.1' }]
    await expect(resolveChecked(url, false, resolve)).rejects.toThrow(
      '10.0.0.1, which is not public',
    )
    expect(await resolveChecked(url, true, resolve)).toHaveLength(2)
  })

  test('without an address is refused', async () => {
    await expect(resolveChecked(url, false, async () => [])).rejects.toThrow('has no address')
  })
})
