/**
 * Phrases that are other words for a topic: records of the source about topics without people, and the
 * tables of general knowledge (`src/text/related/`), as far as the index has the topics.
 *
 * Invariant: a phrase that names a topic is no other word for another one, unless the topic is weak and the other
 * is not.
 */

import type { TopicRecord } from '../source/schema.ts'
import { termsOf } from '../text/analyzer.ts'
import { lazily } from '../text/lazily.ts'
import { phraseKey } from '../text/number.ts'
import { topicTerms } from '../text/related/topic-terms.ts'
import { isStopWord } from '../text/stop-words.ts'

/** Maximum number of steps to broader topics, so that a circle of them ends. */
const broaderSteps = 8

/** Strength of topics. */
interface TopicStrengths {
  /** Whether too few people have a topic. */
  readonly isWeak: (topic: number) => boolean
  /** Whether a topic takes another word for it from a topic that is called so. */
  readonly takes: (topic: number, word: string, from: number) => boolean
}

/**
 * The topic of each phrase; entries of the source precede those of the tables.
 * @param topicOf the topic that a phrase names, or -1.
 */
export function relatedPhrases(
  absentTopics: readonly TopicRecord[],
  topicOf: (phrase: string) => number,
  { isWeak, takes }: TopicStrengths,
): ReadonlyMap<string, number> {
  const related = new Map<string, number>()
  const relate = ({ phrase, word }: OtherWord, topic: number) => {
    if (phrase === '' || topic < 0 || related.has(phrase)) return
    const named = topicOf(phrase)
    if (named >= 0 && !takes(topic, word, named)) return
    related.set(phrase, topic)
  }
  const absent = new Map(absentTopics.map((record) => [phraseOf(record.topic), record]))
  for (const record of absentTopics) {
    const topic = broaderOf(record, absent, topicOf)
    for (const text of [record.topic, ...record.aliases]) relate(otherWordOf(text), topic)
  }
  const strongOf = (phrase: string) => {
    const topic = topicOf(phrase)
    return topic < 0 || isWeak(topic) ? -1 : topic
  }
  for (const { other, names } of generalTerms()) {
    const strong = firstTopic(names, strongOf)
    relate(other, strong < 0 ? firstTopic(names, topicOf) : strong)
  }
  return related
}

/** Another word for a topic: its phrase without stop words, and all its terms. */
interface OtherWord {
  readonly phrase: string
  readonly word: string
}

/** The tables of general knowledge: each word, and the phrases of what it may mean. */
const generalTerms = lazily(() =>
  topicTerms().map(({ term, names }) => ({
    other: otherWordOf(term),
    names: names.map(phraseOf),
  })),
)

function otherWordOf(text: string): OtherWord {
  const terms = termsOf(text)
  return {
    phrase: phraseKey(terms.filter((term) => !isStopWord(term))),
    word: terms.join(' '),
  }
}

function phraseOf(text: string): string {
  return phraseKey(termsOf(text))
}

/** The first topic that one of some phrases names, or -1. */
function firstTopic(phrases: readonly string[], topicOf: (phrase: string) => number): number {
  for (const phrase of phrases) {
    const topic = topicOf(phrase)
    if (topic >= 0) return topic
  }
  return -1
}

/** The nearest topic with people above one without, or -1. */
function broaderOf(
  record: TopicRecord,
  absent: ReadonlyMap<string, TopicRecord>,
  topicOf: (phrase: string) => number,
): number {
  let phrases = (record.broader ?? []).map(phraseOf)
  for (let step = 0; step < broaderSteps && phrases.length > 0; step += 1) {
    const topic = firstTopic(phrases, topicOf)
    if (topic >= 0) return topic
    phrases = phrases.flatMap((phrase) => (absent.get(phrase)?.broader ?? []).map(phraseOf))
  }
  return -1
}
