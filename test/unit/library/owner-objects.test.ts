/** Matches: objects made straight from texts are those that the JSON of the same answer gives. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Queries } from '../../../src/library/queries.ts'
import { servedOf } from '../../support/built.ts'
import { authority, social, topic } from '../../support/records.ts'

/** Texts with all that JSON escapes, and letters of one to four bytes. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .chain((some) =>
    fc.constantFrom(some, `Ann ${some}`, `"${some}\\`, 'Zoë', 'É', '李明', '🦀 Rust'),
  )
  .map((some) => `A${some}`)
const people = fc.array(fc.record({ name: text, topic: text, country: fc.option(text) }), {
  minLength: 1,
  maxLength: 12,
})

/** All that an item has, so that it is written and parsed. */
const fields = ['sdu', 'name', 'rank', 'country_name', 'topic'] as const

it('gives each owner as JSON would, of one handle, of several, of lists and of aligned lists', () => {
  let owners = 0
  fc.assert(
    fc.property(people, (made) => {
      const authorities = made.map(({ name, topic: label, country }, place) =>
        authority({
          ...{ sdu: String(place + 1), name, countryName: country ?? '' },
          topics: [topic(label)],
          socials: [social('x', `p${place}`), social('github', `Q${place % 3}`)],
        }),
      )
      const served = servedOf({ authorities })
      const index = new Queries(() => served)
      const sent = ['@p0', 'P1', 'github:q1', 'nobody', 'x:p0', 'q1', '@p0', 'ｐ2', 'q"2', 'q2']
      for (const each of sent) {
        const { results } = index.match(each)
        expect(results).toEqual(index.match(each, { fields }).results)
        owners += results.length
      }
      expect(index.match(sent.join())).toEqual(index.match(sent.join(), { fields }))
      for (const aligned of [false, true]) {
        expect(index.match(sent, { aligned })).toEqual(index.match(sent, { aligned, fields }))
      }
    }),
    { numRuns: 60 },
  )
  expect(owners).toBeGreaterThan(100)
})
