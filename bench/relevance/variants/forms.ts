/** The ways to write a name that this bench asks for: each makes a text of the parts of a name. */
import type { Random } from '../../../test/support/random.ts'
import { slipped } from '../slips.ts'
import type { Given, NameParts } from './namesakes.ts'

/** Writes a name; undefined where it cannot be written so. */
export type Write = (parts: NameParts, random: Random) => string | undefined

/** Kinds of writing, by their names. */
type Forms = Readonly<Record<string, Write>>

/** A text without accents and strokes, in the case that it has. */
function unmarked(text: string): string {
  const strokes: Readonly<Record<string, string>> = { ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', ß: 'ss' }
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '')
  return bare.replace(/[øØłŁß]/g, (letter) => strokes[letter]!).replaceAll('ı', 'i')
}

const whole = ({ given, surname }: NameParts) => [...given, surname].join(' ')
const short = ({ given, surname }: NameParts) => `${given[0]} ${surname}`
const letter = (name: string) => unmarked(name)[0]!.toUpperCase()
const letters = ({ given }: NameParts) => given.map(letter)
const plainLetters = (text: string) => unmarked(text).replace(/[^A-Za-z]/g, '')
const joined = (text: string) => plainLetters(text).toLowerCase()
const camel = ({ given, surname }: NameParts) =>
  [given[0]!, ...surname.split(/[ -]/)]
    .map((word) => plainLetters(word).replace(/^./, (first) => first.toUpperCase()))
    .join('')
/** A text only where something changed. */
const changed = (text: string, before: string) => (text === before ? undefined : text)

const alphabet = [...'abcdefghijklmnopqrstuvwxyz']
const rows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']

function slip(word: string, random: Random): string | undefined {
  const text = joined(word)
  return text.length < 5 ? undefined : changed(slipped(text, alphabet, random), text)
}

/** A letter beside the one that was meant, behind the first. */
function besideKey(word: string, random: Random): string | undefined {
  const text = joined(word)
  if (text.length < 6) return undefined
  const at = random.between(1, text.length - 1)
  const row = rows.find((each) => each.includes(text[at]!))!
  const key = row.indexOf(text[at]!)
  return text.slice(0, at) + (row[key + 1] ?? row[key - 1]) + text.slice(at + 1)
}

function doubled(word: string, random: Random): string | undefined {
  const text = joined(word)
  if (text.length < 4) return undefined
  const at = random.between(1, text.length)
  return text.slice(0, at) + text[at - 1] + text.slice(at)
}

const heard: readonly (readonly [RegExp, string])[] = [
  [/ph/, 'f'],
  [/ck/, 'k'],
  [/sch/, 'sh'],
  [/ei/, 'ie'],
  [/y$/, 'i'],
  [/son$/, 'sen'],
  [/mann$/, 'man'],
]

function byEar(word: string): string | undefined {
  const text = joined(word)
  if (text.length < 5) return undefined
  return changed(
    heard.reduce((spelled, [sound, spelling]) => spelled.replace(sound, spelling), text),
    text,
  )
}

const middleNames = 'Everest James Marie Anne Lee Alexander Olivier Sofia Ruth Victor'.split(' ')
const byLetter: Readonly<Record<string, string>> = {
  A: 'Anthony',
  B: 'Benjamin',
  C: 'Catherine',
  D: 'Daniel',
  E: 'Edward',
  F: 'Francis',
  G: 'George',
  H: 'Henry',
  J: 'Joseph',
  L: 'Lawrence',
  M: 'Michael',
  R: 'Robert',
  S: 'Samuel',
  T: 'Thomas',
  W: 'William',
}

const german: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ø: 'oe',
  ü: 'ue',
  å: 'aa',
  ß: 'ss',
  Ä: 'Ae',
  Ö: 'Oe',
  Ø: 'Oe',
  Ü: 'Ue',
  Å: 'Aa',
}

/** A name with something before or behind it. */
function around(...templates: readonly string[]): Write {
  return (parts, random) => random.pick(templates).replace('*', short(parts))
}

