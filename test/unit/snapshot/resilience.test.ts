/** How much the first ranks of a snapshot hang on single endorsers. */
import { describe, expect, it } from 'vitest'
import { resilienceOf } from '../../../src/snapshot/resilience.ts'
import type { Sections } from '../../../src/snapshot/sections.ts'

/** The sections of topics, each with the losses of its ranks. */
function topicsWith(...losses: (readonly number[])[]): Sections {
  const starts = [0]
  for (const topic of losses) starts.push(starts.at(-1)! + topic.length)
  return {
    'topic.member-starts': Uint32Array.from(starts),
    'evidence.losses-to-fall-1': Uint8Array.from(losses.flat()),
    'evidence.losses-to-fall-10': new Uint8Array(losses.flat().length),
  } as unknown as Sections
}

/** Twenty members: the first ten lose so many, the others one each. */
const of20 = (first: readonly number[]) => [...first, ...new Array(10).fill(1)]
const ten = (losses: number) => new Array(10).fill(losses)

describe('resilience', () => {
  it('is the median over topics of the median of their first ten ranks', () => {
    const sections = topicsWith(of20(ten(2)), of20([9, 9, 9, 9, 9, 9, 1, 1, 1, 1]), of20(ten(30)))
    expect(resilienceOf(sections)).toEqual({ topics: 3, by_1: 9, by_10: null })
  })

  it('takes a rank that never falls for more resilient than all others', () => {
    expect(resilienceOf(topicsWith(of20(ten(0)), of20(ten(0)), of20(ten(4)))).by_1).toBeNull()
    expect(resilienceOf(topicsWith(of20(ten(0)), of20(ten(3)), of20(ten(4)))).by_1).toBe(4)
  })

  it('leaves small topics out, and is nothing without others', () => {
    expect(resilienceOf(topicsWith(ten(1)))).toEqual({ topics: 0, by_1: null, by_10: null })
  })
})
