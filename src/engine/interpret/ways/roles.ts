/**
 * People by a role of a body, as biographies say it: `who chairs the judiciary committee`. Where a
 * body is called so and no more, it alone is meant.
 */
import { termsOf } from '../../../text/analyzer.ts'
import { phraseKey } from '../../../text/number.ts'
import { asideOf } from '../../../text/speech/aside-words.ts'
import { roleModifiers, roleOf, rolesMeantBy } from '../../../text/speech/roles.ts'
import type { Catalog } from '../../catalog.ts'
import { type DocSet, forEachInAll } from '../../postings/doc-set.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import { textsWithout } from '../found.ts'
import { foundPeople, isOneName, type WayOfSearch } from './way.ts'

/** Words of the longest text that is read so. */
const wordsMax = 16
/** People who hold the words of a body, and those of them whose roles are read: bounds the work. */
const metMax = 4_096
const readMax = 96

interface Asked {
  /** Keys of attributes, the nearest first. */
  readonly roles: readonly string[]
  readonly body: readonly QueryWord[]
  readonly used: readonly QueryWord[]
}

export const roles: WayOfSearch = {
  name: 'roles',
  find: ({ catalog }, text, limit) => {
    const all = text.words
    const isRead = catalog.counts.attributes > 0 && all.length <= wordsMax
    const asked = isRead ? askedIn(all) : undefined
    if (asked === undefined || isOneName(all)) return undefined
    // A team may be called so, or by its subject alone.
    const subject = asked.body.filter(({ text }) => asideOf(text) !== 'practises')
    const bodies = [asked.body, ...(subject.length < asked.body.length ? [subject] : [])]
    for (const body of bodies.filter(({ length }) => length > 0)) {
      const holders = body.map(({ held }) => held)
      const people = peopleIn(catalog, { ...asked, body }, holders)
      const used = asked.used.filter((word) => !asked.body.includes(word) || body.includes(word))
      const leftOut = textsWithout(all, used)
      if (people.length > 0) return foundPeople('words', people, limit, used, leftOut)
    }
    return undefined
  },
}

/** `ranking member` is one role, and a member is none. */
function roleIn(text: string): string | undefined {
  return text === 'ranking' ? 'ranking-member' : roleOf(text)
}

function askedIn(words: readonly QueryWord[]): Asked | undefined {
  const at = words.findIndex(({ text }) => roleIn(text) !== undefined)
  if (at < 0 || words.some(({ isExact }) => isExact)) return undefined
  const role = roleIn(words[at]!.text)!
  let start = at
  while (start > 0 && roleModifiers.has(words[start - 1]!.text)) start -= 1
  const end = role === 'ranking-member' ? at + 2 : at + 1
  if (role === 'ranking-member' && words[at + 1]?.text !== 'member') return undefined
  const before = words.slice(start, at).map(({ text }) => `${text}-`)
  const others = [...words.slice(0, start), ...words.slice(end)]
  const body = others.filter(({ text, isStop }) => !isStop && asideOf(text) !== 'asks')
  if (body.length === 0) return undefined
  const meant = before.length > 0 ? [role] : rolesMeantBy(role)
  return {
    roles: meant.map((each) => before.join('') + each),
    body,
    used: [...words.slice(start, end), ...body],
  }
}

/** The holders of the role of the body: of the nearest role; of a body of exactly that name, if there is one. */
function peopleIn(catalog: Catalog, asked: Asked, holders: readonly DocSet[]): readonly number[] {
  const found: { ordinal: number; nearness: number }[] = []
  let met = 0
  let read = 0
  forEachInAll(holders, (ordinal) => {
    met += 1
    const own = catalog.attributesOf(ordinal)
    if (own.length > 0) read += 1
    for (const attribute of own) {
      const nearness = nearnessOf(catalog.attributeOf(attribute), asked)
      if (nearness >= 0) found.push({ ordinal, nearness })
    }
    return met < metMax && read < readMax
  })
  const nearest = Math.min(...found.map(({ nearness }) => nearness))
  return found.filter(({ nearness }) => nearness === nearest).map(({ ordinal }) => ordinal)
}

/** -1 where an attribute is not such a role; the less the nearer it is to what was asked for. */
function nearnessOf(attribute: string, { roles: meant, body }: Asked): number {
  const colon = attribute.indexOf(':')
  const role = meant.indexOf(attribute.slice(0, colon))
  if (role < 0) return -1
  const terms = termsOf(attribute.slice(colon + 1))
  const keys = new Set(terms.map((term) => phraseKey([term])))
  if (!body.every(({ key }) => keys.has(key))) return -1
  // As it is written before the other number.
  const isWritten = body.every(({ text }) => terms.includes(text))
  return role * 3 + (keys.size === body.length ? 0 : isWritten ? 1 : 2)
}
