/** The judged texts: the service is ahead of every peer, in what is found and in strangers. */
import { beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../../../bench/relevance/figures.ts'
import { type JudgedAnswer, run } from '../../../../bench/relevance/judged/bench.ts'

let answers: readonly JudgedAnswer[]

beforeAll(async () => {
  const { signal } = new AbortController()
  answers = await run({ size: 'tiny', signal, report: () => {} })
}, 180_000)

const isFound = ({ ending }: JudgedAnswer) => ending === 'first' || ending === 'inTen'

describe('of the judged texts', () => {
  it('nine in ten that mean somebody find who is meant, and one in a hundred at most only strangers', () => {
    const some = answers.filter((each) => each.isForSomebody && each.engine === service)
    expect(some.length).toBeGreaterThan(500)
    expect(some.filter(isFound).length / some.length).toBeGreaterThanOrEqual(0.93)
    const strangers = some.filter(({ ending }) => ending === 'stranger')
    expect(strangers.length).toBeLessThanOrEqual(5)
  })

  it('those that mean nobody find nobody, but for one in twenty', () => {
    const some = answers.filter((each) => !each.isForSomebody && each.engine === service)
    const right = some.filter(({ ending }) => ending === 'nobody')
    expect(right.length / some.length).toBeGreaterThanOrEqual(0.95)
  })

  it('no peer finds more, or finds fewer strangers', () => {
    const engines = [...new Set(answers.map(({ engine }) => engine))]
    expect(engines.length).toBe(4)
    const count = (engine: string, is: (answer: JudgedAnswer) => boolean) =>
      answers.filter((each) => each.engine === engine && is(each)).length
    for (const peer of engines.filter((engine) => engine !== service)) {
      const first = ({ ending, isForSomebody }: JudgedAnswer) => isForSomebody && ending === 'first'
      expect(count(service, first)).toBeGreaterThan(count(peer, first))
      const isStranger = ({ ending }: JudgedAnswer) => ending === 'stranger'
      expect(count(service, isStranger)).toBeLessThan(count(peer, isStranger))
    }
  })
})
