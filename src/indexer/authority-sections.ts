/**
 * The sections of authorities, by ordinal: scores, countries, SDUs, and their items as JSON.
 */

import { limits } from '../limits.ts'
import { type Lists, sectionBytes, type TextColumn } from '../memory/columns.ts'
import { fillSlots, type Texts, type TextTable } from '../memory/text-table.ts'
import type { Collector } from './collector.ts'
import type { Order } from './ranking/scores.ts'
import { named, tabled } from './text-sections.ts'

const encoder = new TextEncoder()

/** A number of followers that a section cannot hold is its largest. */
const followersMax = 0xffff_ffff

/** Scores, countries, followers, topics, SDUs, and where records are from. */
export function authoritySections(
  collector: Collector,
  { arrivals }: Order,
  scores: Uint16Array,
  sdus: Texts,
) {
  const countries = collector.authorityCountries.view()
  const followers = collector.followers.view()
  const topics = reorderedLists(collector.topicLists, arrivals)
  const provenances = collector.authorityProvenances.view()
  return {
    'authority.scores': Uint16Array.from(arrivals, (arrival) => scores[arrival]!),
    'authority.countries': arrivals.map((arrival) => countries[arrival]!),
    'authority.followers': arrivals.map((arrival) => Math.min(followersMax, followers[arrival]!)),
    'authority.topic-starts': topics.starts,
    'authority.topics': topics.values,
    'authority.provenances': arrivals.map((arrival) => provenances[arrival]!),
    ...named('provenance', collector.provenances.table()),
    ...named('country', collector.countries.table()),
    ...tabled('sdu', reordered(sdus, arrivals)),
  }
}

/** Lists by arrival in the order of the ordinals. */
function reorderedLists(lists: Lists, arrivals: Uint32Array) {
  const from = { starts: lists.starts.view(), values: lists.values.view() }
  const starts = new Uint32Array(arrivals.length + 1)
  const values = new Uint32Array(from.values.length)
  arrivals.forEach((arrival, ordinal) => {
    const list = from.values.subarray(from.starts[arrival], from.starts[arrival + 1])
    values.set(list, starts[ordinal]!)
    starts[ordinal + 1] = starts[ordinal]! + list.length
  })
  return { starts, values }
}

/** The texts of a table in the order of the ordinals. */
function reordered({ text, ends }: Texts, arrivals: Uint32Array): TextTable {
  const result = { text: new Uint8Array(text.length), ends: new Uint32Array(ends.length) }
  let end = 0
  arrivals.forEach((arrival, ordinal) => {
    const slice = text.subarray(arrival === 0 ? 0 : ends[arrival - 1]!, ends[arrival]!)
    result.text.set(slice, end)
    end += slice.length
    result.ends[ordinal] = end
  })
  return { ...result, slots: fillSlots(result) }
}

function jsonBytes(name: string, ...columns: readonly TextColumn[]): Uint8Array {
  const bytes = columns.reduce((sum, column) => sum + column.bytes, 0)
  return sectionBytes(name, bytes, limits.sectionBytesMax)
}

/** Summary items in one text, each with the place where its rank goes. */
export function summarySections({ summaryHeads, summaryTails }: Collector, { arrivals }: Order) {
  const json = jsonBytes('summary.json', summaryHeads, summaryTails)
  const splits = new Uint32Array(arrivals.length)
  const ends = new Uint32Array(arrivals.length)
  let end = 0
  arrivals.forEach((arrival, ordinal) => {
    splits[ordinal] = summaryHeads.copyTo(arrival, json, end)
    end = summaryTails.copyTo(arrival, json, splits[ordinal]!)
    ends[ordinal] = end
  })
  return { 'summary.json': json, 'summary.splits': splits, 'summary.ends': ends }
}

/** Bytes of the longest score, `99.99`, and one to spare. */
const scoreBytesMax = 6

/** Profile items, whole. */
export function profileSections(
  { profileHeads, profileTails }: Collector,
  { arrivals }: Order,
  scores: Uint16Array,
) {
  const bytesMax = profileHeads.bytes + profileTails.bytes + arrivals.length * scoreBytesMax
  const json = sectionBytes('profile.json', bytesMax, limits.sectionBytesMax)
  const ends = new Uint32Array(arrivals.length)
  let end = 0
  arrivals.forEach((arrival, ordinal) => {
    end = profileHeads.copyTo(arrival, json, end)
    end += encoder.encodeInto(String(scores[arrival]! / 100), json.subarray(end)).written
    end = profileTails.copyTo(arrival, json, end)
    ends[ordinal] = end
  })
  return { 'profile.json': json.subarray(0, end), 'profile.ends': ends }
}
