/** Which addresses an endpoint may have. */
import { describe, expect, test } from 'vitest'
import { checkedReceiver } from '../../../src/webhooks/receiver-address.ts'

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
