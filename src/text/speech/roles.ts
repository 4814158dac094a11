/** Words by which people say what somebody is of something; general English, no body is named. */
import { roles } from '../tables/tables.made.ts'

/** Words that turn a role into another: a vice chair is no chair. */
export const roleModifiers: ReadonlySet<string> = new Set(
  'vice deputy co acting former assistant associate honorary interim emeritus'.split(' '),
)

/** Roles that a question for a leader also means; the nearest first. */
const alsoLead = ['chair', 'president', 'coordinator', 'maintainer']

interface Row {
  readonly role: string
  readonly nouns: readonly string[]
  readonly verbs: readonly string[]
}

const rows: readonly Row[] = roles()
  .split('\n')
  .map((line) => {
    const [role = '', nouns = '', verbs = ''] = line.split('|').map((part) => part.trim())
    const wordsOf = (text: string) => (text === '' ? [] : text.split(' '))
    return { role, nouns: wordsOf(nouns), verbs: wordsOf(verbs) }
  })

const byWord = new Map(
  rows.flatMap(({ role, nouns, verbs }) => [
    ...nouns.flatMap((noun) => [[noun, role] as const, [`${noun}s`, role] as const]),
    ...verbs.map((verb) => [verb, role] as const),
  ]),
)

/** Words of biographies: nouns before `of`, and verbs of what is so now, before what it is of. */
export const roleNouns: readonly string[] = rows.flatMap(({ nouns }) => nouns)
export const roleVerbs: readonly string[] = rows.flatMap(({ verbs }) =>
  verbs.filter((verb) => /(?<!s)s$|founded$/.test(verb)),
)

/** The role that a word says, as the analyzer spells it; undefined for any other word. */
export function roleOf(word: string): string | undefined {
  return byWord.get(word)
}

export function rolesMeantBy(role: string): readonly string[] {
  return role === 'head' ? [role, ...alsoLead] : [role]
}

const names: ReadonlySet<string> = new Set(rows.map(({ role }) => role))

/** Whether the key of an attribute is that of a role, with or without a modifier. */
export function isRoleKey(key: string): boolean {
  if (names.has(key)) return true
  const [modifier = '', ...rest] = key.split('-')
  return roleModifiers.has(modifier) && isRoleKey(rest.join('-'))
}
