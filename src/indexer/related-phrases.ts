/**
 * Phrases that are other words for a topic, as far as the index has the topics. In this order, the first counts: records
 * of the source about topics without people; abbreviations; words of the family of a topic's last word; nouns of the
 * same meaning, of one origin, or a kind of it.
 *
 * Invariant: a phrase that names a topic is no other word for another one, unless the topic is weak, the other is not,
 * and the source or an abbreviation says so.
 */

import type { TopicRecord } from '../source/schema.ts'
import { termsOf } from '../text/analyzer.ts'
import { lazily } from '../text/lazily.ts'
import { phraseKey } from '../text/number.ts'
import { abbreviations } from '../text/related/abbreviations.ts'
import { isNoun, type NamedTopic, nounsOf } from '../text/related/nouns.ts'
import { familyOf } from '../text/related/word-families.ts'
import { isCommonWord } from '../text/speech/plain-english.ts'
import { isStopWord } from '../text/stop-words.ts'

/** Maximum number of steps to broader topics, so that a circle of them ends. */
const broaderSteps = 8

interface Topics {
  readonly keys: readonly (readonly string[])[]
  readonly absent: readonly TopicRecord[]
  readonly sizeOf: (topic: number) => number
  /** The topic that a phrase names, or -1. */
  readonly topicOf: (phrase: string) => number
  readonly isWeak: (topic: number) => boolean
  /** Whether a topic takes another word for it from a topic that is called so. */
  readonly takes: (topic: number, word: string, from: number) => boolean
}

export function relatedPhrases(topics: Topics): ReadonlyMap<string, number> {
  const { absent: absentTopics, topicOf, isWeak, takes } = topics
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
  for (const names of subjects()) {
    const phrases = names.map(({ word }) => phraseKey(word.split(' ')))
    const strong = firstTopic(phrases, strongOf)
    const topic = strong < 0 ? firstTopic(phrases, topicOf) : strong
    for (const other of names) relate(other, topic)
  }
  const named = namedTopics(topics)
  const mean = (phrase: string, topic: number) => {
    if (topicOf(phrase) < 0 && !related.has(phrase)) related.set(phrase, topic)
  }
  for (const { topic, keys } of named) {
    for (const key of keys) {
      const terms = key.split(' ').filter((term) => !isStopWord(term))
      const last = terms.pop() ?? ''
      for (const form of familyOf(last)) {
        // Most forms that the endings make are no words.
        if (isNoun(form) || isCommonWord(form)) mean(phraseKey([...terms, form]), topic)
      }
    }
  }
  for (const { word, topic } of nounsOf(named)) mean(phraseKey(word.split(' ')), topic)
  return related
}

/** The topics by their keys, those that many have first. */
function namedTopics({ keys, sizeOf, isWeak }: Topics): NamedTopic[] {
  const order = [...keys.keys()].sort(
    (one, other) =>
      Number(isWeak(one)) - Number(isWeak(other)) || sizeOf(other) - sizeOf(one) || one - other,
  )
  return order.map((topic) => ({ topic, keys: keys[topic]! }))
}

/** Another word for a topic: its phrase without stop words, and all its terms. */
interface OtherWord {
  readonly phrase: string
  readonly word: string
}

const subjects = lazily(() => abbreviations().map((names) => names.map(otherWordOf)))

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
