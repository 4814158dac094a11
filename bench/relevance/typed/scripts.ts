/** Kinds of text that mean one person in another script than the record's, by plain tables. */
import { forOne, type Kinds, type Question } from '../question.ts'
import { wordsOf } from '../truth.ts'

/** Passports' Russian (ICAO 9303) and Greek (ELOT 743), letter by letter. */
const cyrillic =
  'а a б b в v г g д d е e ё e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ъ ie ы y ь - э e ю iu я ia'
const greek =
  'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o'
const tables = [cyrillic, greek].map((line) => {
  const pieces = line.split(' ')
  return new Map(
    pieces.flatMap((from, at) =>
      at % 2 === 0 ? [[from, pieces[at + 1]!.replace('-', '')] as const] : [],
    ),
  )
})
const shapes = [/^[\p{Script=Cyrillic} ]+$/u, /^[\p{Script=Greek} ]+$/u]

/** Kinds by their names. */
export const scriptKinds: Kinds = {
  'Cyrillic or Greek in Latin letters': (world, random): Question | undefined => {
    const { name } = world.somebody(random)
    const at = shapes.findIndex((shape) => shape.test(name))
    const table = tables[at]
    const words = wordsOf(name)
    if (table === undefined || words.length < 2) return undefined
    const text = words
      .map((word) => [...word].map((each) => table.get(each) ?? each).join(''))
      .join(' ')
    return forOne(text, world.truth.named(name))
  },
}
