/**
 * Word families of English: the field, who practises it, and what belongs to it (`physics`, `physicist`,
 * `physical`; `banking`, `banker`). Rules by endings, not a stemmer: a word that a rule makes need not
 * exist, because it only counts where a topic is called so.
 *
 * Invariant: a rule exchanges one ending for another; letters before it stay.
 */

/** Endings that exchange for one another behind a stem of at least so many letters. */
interface Family {
  readonly stemMin: number
  readonly endings: readonly string[]
}

const families: readonly Family[] = [
  // biology, biologist, biological; geography, geographer; philosophy, philosopher
  { stemMin: 2, endings: ['logy', 'logist', 'logical', 'logic'] },
  { stemMin: 2, endings: ['graphy', 'grapher', 'graphic', 'graphical', 'graph'] },
  { stemMin: 2, endings: ['nomy', 'nomist', 'nomer', 'nomic', 'nomics', 'nomical'] },
  { stemMin: 3, endings: ['sophy', 'sopher', 'sophical'] },
  { stemMin: 3, endings: ['iatry', 'iatrist', 'iatric', 'iatrics', 'iatrician'] },
  { stemMin: 3, endings: ['istry', 'ist', 'ical'] },
  { stemMin: 5, endings: ['y', 'ist', 'ic', 'ical'] },
  { stemMin: 3, endings: ['apy', 'apist', 'apeutic'] },
  // physics, physicist; politics, politician; music, musician; robot, robotics
  { stemMin: 3, endings: ['ics', 'icist', 'ician', 'ic', 'ical', 'ist'] },
  { stemMin: 4, endings: ['', 'ics', 'icist'] },
  // banking, banker; write, writer, writing; design, designer
  { stemMin: 3, endings: ['ing', 'er', 'or'] },
  { stemMin: 4, endings: ['', 'ing', 'er', 'or'] },
  { stemMin: 3, endings: ['e', 'ing', 'er', 'or'] },
  // development, developer; environment, environmental
  { stemMin: 4, endings: ['ment', 'er', 'or', 'ing'] },
  { stemMin: 4, endings: ['ment', 'mental', 'mentalist'] },
  // education, educator, educational; nutrition, nutritionist
  { stemMin: 4, endings: ['ion', 'or', 'ional', 'ionist', 'ive', 'e'] },
  // journalism, journalist; novel, novelist; piano, pianist; essay, essayist
  { stemMin: 4, endings: ['ism', 'ist', 'istic'] },
  { stemMin: 3, endings: ['', 'ist'] },
  { stemMin: 4, endings: ['o', 'ist'] },
  // sculpture, sculptor; agriculture, agricultural; architecture, architect
  { stemMin: 4, endings: ['ture', 'tor', 'tural', 'turist'] },
  { stemMin: 4, endings: ['tecture', 'tect', 'tectural'] },
  // finance, financier; science, scientist; poetry, poet; history, historian; library, librarian
  { stemMin: 3, endings: ['ance', 'ancier', 'ancial'] },
  { stemMin: 2, endings: ['ence', 'entist', 'entific'] },
  { stemMin: 3, endings: ['etry', 'et', 'etic'] },
  { stemMin: 3, endings: ['ory', 'orian', 'orical', 'oric'] },
  { stemMin: 3, endings: ['ary', 'arian'] },
  // diplomacy, diplomat; forestry, forester; leadership, leader; pottery, potter
  { stemMin: 4, endings: ['acy', 'at', 'atic'] },
  { stemMin: 4, endings: ['', 'ry', 'er'] },
  { stemMin: 4, endings: ['', 'ship'] },
  { stemMin: 4, endings: ['ery', 'er'] },
  // analysis, analyst
  { stemMin: 4, endings: ['ysis', 'yst', 'ytics', 'ytical'] },
]

/** A family, and the ending by which a word is of it. */
interface Rule extends Family {
  readonly ending: string
}

const rules: readonly Rule[] = families.flatMap((family) =>
  family.endings.map((ending) => ({ ...family, ending })),
)

/** The rules for a word by its last letter, in their order: a fifth of all. */
const rulesByLetter = new Map<string, readonly Rule[]>(
  [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => [
    letter,
    rules.filter(({ ending }) => ending === '' || ending.endsWith(letter)),
  ]),
)

/** Only English has these endings. */
const plain = /^[a-z]{4,24}$/

/** Whether the first letters of a word with an ending are wanted: no text is made of a form that is not. */
export type IsWantedForm = (word: string, letters: number, ending: string) => boolean

const noForms: readonly string[] = []

/** The other words of a word's families that are wanted, in the order of the rules, each once. O(letters). */
export function familyOf(word: string, isWanted: IsWantedForm = () => true): readonly string[] {
  if (!plain.test(word)) return noForms
  const found = membersOf(word, word, isWanted, noForms)
  return word.endsWith('s') ? membersOf(word.slice(0, -1), word, isWanted, found) : found
}

/** A physician is no physicist. */
function isFalseFriend(stem: string, ending: string, other: string): boolean {
  return stem === 'phys' && (ending === 'ician' || other === 'ician')
}

/** Some forms, and behind them the members of a word's families that are not among them and not a word. */
function membersOf(
  word: string,
  but: string,
  isWanted: IsWantedForm,
  before: readonly string[],
): readonly string[] {
  let found = before
  for (const { stemMin, endings, ending } of rulesByLetter.get(word.at(-1)!)!) {
    const letters = word.length - ending.length
    if (letters < stemMin || !word.endsWith(ending)) continue
    for (const other of endings) {
      if (other === ending || !isWanted(word, letters, other)) continue
      const stem = word.slice(0, letters)
      const form = stem + other
      if (form === but || isFalseFriend(stem, ending, other) || found.includes(form)) continue
      found = [...found, form]
    }
  }
  return found
}
