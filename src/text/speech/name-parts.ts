/** Words that are a part of a name beside given names and surnames, stand behind one, or name what is called after people. */
import { nameParts, surnameFirst } from '../tables/tables.made.ts'

const kinds = new Map(
  nameParts()
    .split('\n')
    .flatMap((line) => {
      const [kind = '', , words = ''] = line.split(' | ')
      return words.split(' ').map((word) => [word, kind] as const)
    }),
)

const surnameFirstIn: ReadonlySet<string> = new Set(surnameFirst().split('\n'))

/** Whether names of a country begin with the surname: Mao Zedong. */
export function isSurnameFirst(country: string): boolean {
  return surnameFirstIn.has(country)
}

/** Whether a word, as the analyzer spells it, may stand inside a name and be left out: van, al. */
export function isParticle(word: string): boolean {
  return kinds.get(word) === 'particle'
}

/** Whether a word tells people of one name apart: Jr. */
export function isGeneration(word: string): boolean {
  return kinds.get(word) === 'generation'
}

/** Whether a word is of letters that stand behind a name: FRS, MD, Jr. */
export function isBehindName(word: string): boolean {
  const kind = kinds.get(word)
  return kind === 'behind' || kind === 'generation'
}

/** Whether a word is of a thing that bears a person's name: Murphy's law. */
export function isEponym(word: string): boolean {
  return kinds.get(word) === 'eponym'
}

export function isWork(word: string): boolean {
  return kinds.get(word) === 'work'
}

export function isJoining(word: string): boolean {
  return kinds.get(word) === 'joining'
}
