/** Addresses of the explorer: what they show, and what they never hold. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressOf,
  type ListFilters,
  noFilters,
  type Place,
  placeAt,
  withToggledFilter,
} from '../../../../src/explorer/page/model/address.ts'

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
const sdu = fc.stringMatching(/^\d{1,32}$/)
const filters: fc.Arbitrary<ListFilters> = fc.record({
  country: fc.array(text, { maxLength: 3 }),
  platform: fc.array(text, { maxLength: 3 }),
  topic: fc.array(text, { maxLength: 3 }),
  attribute: fc.array(text, { maxLength: 3 }),
  score_min: fc.integer({ min: 0, max: 100 }),
  followers_min: fc.integer({ min: 0, max: 4_294_967_295 }),
})
const place: fc.Arbitrary<Place> = fc.oneof(
  fc.constant<Place>({ view: 'home' }),
  fc.record({ view: fc.constant('search' as const), query: text, filters }),
  fc.record({ view: fc.constant('person' as const), sdu }),
  fc.record({ view: fc.constant('network' as const), handle: text }),
  fc.record({ view: fc.constant('topics' as const), typed: fc.string() }),
)

describe('an address', () => {
  it('shows again what it was made of', () => {
    fc.assert(
      fc.property(place, (shown) => {
        expect(placeAt(addressOf(shown))).toEqual(shown)
      }),
    )
  })

  it('reads as what it shows', () => {
    const filters = { ...noFilters, country: ['France'], score_min: 40 }
    expect(addressOf({ view: 'search', query: 'tax policy', filters })).toBe(
      '/?q=tax+policy&country=France&score_min=40',
    )
  })

  it.each(['-1', '1.5', 'x', '', '1e99x'])('takes the filter %j for none', (value) => {
    expect(placeAt(`/?q=a&score_min=${value}`)).toMatchObject({ filters: { score_min: 0 } })
  })
})

describe('a filter', () => {
  it('that is put in twice is out again, and the others stay', () => {
    const one = withToggledFilter(noFilters, 'country', 'France')
    const two = withToggledFilter(one, 'country', 'Spain')
    expect(two.country).toEqual(['France', 'Spain'])
    expect(withToggledFilter(two, 'country', 'France').country).toEqual(['Spain'])
    expect(withToggledFilter(one, 'country', 'France')).toEqual(noFilters)
  })
})
