/**
 * The facts that a biography states about a person's work: an office that people are elected to, with its place and
 * party, and roles of bodies (`Chair of the Committee on X`, `Leads Y`). English, by general grammar; a sentence that
 * is built in another way says nothing here.
 *
 * Invariant: every value stands in the biography as it is written.
 */
import { limits } from '../../limits.ts'
import { termsOf } from '../analyzer.ts'
import { roleModifiers, roleNouns, roleOf, roleVerbs } from './roles.ts'

interface Fact {
  readonly key: string
  readonly value: string
}

/** Capitals begin each word of a place but small ones in it: `District of Columbia`. */
const place = String.raw`(?:U\.S\.\s)?\p{Lu}[\p{L}'’-]*(?:\s(?:of\s|the\s|and\s)?\p{Lu}[\p{L}'’-]*){0,4}`
const offices =
  'Senator|Representative|Congressman|Congresswoman|Governor|Lieutenant Governor|Member of Parliament|' +
  'Member of Congress|MP|MEP|Delegate|Assemblyman|Assemblywoman|Assemblymember|Councillor|Councilor|Mayor'
const elected = new RegExp(
  String.raw`(?:^|[.;:]\s|\b(?:is|as|a|an|the)\s)(?:(?:U\.?S\.?|United States|State|Federal)\s)?(${offices})\s(?:for|from|of)\s(?:the\s)?(${place})(?:,\s[\w-]+(?:\s[\w-]+)?)?(?:\s\((\p{Lu}[\p{L} -]{1,40})\))?`,
  'u',
)

/** Up to the end of the sentence, which may name more: a point within a word or behind an initial is none. */
const body = String.raw`(?=(?:the\s)?((?:[^.;:()\n]|\.(?=\S)|(?<=\b\p{Lu})\.){2,160}))`
const modifiers = `(?:(?:${[...roleModifiers].join('|')})[\\s-]+)*`
const nouns = roleNouns.map((noun) => noun.replace('-', '\\s')).join('|')
const isOf = new RegExp(
  String.raw`(?<![\p{L}-])(${modifiers})(${nouns})\s(?:of|for)\s${body}`,
  'giu',
)
const does = new RegExp(
  String.raw`(?:^|[.;,:]\s|\b(?:who|and|he|she|they|currently|also)\s)(${roleVerbs.join('|')})\s${body}`,
  'giu',
)
/** The part behind a role and its field: another role. */
const another = new RegExp(
  String.raw`,?\s+and\s+(?:the\s|an?\s)?${modifiers}(?:${nouns}|${roleVerbs.join('|')})\b.*$`,
  'iu',
)
const aside = /\s+(?:since|until|in\s\d|from\s\d).*$|,\s+(?!and\s)\p{Ll}.*$/u
/** Tells most biographies apart in a tenth of the time: letters as they are written, and no more of a word. */
const mayHaveOffice = new RegExp(String.raw`(?:${offices})\s(?:for|from|of)\s`)
const eitherCase = (word: string) => `[${word[0]!.toUpperCase()}${word[0]}]${word.slice(1)}`
const mayHaveNoun = new RegExp(
  String.raw`(?:${roleNouns.map((noun) => eitherCase(noun).replace('-m', '\\s[Mm]')).join('|')})\s(?:of|for)\s`,
)
const mayHaveVerb = new RegExp(String.raw`(?:${roleVerbs.map(eitherCase).join('|')})\s`)

/** The facts of a biography in their order, each once; none of one that names no office and no role. */
export function factsOf(biography: string): readonly Fact[] {
  const facts = [
    ...(mayHaveOffice.test(biography) ? officeFacts(biography) : []),
    ...(mayHaveNoun.test(biography) ? factsBefore(biography) : []),
    ...(mayHaveVerb.test(biography) ? factsBehind(biography) : []),
  ]
  if (facts.length === 0) return facts
  return facts
    .filter(
      ({ value }) => value.length <= limits.attributeCharactersMax && termsOf(value).length > 0,
    )
    .filter(({ key, value }, at) => {
      const first = facts.findIndex((each) => each.key === key && each.value === value)
      return first === at
    })
    .slice(0, limits.attributesPerAuthorityMax)
}

function officeFacts(biography: string): Fact[] {
  const [, office, region, party] = elected.exec(biography) ?? []
  if (office === undefined || region === undefined) return []
  const facts = [
    { key: 'office', value: office },
    { key: 'region', value: region },
  ]
  return party === undefined ? facts : [...facts, { key: 'party', value: party }]
}

function factsBefore(biography: string): Fact[] {
  return [...biography.matchAll(isOf)].flatMap(([, before = '', noun = '', rest = '']) => {
    const role = roleOf(noun.toLowerCase().replace(/\s/, '-'))!
    const key = [
      ...before
        .toLowerCase()
        .split(/[\s-]+/)
        .filter(Boolean),
      role,
    ].join('-')
    return bodiesOf(rest, false).map((value) => ({ key, value }))
  })
}

function factsBehind(biography: string): Fact[] {
  return [...biography.matchAll(does)].flatMap(([, verb = '', rest = '']) =>
    bodiesOf(rest, true).map((value) => ({ key: roleOf(verb.toLowerCase())!, value })),
  )
}

/** The bodies of a role. Behind a verb they are names, and several may stand there: `Leads X, Y`. */
function bodiesOf(text: string, isBehindVerb: boolean): string[] {
  const cut = text.replace(another, '').replace(aside, '').trim()
  if (!isBehindVerb) return cut === '' ? [] : [cut]
  const several = cut.split(/,\s+(?:and\s+)?|\s+and\s+/)
  const isNamed = (each: string) =>
    /^[\p{Lu}\p{Lo}\d]/u.test(each) || /^[a-z]+[-_\p{Lu}\d]/u.test(each)
  if (several.every(isNamed)) return several
  return isNamed(cut) ? [cut] : []
}
