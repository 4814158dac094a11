/**
 * Singular and plural of English words share one spelling. No stemmer; a spelling need not be a
 * word. Applied to stored texts and to queries.
 */

const irregular: readonly (readonly [ending: string, instead: string])[] = [
  ['people', 'person'],
  ['women', 'woman'],
  ['men', 'man'],
  ['children', 'child'],
  ['wives', 'wife'],
]

const shortest = 4

const last = { e: 0x65, n: 0x6e, s: 0x73 } as const

/** The spelling that a word has in either number: `senators` and `senator` are both `senator`. */
export function numberless(term: string): string {
  // The last letter excludes most words, in a tenth of the time.
  const letter = term.charCodeAt(term.length - 1)
  if (letter !== last.s && letter !== last.e && letter !== last.n) return term
  if (!isPlain(term) || term === 'news') return term
  // A word of each pair at a time: to take it apart makes an object for each.
  for (let index = 0; index < irregular.length; index += 1) {
    const ending = irregular[index]![0]
    if (term.endsWith(ending)) return term.slice(0, -ending.length) + irregular[index]![1]
  }
  return term.length < shortest ? term : withoutE(withoutS(term))
}

/** Letters before an `s` that belongs to the word: `class`, `virus`, `analysis`. */
const unlikePlurals: ReadonlySet<string> = new Set(['s', 'u', 'i'])

function withoutS(term: string): string {
  const ends = term.endsWith('s') && !unlikePlurals.has(term.at(-2)!)
  return ends ? term.slice(0, -1) : term
}

/** The `e` that a plural puts before its `s`; `houses` has one of its own, so `house` goes along. */
function withoutE(term: string): string {
  if (!term.endsWith('e') || term.length < shortest) return term
  if (term.endsWith('ie')) return `${term.slice(0, -2)}y`
  const drops = term.endsWith('xe') || (term.length > shortest && /(?:s|ch|sh|o)e$/.test(term))
  return drops ? term.slice(0, -1) : term
}

function isPlain(term: string): boolean {
  for (let index = 0; index < term.length; index += 1) {
    const unit = term.charCodeAt(index)
    if (unit < 97 || unit > 122) return false
  }
  return true
}

/** Endings of forms, each with the ending of the spelling that it stands in place of: '' for none. */
const formEndings: readonly (readonly [ending: string, instead: string])[] = [
  ['', ''],
  ['s', ''],
  ['e', ''],
  ['es', ''],
  ['ies', 'y'],
  ['ie', 'y'],
  ...irregular,
]

const noForms: readonly string[] = []

/**
 * The forms of a word other than itself: all that have the same spelling without a number.
 * @param isWanted whether the first letters of the spelling with an ending are: no text is made of a form that is not.
 */
export function otherFormsOf(
  term: string,
  isWanted: (spelling: string, letters: number, ending: string) => boolean,
): readonly string[] {
  const spelling = numberless(term)
  if (!isPlain(spelling) || spelling.length < shortest - 1) return noForms
  let forms: string[] | undefined
  for (let index = 0; index < formEndings.length; index += 1) {
    const [ending, instead] = formEndings[index]!
    if (!spelling.endsWith(instead)) continue
    const letters = spelling.length - instead.length
    if (!isWanted(spelling, letters, ending)) continue
    const form = spelling.slice(0, letters) + ending
    if (form === term || forms?.includes(form) || numberless(form) !== spelling) continue
    if (forms === undefined) forms = [form]
    else forms.push(form)
  }
  return forms ?? noForms
}

/** The word as it stands, then its other forms. */
export function formsOf(term: string): string[] {
  return [term, ...otherFormsOf(term, () => true)]
}

/**
 * The one spelling of a phrase, in either number, with spaces or without: `Xamarin Forms` and
 * `xamarinform` are one.
 */
export function phraseKey(terms: readonly string[]): string {
  const [only = '', another] = terms
  return another === undefined ? numberless(only) : terms.map(numberless).join('')
}
