/**
 * Topic phrases: the one topic that a phrase means, if any. A phrase that is also a person's name, a country or a
 * word that only asks means a topic only if enough members of several sources have it and the source is
 * trusted for topics; a topic with few members yields to every other meaning, and one that the source does not
 * declare and that only the records of one source have yields to a meaning of more people.
 *
 * Invariant: fewer than `limits.phraseMembersMin` records take no phrase from another meaning. Each phrase that
 * a topic loses is reported.
 */
import { limits } from '../limits.ts'
import type { TopicRecord } from '../source/schema.ts'
import { phraseKey } from '../text/number.ts'
import { asideOf } from '../text/speech/aside-words.ts'
import { isCommonWord } from '../text/speech/plain-english.ts'
import { isStopWord } from '../text/stop-words.ts'
import type { NameWords } from './name-words.ts'
import { countryKeys } from './places.ts'
import { relatedPhrases } from './related-phrases.ts'

export interface KnownTopics {
  /** Keys of each topic: of its label, then of its aliases. */
  readonly keys: readonly (readonly string[])[]
  readonly takenAliases: readonly { readonly key: string; readonly topic: number }[]
  readonly absent: readonly TopicRecord[]
  readonly sizeOf: (topic: number) => number
  readonly isDeclared: (topic: number) => boolean
  /** Whether records of several sources have a topic; of one, where there is one alone. */
  readonly isOfSeveral: (topic: number) => boolean
  /** Whether a topic may be called like something else; asked only of those with enough members. */
  readonly isTrusted: (topic: number) => boolean
}

interface OtherMeanings {
  readonly names: NameWords
  /** Number of people with the place or attribute that this phrase means. */
  readonly peopleOf: (phrase: string) => number
}

/** Other meanings of a phrase that is the label or an alias of a topic. */
const contests = {
  name: 'a name',
  country: 'a country',
  asking: 'a word that only asks',
  fact: 'a place or an attribute',
  topic: 'another topic',
} as const

export interface ContestedTopic {
  readonly key: string
  readonly members: number
  readonly meaning: (typeof contests)[keyof typeof contests]
}

export interface TopicPhrases {
  readonly meant: ReadonlyMap<string, number>
  /** The topics whose members stand behind the people, or the other topic, that a phrase means. */
  readonly behind: ReadonlyMap<string, number>
  readonly related: ReadonlyMap<string, number>
  readonly contested: readonly ContestedTopic[]
}

export function topicPhrases(known: KnownTopics, others: OtherMeanings): TopicPhrases {
  const { sizeOf } = known
  const { claims, outdone } = claimsOf(known)
  const meant = new Map<string, number>()
  const behind = new Map<string, number>()
  const contested: ContestedTopic[] = []
  const lose = (phrase: string, { key, topic }: Claim, meaning: ContestedTopic['meaning']) => {
    meant.delete(phrase)
    contested.push({ key, members: sizeOf(topic), meaning })
  }
  const { names: countries } = countryKeys()
  for (const [phrase, claim] of claims) {
    const { key, topic } = claim
    meant.set(phrase, topic)
    const isSmall = sizeOf(topic) < limits.phraseMembersMin
    const isTrusted = !isSmall && known.isTrusted(topic)
    const isFirm = strengthOf(known, topic) === 2
    if (isOfPerson(key, others.names, isSmall ? 0 : sizeOf(topic), isFirm)) {
      behind.set(phrase, topic)
      // Beside other words a common English word is rather a subject than a surname.
      if (!isTrusted && !isCommonWord(key)) lose(phrase, claim, contests.name)
    } else if (countries.has(phrase)) {
      if (!isTrusted) lose(phrase, claim, contests.country)
    } else if (key.split(' ').every(onlyAsks)) {
      if (!isTrusted) lose(phrase, claim, contests.asking)
    } else if ((isSmall || !isFirm) && others.peopleOf(phrase) > sizeOf(topic)) {
      lose(phrase, claim, contests.fact)
    }
    const loser = outdone.get(phrase)
    if (loser !== undefined && meant.has(phrase) && !behind.has(phrase)) behind.set(phrase, loser)
  }
  const topicOf = (phrase: string) => meant.get(phrase) ?? -1
  const related = relatedPhrases({
    ...known,
    topicOf,
    isWeak: (topic) => strengthOf(known, topic) === 0,
    // `securities` are no word for Security: a topic of enough members yields only to its exact spelling.
    takes: (topic, word, from) =>
      isStronger(known, topic, from) &&
      (sizeOf(from) < limits.phraseMembersMin || known.keys[from]!.includes(word)),
  })
  for (const phrase of related.keys()) {
    const topic = meant.get(phrase)
    if (topic === undefined) continue
    behind.set(phrase, topic)
    lose(phrase, claims.get(phrase)!, contests.topic)
  }
  return { meant, behind, related, contested }
}

interface Claim {
  readonly key: string
  readonly topic: number
}

/** Strength of a topic: 2 if the source declares it, else 0 if few people have it, 2 if several sources do, or 1. */
function strengthOf({ sizeOf, isDeclared, isOfSeveral }: KnownTopics, topic: number): 0 | 1 | 2 {
  if (isDeclared(topic)) return 2
  if (sizeOf(topic) < limits.phraseMembersMin) return 0
  return isOfSeveral(topic) ? 2 : 1
}

/** Whether a topic takes a phrase from another: from one that few have, or from a smaller one of one source. */
function isStronger(known: KnownTopics, topic: number, other: number): boolean {
  const [own, its] = [strengthOf(known, topic), strengthOf(known, other)]
  return its === 0 ? own > 0 : its === 1 && own > 0 && known.sizeOf(topic) > known.sizeOf(other)
}

/**
 * Of the topics with one phrase the one with more members, of equals the first; and those that lose the phrase
 * also as they write it, because the other is stronger.
 */
function claimsOf(known: KnownTopics) {
  const { keys, takenAliases, sizeOf } = known
  const claims = new Map<string, Claim>()
  const outdone = new Map<string, number>()
  const claim = (key: string, topic: number) => {
    const phrase = phraseKey(key.split(' '))
    const other = claims.get(phrase)
    const wins = other === undefined || sizeOf(topic) > sizeOf(other.topic)
    if (wins) claims.set(phrase, { key, topic })
    const [winner, loser] = wins ? [topic, other?.topic] : [other.topic, topic]
    if (loser !== undefined && isStronger(known, winner, loser)) outdone.set(phrase, loser)
  }
  keys.forEach((all, topic) => {
    for (const key of all) claim(key, topic)
  })
  for (const { key, topic } of takenAliases) claim(key, topic)
  return { claims, outdone }
}

/**
 * Whether a key is what a person is called. Of a topic with enough members, a single word is the topic's, and one
 * word of several has to be a word of names: a person may not take a subject by being called so.
 * @param members of the topic; 0 where a topic yields to any name.
 * @param isFirm false where a topic yields to a single word that is a name of more people.
 */
function isOfPerson(key: string, names: NameWords, members: number, isFirm: boolean): boolean {
  if (!names.areOfOnePerson(key)) return false
  if (members === 0) return true
  const terms = key.split(' ')
  const isSurname = terms.length === 1 && !isFirm && names.peopleCalled(key) > members
  return (terms.length > 1 || isSurname) && terms.some((term) => names.isName(term, members))
}

/** Whether a word carries no meaning; a common English word does, also where another language asks with it. */
function onlyAsks(term: string): boolean {
  return isStopWord(term) || (asideOf(term) === 'asks' && !isCommonWord(term))
}
