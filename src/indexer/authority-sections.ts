/**
 * The sections of authorities, by ordinal: scores, countries, SDUs, and their items as JSON.
 */

import { limits } from '../limits.ts'
import { type Lists, sectionBytes } from '../memory/columns.ts'
import type { RecordTexts } from '../memory/record-texts.ts'
import { fillSlots, type Texts, type TextTable } from '../memory/text-table.ts'
import { pageSections } from '../snapshot/section-pages.ts'
import { type Collector, itemParts } from './collector.ts'
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
  const told = collector.provenances.length === 0 ? arrivals.subarray(0, 0) : arrivals
  return {
    'authority.scores': Uint16Array.from(arrivals, (arrival) => scores[arrival]!),
    'authority.countries': arrivals.map((arrival) => countries[arrival]!),
    'authority.followers': arrivals.map((arrival) => Math.min(followersMax, followers[arrival]!)),
    'authority.topic-starts': topics.starts,
    'authority.topics': topics.values,
    'authority.provenances': told.map((arrival) => provenances[arrival]!),
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

/** Bytes of the longest score, `99.99`, and one to spare. */
const scoreBytesMax = 6

/**
 * Summary items, each with the place where its rank goes, and profile items, both in pages. Both at
 * once, because what they are made of is read from a file where there is much of it.
 */
export function authorityItemSections(
  { items }: Collector,
  { arrivals }: Order,
  scores: Uint16Array,
  perPage: number,
  onPage: (fraction: number) => void,
) {
  const { summaryHead, summaryTail, profileHead, profileTail } = itemParts
  const splits = new Uint32Array(arrivals.length)
  const summaryEnds = new Uint32Array(arrivals.length)
  const profileEnds = new Uint32Array(arrivals.length)
  const summaries: Uint8Array[] = []
  const profiles: Uint8Array[] = []
  let ordinal = 0
  do {
    onPage(ordinal / arrivals.length)
    const page = arrivals.subarray(ordinal, ordinal + perPage)
    const summary = pageBytes('summary.json', items, page, [summaryHead, summaryTail], 0)
    const profile = pageBytes(
      'profile.json',
      items,
      page,
      [profileHead, profileTail],
      scoreBytesMax,
    )
    let [summaryEnd, profileEnd] = [0, 0]
    for (const arrival of page) {
      splits[ordinal] = items.copyTo(arrival, summaryHead, summary, summaryEnd)
      summaryEnd = items.copyTo(arrival, summaryTail, summary, splits[ordinal]!)
      summaryEnds[ordinal] = summaryEnd
      const score = String(scores[arrival]! / 100)
      const scoreAt = items.copyTo(arrival, profileHead, profile, profileEnd)
      const tailAt = scoreAt + encoder.encodeInto(score, profile.subarray(scoreAt)).written
      profileEnd = items.copyTo(arrival, profileTail, profile, tailAt)
      profileEnds[ordinal] = profileEnd
      ordinal += 1
    }
    summaries.push(summary)
    profiles.push(profile.subarray(0, profileEnd))
  } while (ordinal < arrivals.length)
  return {
    ...pageSections('summary.json', summaries),
    'summary.splits': splits,
    'summary.ends': summaryEnds,
    ...pageSections('profile.json', profiles),
    'profile.ends': profileEnds,
  }
}

/** Bytes for some parts of the items of a page, and so many more for each. */
function pageBytes(
  name: string,
  items: RecordTexts,
  page: Uint32Array,
  parts: readonly number[],
  more: number,
): Uint8Array {
  let bytes = page.length * more
  for (const arrival of page) {
    for (const part of parts) bytes += items.lengthOf(arrival, part)
  }
  return sectionBytes(name, bytes, limits.sectionBytesMax)
}
