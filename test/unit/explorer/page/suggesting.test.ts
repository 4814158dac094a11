/** Suggesting: what is asked for while somebody types, and what is offered when. */
import { describe, expect, it } from 'vitest'
import type { AnswerEnvelope, Suggestion } from '../../../../src/explorer/page/model/answers.ts'
import type { Outcome } from '../../../../src/explorer/page/model/asking.ts'
import { type Offer, Suggesting } from '../../../../src/explorer/page/model/suggesting.ts'

const listOf = (text: string): AnswerEnvelope<Suggestion> => ({
  duration: 0,
  results: [{ kind: 'topic', text } as Suggestion],
})

/** Suggestions whose answers a test releases; keeps the questions and the offers. */
function suggestingOf(known: readonly string[] = []) {
  const waiting = new Map<string, (outcome: Outcome<AnswerEnvelope<Suggestion>>) => void>()
  const cancelled: string[] = []
  const offers: Offer[] = []
  const suggesting = new Suggesting({
    ask: (typed, signal) => {
      signal.addEventListener('abort', () => cancelled.push(typed))
      return new Promise((resolve) => waiting.set(typed, resolve))
    },
    seen: (typed) => (known.includes(typed) ? listOf(`seen ${typed}`) : undefined),
    onOffer: (offer) => offers.push(offer),
  })
  const end = async (typed: string, outcome: Outcome<AnswerEnvelope<Suggestion>>) => {
    waiting.get(typed)!(outcome)
    waiting.delete(typed)
    await Promise.resolve()
    await Promise.resolve()
  }
  const answer = (typed: string) =>
    end(typed, { kind: 'answer', json: listOf(typed) } as Outcome<AnswerEnvelope<Suggestion>>)
  const offered = () => offers.map(({ typed }) => typed)
  return { suggesting, asked: waiting, cancelled, offers, offered, answer, end }
}

describe('suggesting', () => {
  it('asks for each text at once, and offers what is answered in the order of typing', async () => {
    const { suggesting, offers, answer } = suggestingOf()
    suggesting.want('c')
    suggesting.want('ca ')
    await answer('c')
    await answer('ca')
    expect(offers.map(({ typed, suggestions }) => [typed, suggestions[0]?.text])).toEqual([
      ['c', 'c'],
      ['ca', 'ca'],
    ])
  })

  it('waits for the oldest and the newest text, and cancels those between', async () => {
    const { suggesting, cancelled, offered, answer } = suggestingOf()
    for (const text of ['c', 'ca', 'cap', 'capi']) suggesting.want(text)
    expect(cancelled).toEqual(['ca', 'cap'])
    await answer('ca')
    await answer('c')
    await answer('capi')
    expect(offered()).toEqual(['c', 'capi'])
  })

  it('never goes back to an older text', async () => {
    const { suggesting, cancelled, offered, answer } = suggestingOf()
    suggesting.want('c')
    suggesting.want('ca')
    await answer('ca')
    expect(cancelled).toEqual(['c'])
    await answer('c')
    expect(offered()).toEqual(['ca'])
  })

  it('offers nothing for an empty text, at once, whatever is on its way', async () => {
    const { suggesting, cancelled, offered, answer } = suggestingOf()
    suggesting.want('c')
    suggesting.want(' ')
    expect(offered()).toEqual([''])
    expect(cancelled).toEqual(['c'])
    await answer('c')
    expect(offered()).toEqual([''])
  })

  it('asks nothing where only spaces are added', () => {
    const { suggesting, asked } = suggestingOf()
    suggesting.want('c')
    asked.clear()
    suggesting.want('c ')
    expect(asked.size).toBe(0)
  })

  it('offers what was seen before at once, and then what is answered', async () => {
    const { suggesting, cancelled, offers, answer } = suggestingOf(['ca'])
    suggesting.want('cap')
    suggesting.want('ca')
    expect(cancelled).toEqual(['cap'])
    await answer('ca')
    expect(offers.map(({ suggestions }) => suggestions[0]?.text)).toEqual(['seen ca', 'ca'])
  })

  it('offers nothing where a request failed, and asks again for the same text then', async () => {
    const { suggesting, asked, offers, end } = suggestingOf()
    suggesting.want('c')
    await end('c', { kind: 'unreachable' })
    expect(offers).toEqual([{ typed: 'c', suggestions: [] }])
    suggesting.want('c')
    expect(asked.has('c')).toBe(true)
  })
})
