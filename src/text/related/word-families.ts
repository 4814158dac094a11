/**
 * Word families of English by endings: `physics`, `physicist`, `physical`. No stemmer: a word that
 * a rule makes need not exist. For building an index only.
 */
import { lazily } from '../lazily.ts'
import { families } from '../tables/tables.made.ts'

/** Endings that exchange for one another behind a stem of at least so many letters. */
interface Family {
  readonly stemMin: number
  readonly endings: readonly string[]
}

const known = lazily((): readonly Family[] =>
  families()
    .split('\n')
    .map((line) => {
      const [stemMin, ...endings] = line.split(' ')
      return {
        stemMin: Number(stemMin),
        endings: endings.map((ending) => (ending === '-' ? '' : ending)),
      }
    }),
)

/** Only English has these endings. */
const plain = /^[a-z]{4,24}$/

/** The other words of a word's families, in the order of the rules, each once. */
export function familyOf(word: string): readonly string[] {
  if (!plain.test(word)) return []
  const spellings = word.endsWith('s') ? [word, word.slice(0, -1)] : [word]
  const found = spellings.flatMap((spelling) => membersOf(spelling))
  return [...new Set(found)].filter((form) => form !== word)
}

function membersOf(word: string): string[] {
  return known().flatMap(({ stemMin, endings }) =>
    endings.flatMap((ending) => {
      const stem = word.slice(0, word.length - ending.length)
      if (stem.length < stemMin || !word.endsWith(ending)) return []
      // A physician is no physicist.
      return endings
        .filter((other) => other !== ending)
        .filter((other) => stem !== 'phys' || (ending !== 'ician' && other !== 'ician'))
        .map((other) => stem + other)
    }),
  )
}