/** Given names as letters. */
const byLetters: Forms = {
  'Surname FM': (parts) => `${parts.surname} ${letters(parts).join('')}`,
  'Surname F': ({ given, surname }) => `${surname} ${letter(given[0]!)}`,
  'Surname, F. M.': (parts) =>
    `${parts.surname}, ${letters(parts)
      .map((each) => `${each}.`)
      .join(' ')}`,
  'F.M. Surname': (parts) =>
    `${letters(parts)
      .map((each) => `${each}.`)
      .join('')} ${parts.surname}`,
  'FM Surname': (parts) =>
    parts.given.length < 2 ? undefined : `${letters(parts).join('')} ${parts.surname}`,
  'f surname': ({ given, surname }) => `${letter(given[0]!)} ${surname}`.toLowerCase(),
  'F. Surname': ({ given, surname }) => `${letter(given[0]!)}. ${surname}`,
  'F.Surname': ({ given, surname }) => `${letter(given[0]!)}.${surname}`,
  'Surname,F.': ({ given, surname }) => `${surname},${letter(given[0]!)}.`,
  'SURNAME, F.': ({ given, surname }) => `${surname.toUpperCase()}, ${letter(given[0]!)}.`,
  'Surname F et al.': ({ given, surname }) => `${surname} ${letter(given[0]!)} et al.`,
  fsurname: ({ given, surname }) => joined(letter(given[0]!) + surname),
}

