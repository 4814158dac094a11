/**
 * A typed text as tokens: each word with its spellings and with what its writing says of it. What people put around
 * a name in forms of their own (party and state, a handle in brackets, a site's name) is no token.
 */
import { spelledOut, wordTextsOf } from '../../text/analyzer.ts'
import { isNumber, ordinalOf } from '../../text/numerals.ts'
import { decoded, folded, percent } from '../../text/pasted.ts'
import { isForeign, latinOf, surnameOf } from '../../text/sound/latin.ts'
import { withoutSurroundings } from '../../text/speech/around-names.ts'
import { type Aside, asideOf, withoutParticles } from '../../text/speech/aside-words.ts'
import { isBehindName, isEponym } from '../../text/speech/name-parts.ts'
import { officeOf } from '../../text/speech/offices.ts'
import { isCommonWord } from '../../text/speech/plain-english.ts'

/** Tokens of the longest text that is read: a bit of a number each. */
const tokensMax = 16

/** Tokens of the longest text of nothing but a name with initials. */
const lettersMax = 4

export interface Token {
  /** As the analyzer spells it. */
  readonly text: string
  /** All spellings, `text` first. */
  readonly spellings: readonly string[]
  /** As it was typed, without apostrophes. */
  readonly raw: string
  readonly aside: Aside | undefined
  /** The word by which records say that somebody holds the office of a title. */
  readonly office: string | undefined
  /** Letters that stand behind a name. */
  readonly isBehind: boolean
  /** Two to five capitals in a text of other letters, too. */
  readonly isCapitals: boolean
  /** Stands at the word before it without a space. */
  readonly isGlued: boolean
  /** A possessive. */
  readonly isOwner: boolean
  /** Of ASCII letters and digits. */
  readonly isLatin: boolean
  readonly isHan: boolean
  readonly isNumber: boolean
  /** A thing that bears a person's name: Murphy's law. */
  readonly isEponym: boolean
  /** A common English word. */
  readonly isCommon: boolean
}

