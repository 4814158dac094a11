/** Common English words against the whole list. */
import { expect, it } from 'vitest'
import { numberless } from '../../../src/text/number.ts'
import { isCommonWord } from '../../../src/text/speech/plain-english.ts'
import { englishWords } from '../../../src/text/tables/tables.made.ts'

const words = englishWords().split(/\s+/)
const all = new Set(words)

it('lie in ascending order, without repeats', () => {
  expect(words).toEqual([...all].sort())
})

it('are found, and nothing else is: their beginnings, ends and misspellings', () => {
  const others = (word: string) => [word.slice(1), word.slice(0, -1), `${word}x`, `z${word}`]
  const more = ['', 'a', '~', 'ab', 'ÿabc', '中文', 'ABC', ' abc', 'zzz', 'aaa']
  const asked = [...words, ...words.flatMap(others), ...more]
  const wrong = asked.filter((word) => isCommonWord(word) !== all.has(numberless(word)))
  expect(wrong).toEqual([])
})
