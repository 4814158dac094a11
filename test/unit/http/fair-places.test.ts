/** Places that are shared fairly: what one account, one address and all of them together may have. */
import { describe, expect, it } from 'vitest'
import { FairPlaces } from '../../../src/http/fair-places.ts'

const address = '192.0.2.1'

/** How many of so many tries to take a place find one. */
function takenOf(
  places: FairPlaces,
  tries: number,
  occupant: (n: number) => [number | undefined, string],
) {
  const found = Array.from({ length: tries }, (_, n) => {
    const [account, from] = occupant(n)
    return places.take({ account, address: from })
  })
  return found.filter((leave) => leave !== undefined)
}

describe('of 64 places', () => {
  it('one account has an eighth, from however many addresses', () => {
    const places = new FairPlaces(64)
    expect(takenOf(places, 64, (n) => [1, `192.0.2.${n}`])).toHaveLength(8)
  })

  it('one address, or IPv6 network of 64 bits, has an eighth where no key is needed', () => {
    const places = new FairPlaces(64)
    expect(takenOf(places, 64, () => [undefined, address])).toHaveLength(8)
    expect(takenOf(places, 64, (n) => [undefined, `2001:db8::${n}`])).toHaveLength(8)
    expect(places.take({ account: undefined, address: '2001:db8:0:1::1' })).toBeDefined()
  })

  it('one account that has all it may keeps no other account of its address waiting', () => {
    const places = new FairPlaces(64)
    expect(takenOf(places, 64, () => [1, address])).toHaveLength(8)
    const leave = places.take({ account: 2, address })
    expect(leave).toBeDefined()
    expect(places.take({ account: 2, address })).toBeUndefined()
    leave!()
    expect(places.take({ account: 2, address })).toBeDefined()
  })

  it('all accounts of an address have half at most', () => {
    const places = new FairPlaces(64)
    expect(takenOf(places, 64, (n) => [n, address])).toHaveLength(32)
    expect(places.take({ account: 99, address: '192.0.2.2' })).toBeDefined()
  })

  it('all are taken by eight others, and none is given twice', () => {
    const places = new FairPlaces(64)
    const leaves = takenOf(places, 640, (n) => [n % 10, `192.0.2.${n % 10}`])
    expect(leaves).toHaveLength(64)
    leaves[0]!()
    leaves[0]!()
    expect(takenOf(places, 640, (n) => [n % 10, `192.0.2.${n % 10}`])).toHaveLength(1)
  })
})

it('a single place is for anybody', () => {
  const places = new FairPlaces(1)
  const leave = places.take({ account: 1, address })
  expect([leave === undefined, places.take({ account: 2, address })]).toEqual([false, undefined])
  leave!()
  expect(places.take({ account: 2, address })).toBeDefined()
})