const piece = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{N}\p{M}]+)*['’]?/gu
const contraction = /(?<=\p{L})['’](?:s|re|ll|ve|d|m)?(?!\p{L})/iu
const elision = /^(?:l|d|c|j|n|s|m|t|qu|dell|all|nell|sull|un)['’](?=\p{L}{2})/iu
const capitals = /^\p{Lu}{2,5}$/u
const notAscii = /[^\0-\x7f]/
const han = /\p{Script=Han}/u
const digit = /^\d/
/** Degrees that are written with full stops: M.D., Ph.D. */
const dotted = new Set(['m d', 'ph d', 'b a', 'm a'])
const numeral = /^[IVX]$/

type Writable = { -readonly [N in keyof Token]: Token[N] }

export function tokensOf(query: string): readonly Token[] {
  const plain = folded(percent.test(query) ? (decoded(query) ?? query) : query)
  const text = spelledOut(withoutParticles(withoutSurroundings(plain)))
  const isShouted = text === text.toUpperCase()
  const hasSpace = /\S\s+\S/.test(text)
  const tokens: Writable[] = []
  for (const { 0: typed, index } of text.matchAll(piece)) {
    const isGlued = tokens.length > 0 && index > 0 && !/\s/.test(text[index - 1]!)
    const isSyllable =
      isGlued && text[index - 1] === '-' && hasSpace && tokens.at(-1)!.aside === undefined
    const isOwner = contraction.test(typed)
    const bare = typed.replace(contraction, '')
    const elided = elision.exec(bare)?.[0] ?? ''
    if (elided !== '')
      add(tokens, elided.slice(0, -1), { isGlued, isShouted, isOwner: false }, true)
    const rest = { isGlued: isGlued || elided !== '', isShouted, isOwner, isSyllable }
    add(tokens, bare.slice(elided.length), rest)
    if (tokens.length >= tokensMax) break
  }
  markEnds(tokens)
  return tokens.slice(0, tokensMax)
}

interface Place extends Pick<Token, 'isGlued' | 'isOwner'> {
  readonly isShouted: boolean
  /** Behind a hyphen inside a text of several words: Jong-un asks nothing. */
  readonly isSyllable?: boolean
}

function add(tokens: Writable[], raw: string, place: Place, isElided = false): void {
  const all = spellingsIn(raw)
  for (let at = 0; at < all.length; at += 1) {
    const number = digit.test(raw) ? ordinalOf(all[at]![0]!) : undefined
    const spellings = number === undefined ? all[at]! : [number]
    const text = spellings[0]!
    // An ordinal number is no number of things that are asked for.
    const said = isElided ? 'asks' : number === undefined ? asideOf(text) : undefined
    const aside = said === 'asks' && place.isSyllable === true ? undefined : said
    tokens.push({
      text,
      spellings,
      raw: all.length === 1 ? raw : text,
      aside,
      office: officeOf(text),
      isBehind: isBehindName(text),
      isCapitals: !place.isShouted && capitals.test(raw),
      isGlued: place.isGlued || at > 0,
      isOwner: place.isOwner && aside !== 'asks',
      isLatin: !notAscii.test(text),
      isHan: han.test(text),
      isNumber: isNumber(text),
      isEponym: isEponym(text),
      isCommon: isCommonWord(text),
    })
  }
}

/** Characters of a name that is cut: no name in Korea has more, and few in China. */
const charactersMax = 4
const wholeName = /^(?:\p{Script=Han}{2,}|\p{Script=Hangul}{2,})$/u
/** Characters of most given names in China and Korea. */
const givenCharacters = 2

/** The ways to cut a name of Han or Hangul into family and given name, the likeliest first; none of another text. */
export function cutNamesOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const joined = tokens.map(({ text, aside }) => (aside === undefined ? text : '')).join('')
  const characters = [...joined.normalize('NFC')]
  if (!wholeName.test(joined) || characters.length > charactersMax) return []
  const cuts: Token[][] = []
  for (let at = 1; at < Math.min(3, characters.length); at += 1) {
    const parts = [characters.slice(0, at), characters.slice(at)]
    cuts.push(parts.map((part) => readAloud(part.join(''))))
  }
  // Both parts of a given name may be words of their own: Kim Dae-jung.
  const [family = '', ...given] = characters
  if (given.length === givenCharacters) {
    cuts.push([readAloud(family, surnameOf(family)), ...given.map((part) => readAloud(part))])
  }
  return cuts
}

function readAloud(text: string, latin = latinOf(text)): Token {
  const tokens: Writable[] = []
  add(tokens, text, { isGlued: false, isShouted: false, isOwner: false })
  return { ...tokens[0]!, text, spellings: [text, latin], aside: undefined, isCommon: false }
}

function markEnds(tokens: Writable[]): void {
  for (let at = 2; at + 1 < tokens.length; at += 1) {
    if (!dotted.has(`${tokens[at]!.text} ${tokens[at + 1]!.text}`)) continue
    tokens[at]!.isBehind = true
    tokens[at + 1]!.isBehind = true
  }
  const last = tokens.at(-1)
  if (last !== undefined && tokens.length > 2 && numeral.test(last.raw)) {
    last.isBehind = true
    last.aside = undefined
  }
  // Beside nothing but words of a name a letter is an initial, whatever else it may be.
  const isOfNames =
    tokens.length <= lettersMax &&
    tokens.every(({ text, aside }) => text.length === 1 || aside === undefined)
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]!
    const isInitial = tokens.length === 2 || (tokens.length === 3 && at > 0 && isUpper(token.raw))
    // M. before a given name is a title.
    const isTitle =
      at === 0 && tokens.length > 2 && token.aside === 'title' && !isLetter(tokens[1]!)
    if (isLetter(token) && !isTitle && (isInitial || isOfNames)) token.aside = undefined
    if (token.isNumber && tokens.length === 2) token.aside = undefined
  }
}

function isLetter({ text }: Token): boolean {
  return text.length === 1
}

function isUpper(raw: string): boolean {
  return raw !== raw.toLowerCase()
}

const german: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
const germanLetter = /[äöüåø]/g
const plainWord = /^[A-Za-z0-9]+$/

/** The words of a text, each with its spellings: the first is the analyzer's, a second one is another. */
function spellingsIn(text: string): readonly (readonly string[])[] {
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
