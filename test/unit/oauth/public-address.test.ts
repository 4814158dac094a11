/** At which addresses client documents may be read. */
import { describe, expect, test } from 'vitest'
import { isPublicAddress, resolveChecked } from '../../../src/oauth/clients/public-address.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('public-address.tsv', import.meta.url))

describe('an address', () => {
  test.each(rowsOf('addresses that are not public'))('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(rowsOf('addresses that are public'))('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

describe('the host of a document', () => {
  test.each(rowsOf('hosts inside'))(
    'that is an address inside is refused in any spelling: %s',
    async (host) => {
      const resolved = resolveChecked(new URL(`https://${host}/client.json`), false)
      await expect(resolved).rejects.toThrow('which is not public')
    },
  )

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