/** Without given names. */
const bySurname: Forms = {
  'surname alone': ({ surname }) => surname.toLowerCase(),
  'compound surname joined': ({ surname }) => changed(surname.replace(/[ '’-]/g, ''), surname),
}

/** With a slip of the hand or of the ear, so that others may be meant as well. */
const slips: Forms = {
  'slip in surname': ({ given, surname }, random) => {
    const text = slip(surname, random)
    return text && `${given[0]} ${text}`
  },
  'slip in given name': ({ given, surname }, random) => {
    const text = slip(given[0]!, random)
    return text && `${text} ${surname}`
  },
  'slip in both': ({ given, surname }, random) => {
    const [one, other] = [slip(given[0]!, random), slip(surname, random)]
    return one && other && `${one} ${other}`
  },
  'slip in surname alone': ({ surname }, random) =>
    surname.length > 6 ? slip(surname, random) : undefined,
  'key beside': ({ given, surname }, random) => {
    const text = besideKey(surname, random)
    return text && `${given[0]} ${text}`
  },
  'letter doubled': ({ given, surname }, random) => {
    const text = doubled(surname, random)
    return text && `${given[0]} ${text}`
  },
  'by ear': ({ given, surname }) => {
    const text = byEar(surname)
    return text && `${given[0]} ${text}`
  },
}

/** With the first given name. */
const byName: Forms = {
  'Surname Given': ({ given, surname }) => `${surname} ${given[0]}`,
  'SURNAME Given': ({ given, surname }) => `${surname.toUpperCase()} ${given[0]}`,
  'Surname, Given Middle': ({ given, surname }) => `${surname}, ${given.join(' ')}`,
  'without middle names': (parts) => (parts.given.length < 2 ? undefined : short(parts)),
  'middle name invented': ({ given, surname }, random) =>
    given.length > 1 ? undefined : `${given[0]} ${random.pick(middleNames)} ${surname}`,
  'middle letter invented': ({ given, surname }, random) =>
    given.length > 1 ? undefined : `${given[0]} ${letter(random.pick(middleNames))}. ${surname}`,
  'middle name for its letter': ({ given, surname }) => {
    const middle = /^([A-Z])\.?$/.exec(given[1] ?? '')
    const name = middle === null ? undefined : byLetter[middle[1]!]
    return name && `${given[0]} ${name} ${surname}`
  },
  givensurname: (parts) => joined(short(parts)),
  GivenSurname: camel,
  '#GivenSurname': (parts) => `#${camel(parts)}`,
  surnamegiven: ({ given, surname }) => joined(surname + given[0]),
  'given.surname': ({ given, surname }) => `${joined(given[0]!)}.${joined(surname)}`,
  given_surname: ({ given, surname }) => `${joined(given[0]!)}_${joined(surname)}`,
  'given+surname': (parts) => short(parts).toLowerCase().replaceAll(' ', '+'),
  'Given-Surname': (parts) => short(parts).replaceAll(' ', '-'),
  'compound surname with spaces': ({ given, surname }) => {
    const text = changed(surname.replace(/['’-]/g, ' '), surname)
    return text && `${given[0]} ${text}`
  },
  'compound given name joined': ({ given, surname }) => {
    const text = changed(given[0]!.replaceAll('-', ''), given[0]!)
    return text && `${text.toLowerCase()} ${surname}`
  },
  'compound given name with spaces': ({ given, surname }) => {
    const text = changed(given[0]!.replaceAll('-', ' '), given[0]!)
    return text && `${text} ${surname}`
  },
  'last part of a compound surname': ({ given, surname }) =>
    surname.includes('-') ? `${given[0]} ${surname.split('-').at(-1)}` : undefined,
  'ä as ae': (parts) =>
    changed(
      whole(parts).replace(/[äöøüåßÄÖØÜÅ]/g, (each) => german[each]!),
      whole(parts),
    ),
  'without marks': (parts) => changed(unmarked(whole(parts)), whole(parts)),
  decomposed: (parts) => changed(whole(parts).normalize('NFD'), whole(parts)),
  'soft hyphen': ({ given, surname }) =>
    `${given[0]} ${surname.slice(0, 2)}\u00ad${surname.slice(2)}`,
  'zero width, no break': ({ given, surname }) => `\u200b${given[0]}\u00a0${surname}\ufeff`,
  'full width': (parts) =>
    short(parts).replace(/[A-Za-z]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
  cAsE: (parts) =>
    [...short(parts)]
      .map((each, at) => (at % 2 === 0 ? each.toLowerCase() : each.toUpperCase()))
      .join(''),
  'spaces and a tab': ({ given, surname }) => `  ${given[0]}  \t${surname} `,
  'title before': around(
    ...'Dr. Prof. Mr Ms. Mrs Sir Hon. Frau Monsieur'.split(' ').map((title) => `${title} *`),
  ),
  'letters behind': around(
    ...[' FRS', ', PhD', ' MD', ' OBE', ', M.D.', ' CBE', ' MSc', ' Jr.', ', Ph.D.', ', Esq.'].map(
      (each) => `*${each}`,
    ),
  ),
  'letters before and behind': around('Dr * MD FRCP', '*, MD, PhD', 'Prof. *, PhD'),
  party: around('* (R)', '* (D)', '* (R-TX)', '* [D-CA]', '* (D-N.Y.)', '* (I-Vt.)'),
  'office and party': around(
    'Rep. *, D-N.Y.',
    'Sen. *, R-Texas',
    'Rep. *, R-TX',
    'Sen. *, D-Mass.',
  ),
  'title of a page': around(
    '* | LinkedIn',
    '* - Wikipedia',
    '* · GitHub',
    '* on X',
    '* - Google Scholar',
    '* | Facebook',
    '* – Home',
  ),
  'title of a page with a handle': (parts) => `${short(parts)} (@${joined(short(parts))}) / X`,
  'name and an address': (parts) => `${short(parts)} <${joined(short(parts))}@example.org>`,
  possessive: around('*’s', "*'s"),
  'word behind': around(
    ...'interview news email speech twitter age publications book'
      .split(' ')
      .map((word) => `* ${word}`),
  ),
  'word before': around(
    ...'by from author: cc: re: fwd: contact ask'.split(' ').map((word) => `${word} *`),
  ),
  'et al.': around('* et al', '* et al.'),
  pronouns: around('* (she/her)', '* (he/him)', '* (they/them)'),
  'code behind': around('* [US]', '* [GB]', '* (DE)'),
  'city behind': around('*, London', '*, Berlin', '*, Washington', '*, Paris', '*, Boston'),
  'in a list': around('1. *', '• *;', '- *', '3) *,'),
  'year behind': around('* (2023)', '* 2019', '* [2021]'),
  'loose question': (parts, random) =>
    around(
      'got any info about *',
      'do we have * in here',
      '* who dis',
      'is * any good',
      'looking up *',
      'anything on *?',
      'pull up *',
      'whats the deal with *',
    )(parts, random)?.toLowerCase(),
  'surname begun': ({ given, surname }) =>
    surname.length > 5 ? `${given[0]} ${surname.slice(0, 4)}` : undefined,
}

/** A kind of writing. */
interface Form {
  readonly kind: string
  readonly write: Write
  /** What a text has of the given names. */
  readonly has: Given
  /** Whether who is nearly called so is meant as well. */
  readonly isNear: boolean
}

const formsOf = (forms: Forms, has: Given, isNear = false): Form[] =>
  Object.entries(forms).map(([kind, write]) => ({ kind, write, has, isNear }))

/** Every kind of writing. */
export const forms: readonly Form[] = [
  ...formsOf(byLetters, 'letter'),
  ...formsOf(bySurname, 'nothing'),
  ...formsOf(slips, 'name', true),
  ...formsOf(byName, 'name'),
]

/** The forms in which those who are not there are asked for. */
export const formsForNobody: Forms = {
  'Given Surname': short,
  ...Object.fromEntries(
    ['Surname FM', 'F.M. Surname', 'Surname F et al.'].map((kind) => [kind, byLetters[kind]!]),
  ),
  ...Object.fromEntries(
    [
      'Surname Given',
      'givensurname',
      'title before',
      'title of a page',
      'middle name invented',
      'letters behind',
      'word behind',
      'loose question',
      'city behind',
      'et al.',
    ].map((kind) => [kind, byName[kind]!]),
  ),
}
