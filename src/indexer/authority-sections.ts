/** The sections of authorities, by ordinal: scores, countries, and their items as JSON. */

import { limits } from '../limits.ts'
import { writeAscii } from '../memory/ascii.ts'
import { Lists, type ListView, uint32Column } from '../memory/columns.ts'
import { inBuckets } from '../memory/hash-buckets.ts'
import { allTexts, encodeTexts, hashBytes } from '../memory/text-table.ts'
import { Refusal } from '../problems.ts'
import { identitySlots } from '../snapshot/people/identities.ts'
import { websiteIn } from '../snapshot/people/websites.ts'
import { pageName } from '../snapshot/sections.ts'
import type { FiledTexts } from '../snapshot/texts/filed-texts.ts'
import { type Collector, partEnd } from './collector.ts'
import { countryMember } from './items.ts'
import type { Order } from './ranking/scores.ts'
import { bucketed, named } from './text-sections.ts'

/** A number of followers that a section cannot hold is its largest. */
const followersMax = 0xffff_ffff

export function authoritySections(collector: Collector, { arrivals }: Order, scores: Uint16Array) {
  const countries = collector.authorityCountries.view()
  const countryTexts = collector.countries.textsFrom(0)
  const followers = collector.followers.view()
  const members = encodeTexts(allTexts(countryTexts).map(countryMember))
  const topics = reorderedLists(collector.topicLists.view(), arrivals)
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
    ...named('country', countryTexts),
    'summary.countries': members.text,
    'summary.country-starts': members.starts,
  }
}

function reorderedLists({ starts, values }: ListView, arrivals: Uint32Array): ListView {
  const lists = new Lists()
  for (const arrival of arrivals) {
    lists.values.append(values.subarray(starts[arrival], starts[arrival + 1]))
    lists.end()
  }
  return lists.view()
}

const stepLength = 1 << 14
const partEndByte = partEnd.charCodeAt(0)

/** Both at once, because what they are made of is read from a file where there is much of it. */
export function authorityItemSections(
  { items, identityBytes }: Collector,
  { arrivals }: Order,
  scores: Uint16Array,
  { perPage, texts }: { readonly perPage: number; readonly texts: FiledTexts },
  onProgress: (fraction: number) => void,
) {
  const most = limits.sectionBytesMax
  if (identityBytes > most) {
    const bounds = `${identityBytes} bytes of ${most}`
    throw new Refusal('build-limit', `section identity.json would take ${bounds}`)
  }
  const identities = new Uint8Array(identityBytes)
  const identityStarts = new Uint32Array(arrivals.length + 1)
  const profileStarts = uint32Column()
  const websites = { hashes: uint32Column(), ordinals: uint32Column() }
  const score = new Uint8Array(8)
  texts.begin('profile.json')
  arrivals.forEach((arrival, ordinal) => {
    if (ordinal % stepLength === 0) onProgress(ordinal / arrivals.length)
    if (ordinal > 0 && ordinal % perPage === 0) {
      profileStarts.push(texts.length)
      texts.begin(pageName(ordinal / perPage))
    }
    const item = items.bytesOf(arrival)
    const head = item.indexOf(partEndByte) + 1
    const tail = item.indexOf(partEndByte, head) + 1
    const identityStart = identityStarts[ordinal]!
    identities.set(item.subarray(0, head - 1), identityStart)
    identityStarts[ordinal + 1] = identityStart + head - 1
    profileStarts.push(texts.length)
    texts.push(item.subarray(head, tail - 1))
    texts.push(score.subarray(0, writeAscii(score, 0, String(scores[arrival]! / 100))))
    texts.push(item.subarray(tail))
    const website = websiteIn(item, head, item.length)
    if (website.length > 0) {
      websites.hashes.push(hashBytes(website, 0, website.length))
      websites.ordinals.push(ordinal)
    }
  })
  profileStarts.push(texts.length)
  texts.end()
  return {
    'identity.json': identities,
    'identity.starts': identityStarts,
    'identity.slots': identitySlots({ text: identities, starts: identityStarts }),
    'profile.json': new Uint8Array(0),
    'profile.starts': profileStarts.view(),
    ...bucketed('website', inBuckets(websites.hashes.view(), websites.ordinals.view())),
  }
}
