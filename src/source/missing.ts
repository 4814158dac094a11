/**
 * The words for "missing" of the programs that people write tables with: pandas, polars, R, Spark, PostgreSQL,
 * JavaScript, spreadsheets. Alone in a field, each says nothing, in every form of a source. A word counts in these
 * spellings only: `Nan` and `Nat` are names.
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
/** The first characters of all of them: nearly every text is told by its own. */
const beginnings = 'nNu-–—.?/*\\#<('

/** The field that a text stands in; a word means nothing in each but these two. */
export type MissingIn = 'name' | 'country' | 'field'

/** Whether a trimmed text says that nothing is known. */
export function isMissing(text: string, where: MissingIn = 'field'): boolean {
  if (text === '') return true
  if (!beginnings.includes(text[0]!)) return false
  if (words.has(text)) return where !== 'name'
  if (text === wordOfR) return where === 'field'
  return signs.test(text) && !/^[a-z]+$/i.test(text)
}
