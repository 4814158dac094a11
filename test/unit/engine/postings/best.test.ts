/** The best of some numbers, as a sort of all of them gives them. */
import { expect, it } from 'vitest'
import { Best, largest } from '../../../../src/engine/postings/best.ts'
import { Random } from '../../../support/random.ts'

const random = new Random(5, 1)

it('are those with the largest values behind a mark, of equals the lowest numbers, each once', () => {
  for (let round = 0; round < 200; round += 1) {
    const values = Array.from({ length: 40 }, () => random.below(4) - 2)
    const [most, mark] = [random.below(12), random.below(40)]
    const after = round % 2 === 0 ? undefined : { value: values[mark]!, ordinal: mark }
    const best = new Best(most, after)
    const shown = Array.from({ length: 80 }, () => random.below(40))
    for (const each of shown) best.take(each, values[each]!)
    const sorted = [...new Set(shown)].sort((a, b) => values[b]! - values[a]! || a - b)
    const isBehind = (each: number) =>
      after === undefined ||
      values[each]! < after.value ||
      (values[each] === after.value && each > mark)
    expect(best.ordinals).toEqual(sorted.filter(isBehind).slice(0, most))
  }
})

it('of a range are those with the largest sizes, none without any', () => {
  const sizes = [3, 0, 5, 3, 1, 0, 5, 9]
  expect(largest({ first: 0, end: 7 }, (each) => sizes[each]!, 3)).toEqual([2, 6, 0])
  expect(largest({ first: 1, end: 6 }, (each) => sizes[each]!, 9)).toEqual([2, 3, 4])
})
