/**
 * The first answers of the current snapshot to the names of its best people and to its largest topics, asked again of
 * the next one. Only texts and SDUs are kept in between.
 */
import type { Engine } from '../../../engine/open.ts'
import type { StoredFacts } from '../../../snapshot/facts.ts'
import { Identities } from '../../../snapshot/people/identities.ts'
import { topicKey } from '../../../text/analyzer.ts'
import { labelOf, membersOf, personNamesOf, shareOf } from '../pair.ts'

/** Maximum number of names that are asked, and of topics. */
const questionsMax = 1_000
/** Number of members of a topic that are kept as answers, for the case that those before them are gone. */
const answersMax = 10
/** The first of a topic may exchange places with those behind it every day. */
const topicPlaces = 3
/** Number of changed answers that is never a fault, however few questions are asked. */
const changedMin = 3
/** Topics with fewer members say nothing by their first. */
const membersMin = 20

/** A text, and the SDUs that answer it, the first first. */
interface Question {
  readonly text: string
  readonly sdus: readonly string[]
}

/** The questions to the next snapshot. */
export interface Questions {
  readonly names: readonly Question[]
  readonly topics: readonly Question[]
  /** Whether the current snapshot has a person with this SDU. */
  readonly has: (sdu: string) => boolean
}

/** Shares of the questions, beyond a few, whose first answer is not among the first now. */
export interface AnswerChanges {
  readonly names: number
  readonly topics: number
}

/**
 * The names of the 1,000 best by score and the labels of the 1,000 largest topics of 20 members or more.
 * O(topics). Keeps the table of SDUs.
 */
export function questionsOf(before: StoredFacts | undefined): Questions {
  if (before === undefined) return { names: [], topics: [], has: () => false }
  const people = new Identities(before)
  const has = (sdu: string) => people.find(sdu) >= 0
  return { names: namesOf(before), topics: topicsOf(before), has }
}

/** Of namesakes the best answers. */
function namesOf(before: StoredFacts): Question[] {
  const nameOf = personNamesOf(before)
  const asked = new Map<string, Question>()
  const count = Math.min(questionsMax, before.header.counts.authorities)
  for (let ordinal = 0; ordinal < count; ordinal += 1) {
    const text = nameOf(ordinal)
    const key = topicKey(text)
    if (!asked.has(key)) asked.set(key, { text, sdus: sdusOf(before, [ordinal]) })
  }
  return [...asked.values()]
}

function topicsOf(before: StoredFacts): Question[] {
  const starts = before.sections['topic.member-starts']
  const sizeOf = (topic: number) => starts[topic + 1]! - starts[topic]!
  return Array.from({ length: before.header.counts.topics }, (_, topic) => topic)
    .filter((topic) => sizeOf(topic) >= membersMin)
    .sort((a, b) => sizeOf(b) - sizeOf(a) || a - b)
    .slice(0, questionsMax)
    .map((topic) => ({
      text: labelOf(before, topic),
      sdus: sdusOf(before, membersOf(before, topic).subarray(0, answersMax)),
    }))
}

function sdusOf(snapshot: StoredFacts, ordinals: Iterable<number>): string[] {
  const people = new Identities(snapshot)
  return Array.from(ordinals, (ordinal) => people.sduOf(ordinal))
}

/**
 * Asks the questions. If the person of an answer left, the next answer counts. New people are ignored
 * in topics, where they may well be first, but not under the name of a person who is there.
 */
export function answersChanged(engine: Engine, { names, topics, has }: Questions): AnswerChanges {
  const { catalog, search } = engine
  const isThere = (sdu: string) => catalog.findSdu(sdu) >= 0
  const shareChanged = (
    questions: readonly Question[],
    places: number,
    counts: (sdu: string) => boolean,
  ) => {
    const open = questions.flatMap(({ text, sdus }) => {
      const expected = sdus.find(isThere)
      // A name in the form of an address means that account.
      return expected === undefined || search.isIdentity(text) ? [] : [{ text, expected }]
    })
    const changed = open.filter(({ text, expected }) => {
      const answers = answeredSdus(engine, text).filter(counts)
      return !answers.slice(0, places).includes(expected)
    })
    return shareOf(Math.max(0, changed.length - changedMin), open.length)
  }
  return {
    names: shareChanged(names, 1, () => true),
    topics: shareChanged(topics, topicPlaces, has),
  }
}

/** The SDUs in the first items that a search answers with. */
export function answeredSdus({ catalog, search }: Engine, text: string): string[] {
  const { topic, ordinals } = search.find(text, answersMax)
  if (topic < 0) return Array.from(ordinals, (ordinal) => catalog.sduOf(ordinal))
  const { start, end } = catalog.itemsOfTopic(topic, answersMax)
  const items = Array.from({ length: end - start }, (_, at) =>
    catalog.rankedItems.textAt(start + at),
  )
  return JSON.parse(`[${items.join('')}]`).map(({ sdu }: { sdu: string }) => sdu)
}
