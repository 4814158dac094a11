/**
 * The words for "missing" of the programs that people write tables with. Alone in a field, each
 * says nothing. A word counts in these spellings only: `Nan` and `Nat` are names.
 */

/** Words that a person can be called: in a name they stay. */
const words: ReadonlySet<string> = new Set([
  ...['None', 'none', 'NONE', 'null', 'Null', 'NULL', 'undefined'],
  ...['nan', 'NaN', 'NAN', '-nan', '-NaN', 'NaT'],
])
/** The word of R, which is also the code of Namibia: in a name and a country it stays. */
const wordOfR = 'NA'
/** Nothing is called so: `\N`, `<NA>`, `#N/A`, `n/a`, `-`, `?`, `(null)`, errors of spreadsheets. */
const signs =
  /^(?:[-–—.?/*]+|\\N|[#<(]?[nN]\/?[aA][>)]?|[<(](?:null|NULL|none|None|nan|NaN)[>)]|#(?:NULL|NUM|REF|VALUE|NAME|DIV\/0|N\/A)[!?]?|#N\/A N\/A)$/
/** First characters of all of them: nearly every text is told apart by its own. */
const beginnings = 'nNu-–—.?/*\\#<('

export type MissingIn = 'name' | 'country' | 'field'

export function isMissing(text: string, where: MissingIn = 'field'): boolean {
  if (text === '') return true
  if (!beginnings.includes(text[0]!)) return false
  if (words.has(text)) return where !== 'name'
  if (text === wordOfR) return where === 'field'
  return signs.test(text) && !/^[a-z]+$/i.test(text)
}
