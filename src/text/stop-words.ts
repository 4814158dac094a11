/**
 * English words that carry no meaning in a search: function words and question words (`who is the best…`).
 * Such a word is ignored if no person has it together with the other words, but never if it is part of the
 * name of a topic or a country.
 */

const together =
  'a an and are as at be been by for from had has have i in into is its my of on or that the their ' +
  'there these this those to was were with'
const asking =
  'about authorities authority best does expert experts famous find give greatest how known know ' +
  'knows leading list me most notable people person please prominent show some tell top what ' +
  'where which who whom whose'

const stopWords: ReadonlySet<string> = new Set(`${together} ${asking}`.split(' '))

/** Whether a term, as the analyzer spells it, is such a word. */
export function isStopWord(term: string): boolean {
  return stopWords.has(term)
}
