/** The order of ordinals among equal scores; scores themselves are for `test/unit/api/model.test.ts` to say. */
import { expect, it } from 'vitest'
import { orderByScore } from '../../../../src/indexer/ranking/scores.ts'
import { encodeTexts } from '../../../../src/memory/text-table.ts'

it('is by SDU as a number, the shorter spelling of a number first', () => {
  const sdus = ['10', '07', '9', '7', '0', '9007199254740993', '9007199254740992', '00']
  const { arrivals } = orderByScore(new Uint16Array(sdus.length).fill(5), encodeTexts(sdus))
  const ordered = Array.from(arrivals, (arrival) => sdus[arrival])
  const numbers = ['0', '00', '7', '07', '9', '10', '9007199254740992', '9007199254740993']
  expect(ordered).toEqual(numbers)
})
