/**
 * The sections of authorities, by ordinal: scores, countries, SDUs, and their items as JSON.
 */

import { limits } from '../limits.ts'
import { type Lists, sectionBytes, type TextColumn } from '../memory/columns.ts'
import { fillSlots, type Texts, type TextTable } from '../memory/text-table.ts'
import { pageSections } from '../snapshot/section-pages.ts'
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

/** Summary items in pages, each with the place where its rank goes. */
export function summarySections(
  { summaryHeads, summaryTails }: Collector,
  { arrivals }: Order,
  perPage: number,
) {
  const splits = new Uint32Array(arrivals.length)
  const ends = new Uint32Array(arrivals.length)
  const pages = pagesOf(arrivals, perPage, (page, first) => {
    const json = jsonBytes('summary.json', page, [summaryHeads, summaryTails])
    let end = 0
    page.forEach((arrival, index) => {
      splits[first + index] = summaryHeads.copyTo(arrival, json, end)
      end = summaryTails.copyTo(arrival, json, splits[first + index]!)
      ends[first + index] = end
    })
    return json.subarray(0, end)
  })
  return {
    ...pageSections('summary.json', pages),
    'summary.splits': splits,
    'summary.ends': ends,
  }
}

/** Profile items in pages, whole. */
export function profileSections(
  { profileHeads, profileTails }: Collector,
  { arrivals }: Order,
  scores: Uint16Array,
  perPage: number,
) {
  const ends = new Uint32Array(arrivals.length)
  const pages = pagesOf(arrivals, perPage, (page, first) => {
    const json = jsonBytes('profile.json', page, [profileHeads, profileTails])
    let end = 0
    page.forEach((arrival, index) => {
      end = profileHeads.copyTo(arrival, json, end)
      end += encoder.encodeInto(String(scores[arrival]! / 100), json.subarray(end)).written
      end = profileTails.copyTo(arrival, json, end)
      ends[first + index] = end
    })
    return json.subarray(0, end)
  })
  return { ...pageSections('profile.json', pages), 'profile.ends': ends }
}

/** Makes each page of those who share it: arrivals, from the ordinal of the first of them on. */
function pagesOf(
  arrivals: Uint32Array,
  perPage: number,
  make: (arrivals: Uint32Array, first: number) => Uint8Array,
): Uint8Array[] {
  const pages = Math.max(1, Math.ceil(arrivals.length / perPage))
  return Array.from({ length: pages }, (_, page) => {
    const first = page * perPage
    return make(arrivals.subarray(first, first + perPage), first)
  })
}

/** Bytes of the longest score, `99.99`, and one to spare. */
const scoreBytesMax = 6

/** Bytes for the items of a page. */
function jsonBytes(name: string, page: Uint32Array, columns: readonly TextColumn[]): Uint8Array {
  let bytes = page.length * scoreBytesMax
  for (const column of columns) {
    for (let index = 0; index < page.length; index += 1) bytes += column.lengthOf(page[index]!)
  }
  return sectionBytes(name, bytes, limits.sectionBytesMax)
}
