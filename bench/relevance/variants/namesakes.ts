/** The parts of names in Latin letters, and who has the same ones: who is meant by a text made of parts. */
import { withinSlips } from '../slips.ts'
import { type Truth, wordsOf } from '../truth.ts'

/** A name of two words or more. */
export interface NameParts {
  readonly given: readonly string[]
  /** With the particles before it. */
  readonly surname: string
}

const latin = /^[\p{Script=Latin}'’. -]+$/u
const particles = new Set(
  'van von de da der den del della di du dos la le al el bin ibn ten ter y'.split(' '),
)
const behind = /^(jr|sr|ii|iii|iv|v)\.?$/i

/** The parts of a name; undefined where it has none. */
export function partsOf(name: string): NameParts | undefined {
  const written = name.replaceAll(',', '')
  if (!latin.test(written)) return undefined
  const words = written.split(/\s+/).filter((word) => !behind.test(word))
  if (words.length < 2 || words.some((word) => lettersOf(word) === '')) return undefined
  let from = words.length - 1
  while (from > 1 && particles.has(words[from - 1]!.toLowerCase())) from -= 1
  const surname = words.slice(from).join(' ')
  return lettersOf(surname).length < 3 ? undefined : { given: words.slice(0, from), surname }
}

/** The letters of a text, small, without marks and what stands between them. */
function lettersOf(text: string): string {
  return wordsOf(text).join('')
}

/** How much of the given names a text has. */
export type Given = 'name' | 'letter' | 'nothing'

/** Parts as they are compared. */
interface Letters {
  readonly surname: string
  readonly given: readonly string[]
}

/** The names of the people of some records. */
class Namesakes {
  /** Of each person every name, the other ones included. */
  readonly #names: readonly (readonly Letters[])[]

  constructor({ people }: Truth) {
    this.#names = people.map(({ name, also_known_as: others = [] }) =>
      [name, ...others].flatMap((each) => {
        const parts = partsOf(each)
        return parts === undefined ? [] : [comparable(parts)]
      }),
    )
  }

  /** Who may be called so: has the surname, and of the given names what a text has of them. */
  of(parts: NameParts, has: Given): ReadonlySet<number> {
    const { surname, given } = comparable(parts)
    return this.#where(
      (other) =>
        other.surname === surname &&
        (has === 'nothing' ||
          other.given.some((each) =>
            has === 'name' ? each === given[0] : each.startsWith(given[0]![0]!),
          )),
    )
  }

  /** Whether one part of somebody's name is nearly the surname, and another begins like the given name or is near it. */
  mayBe({ given: [first = ''], surname }: NameParts): boolean {
    const [letters, begun] = [lettersOf(surname), lettersOf(first)]
    const found = this.#where((other) => {
      const parts = [other.surname, ...other.given]
      return parts.some(
        (part, at) =>
          withinSlips(part, letters, 1) &&
          parts.some((each, place) => {
            return place !== at && (each[0] === begun[0] || withinSlips(each, begun, 1))
          }),
      )
    })
    return found.size > 0
  }

  /** Whether a word is nearly a part of somebody's name. */
  isPart(word: string): boolean {
    const letters = lettersOf(word)
    const found = this.#where(({ surname, given }) =>
      [surname, ...given].some((each) => withinSlips(each, letters, 1)),
    )
    return found.size > 0
  }

  #where(is: (name: Letters) => boolean): ReadonlySet<number> {
    return new Set(
      [...this.#names.keys()].filter((person) => this.#names[person]!.some((name) => is(name))),
    )
  }
}

function comparable({ given, surname }: NameParts): Letters {
  return { surname: lettersOf(surname), given: given.map(lettersOf) }
}

const known = new WeakMap<Truth, Namesakes>()

/** Those of the records that a truth is of. */
export function namesakesOf(truth: Truth): Namesakes {
  const made = known.get(truth) ?? new Namesakes(truth)
  known.set(truth, made)
  return made
}
