/** Ranks of a person in topics, a query each, sent only on request. */
import { useState } from 'preact/hooks'
import type { AnswerEnvelope, TopicRankItem } from '../../model/answers.ts'
import {
  placeAmong,
  type RankedPerson,
  type TopicPlace,
  topicRankQuery,
} from '../../model/people/topic-ranks.ts'
import { type AnswerState, useOwnAsk } from '../../page-session.ts'

/** The places that are known, by topic, and the way to more; the first topic without an answer ends it. */
export function useTopicRanks(person: RankedPerson) {
  const ask = useOwnAsk()
  const [places, setPlaces] = useState<ReadonlyMap<string, TopicPlace | undefined>>(new Map())
  const [asked, setAsked] = useState<AnswerState<unknown>>({ kind: 'cancelled' })
  const askFor = async (topics: readonly string[]) => {
    const found = new Map(places)
    for (const topic of topics) {
      setAsked({ kind: 'loading' })
      const outcome = await ask<AnswerEnvelope<TopicRankItem>>(topicRankQuery(person, topic))
      setAsked(outcome)
      if (outcome.kind !== 'answer') return
      found.set(topic, placeAmong(outcome.json.results, person.sdu, topic))
      setPlaces(new Map(found))
    }
  }
  return { places, asked, askFor }
}
