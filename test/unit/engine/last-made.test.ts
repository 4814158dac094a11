/** The values that were made last. */
import { expect, it } from 'vitest'
import { LastMade } from '../../../src/engine/last-made.ts'

it('makes a value once while its key is among the last, and nothing where making it fails', () => {
  const made: string[] = []
  const last = new LastMade<{ name: string }, { text: string }>(2)
  const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }]
  const get = (key: { name: string }) =>
    last.get(key, ({ name }) => {
      made.push(name)
      return { text: name.toUpperCase() }
    }).text
  expect([a, b, a, b].map(get)).toEqual(['A', 'B', 'A', 'B'])
  expect(made).toEqual(['a', 'b'])
  const fail = () => {
    throw new Error('not at hand')
  }
  expect(() => last.get(c, fail)).toThrow('not at hand')
  expect([a, b, c, c, b, a].map(get)).toEqual(['A', 'B', 'C', 'C', 'B', 'A'])
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})
