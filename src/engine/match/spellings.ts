/** The spellings of a word of a name, the same for records and texts. */
import { wordTextsOf } from '../../text/analyzer.ts'
import { isForeign, latinOf } from '../../text/sound/latin.ts'

const german: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
const germanLetter = /[äöüåø]/g
const plainWord = /^[A-Za-z0-9]+$/
const notAscii = /[^\0-\x7f]/

/** The words of a text, each with its spellings: the first is the analyzer's, a second one is another. */
export function spellingsIn(text: string): readonly (readonly string[])[] {
  if (plainWord.test(text)) return [[text.toLowerCase()]]
  const words = wordTextsOf(text)
  if (!notAscii.test(text)) return words.map((word) => [word])
  const spelled = text
    .normalize('NFC')
    .toLowerCase()
    .replace(germanLetter, (letter) => german[letter]!)
  const others = wordTextsOf(spelled)
  return words.map((word, at) => {
    const other = others.length === words.length ? others[at]! : word
    if (other !== word) return [word, other]
    const latin = isForeign(word) ? latinOf(word) : ''
    return latin === '' ? [word] : [word, latin]
  })
}

export function joinedOf(words: readonly (readonly string[])[], spelling: number): string {
  let text = ''
  for (const word of words) text += word[spelling] ?? word[0]!
  return text
}
