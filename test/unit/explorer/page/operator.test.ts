/** What the operator's page keeps and sends: places, changes, and the change that is open. */
import { describe, expect, it } from 'vitest'
import { isSettled, sendChange } from '../../../../src/explorer/page/operator/model/admin-asking.ts'
import { accountChanges, keyChanges } from '../../../../src/explorer/page/operator/model/changes.ts'
import {
  keepChange,
  keptChange,
  newIdempotencyKey,
} from '../../../../src/explorer/page/operator/model/open-change.ts'
import {
  operatorAddressOf,
  operatorPlaceAt,
} from '../../../../src/explorer/page/operator/model/place.ts'

describe('a place', () => {
  it.each([
    { view: 'accounts', name: '' },
    { view: 'accounts', name: 'a&b' },
    { view: 'account', account: 'acme' },
    { view: 'keys' },
    { view: 'served' },
    { view: 'audit', subject: 'key_1' },
    { view: 'books' },
  ] as const)('is read from its address: %j', (place) => {
    expect(operatorPlaceAt(operatorAddressOf(place).slice(1))).toEqual(place)
  })
})

describe('a change', () => {
  const change = { target: '/x', body: { a: 1 }, idempotencyKey: 'k' }

  it('is sent with its key in a header, and no cache, cookie or redirect', async () => {
    const seen: [string, RequestInit][] = []
    const send = async (target: string, init: RequestInit) => {
      seen.push([target, init])
      return Response.json(
        {},
        { headers: { 'X-Admin-Scopes': 'read,keys', 'X-Admin-Key-Id': 'i' } },
      )
    }
    const outcome = await sendChange(send, 'secret', change)
    expect(outcome).toMatchObject({ kind: 'answer', who: { keyId: 'i', scopes: ['read', 'keys'] } })
    const [[target, init]] = seen as [[string, RequestInit]]
    expect(target).toBe('/admin/v1/x')
    expect(init).toMatchObject({ cache: 'no-store', credentials: 'omit', redirect: 'error' })
    expect(new Headers(init.headers).get('idempotency-key')).toBe('k')
  })

  it('is not settled while it may have been made: no answer, 408, 5xx', async () => {
    const outcomeOf = (status: number) =>
      sendChange(async () => Response.json({}, { status }), 'secret', change)
    for (const status of [200, 400, 403, 409, 422]) {
      expect([status, isSettled(await outcomeOf(status))]).toEqual([status, true])
    }
    for (const status of [408, 500, 503]) {
      expect([status, isSettled(await outcomeOf(status))]).toEqual([status, false])
    }
    const lost = await sendChange(() => Promise.reject(new Error('gone')), 'secret', change)
    expect(isSettled(lost)).toBe(false)
  })

  it('is kept until it is settled, and a broken storage keeps nothing', () => {
    const map = new Map<string, string>()
    const place = {
      getItem: (name: string) => map.get(name) ?? null,
      setItem: (name: string, value: string) => void map.set(name, value),
      removeItem: (name: string) => void map.delete(name),
    }
    const open = { ...change, title: 'A change', keyId: 'i' }
    keepChange(place, open)
    expect(keptChange(place)).toEqual(open)
    keepChange(place, undefined)
    expect(keptChange(place)).toBeUndefined()
    map.set('authority-index-change', '{')
    expect(keptChange(place)).toBeUndefined()
    expect(keptChange(undefined)).toBeUndefined()
  })

  it('has a key of 128 random bits in visible characters', () => {
    const key = newIdempotencyKey((bytes) => bytes.fill(7))
    expect(key).toBe(`page-${'07'.repeat(16)}`)
    expect(key).toMatch(/^[!-~]{1,64}$/)
  })

  it('cannot lead out of its path by a hostile name', () => {
    const targets = [...accountChanges('../x?y#z', false), ...keyChanges('../x?y#z')].map((each) =>
      each.target({}),
    )
    expect(targets.filter((target) => /\.\.\/|[?#]/.test(target))).toEqual([])
  })

  it('of a cap takes it away where it is empty', () => {
    const [cap] = keyChanges('k')
    expect(cap!.body({ cap: '', period: 'day' })).toEqual({ cap: null })
    expect(cap!.body({ cap: '5', period: 'day' })).toEqual({
      cap: { amount_usd: 5, period: 'day' },
    })
  })
})
