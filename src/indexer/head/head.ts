/**
 * Cuts the head off a snapshot: its first people by authority score, as a snapshot whose sections agree with each
 * other. Ordinals of the first people and numbers of topics, countries, platforms and attributes stay. Ranks among all
 * people, scores and ready-made JSON are kept; evidence stays behind, because explanations are read from the tail.
 */
import { addToBloom, newBloom } from '../../memory/sets/bloom.ts'
import { identitySlots } from '../../snapshot/people/identities.ts'
import { withReferences } from '../../snapshot/references.ts'
import { pageSections, pagesOf } from '../../snapshot/section-pages.ts'
import type { Counts, Sections } from '../../snapshot/sections.ts'
import { handlesOfHead } from './head-handles.ts'
import { postingsOfHead } from './head-postings.ts'
import { type Cuttable, topicsOfHead } from './head-topics.ts'
import { namesBehind } from './names-behind.ts'

/** Columns with one number for each person. */
const columns = [
  ...['authority.scores', 'authority.core-topics', 'authority.countries'],
  ...['authority.followers', 'authority.platform-sets', 'authority.attribute-sets'],
  ...['authority.shares', 'profile.ends'],
] as const satisfies readonly (keyof Sections)[]

/**
 * The head of a snapshot. O(people of the snapshot).
 * @param people how many people it holds: at least one, and fewer than the snapshot.
 */
export function cutHead(whole: Cuttable, people: number): { counts: Counts; sections: Sections } {
  const { sections, header } = whole
  const cut = Object.fromEntries(columns.map((name) => [name, sections[name].slice(0, people)]))
  const provenances = sections['authority.provenances']
  const topicStarts = sections['authority.topic-starts'].slice(0, people + 1)
  const head = {
    ...sections,
    ...cut,
    'authority.provenances': provenances.slice(0, people),
    'authority.topic-starts': topicStarts,
    'authority.topics': sections['authority.topics'].slice(0, topicStarts[people]),
    ...identitiesOf(sections, people),
    ...profilesOf(whole, people),
    ...topicsOfHead(whole, people),
    ...handlesOfHead(sections, people),
    ...postingsOfHead(sections, people),
    'head.names-behind': bloomOf(sections, people),
  } as Sections
  // A view of a longer array cannot be written as a section.
  const own = Object.entries(head).filter(([name]) => isOfHead(name, header.counts, people))
  const kept = Object.fromEntries(own) as unknown as Sections
  const counts = countsOf(header.counts, kept, people)
  return { counts, sections: withReferences(kept, counts) }
}

/** The names of the tail. */
function bloomOf(sections: Sections, people: number): Uint32Array {
  let count = 0
  for (const _ of namesBehind(sections, people)) count += 1
  const words = newBloom(count)
  for (const [name] of namesBehind(sections, people)) addToBloom(words, name)
  return words
}

function identitiesOf(sections: Sections, people: number) {
  const ends = sections['identity.ends'].slice(0, people)
  const text = sections['identity.json'].slice(0, ends[people - 1])
  const slots = identitySlots({ text, ends })
  return { 'identity.json': text, 'identity.ends': ends, 'identity.slots': slots }
}

/** The profiles of the first people, by pages. */
function profilesOf({ sections, header }: Cuttable, people: number) {
  const { authoritiesPerPage } = header.counts
  const ends = sections['profile.ends']
  const pages = pagesOf(sections, 'profile.json', header.counts).slice(
    0,
    pageCount(people, authoritiesPerPage),
  )
  const last = pages.length - 1
  pages[last] = pages[last]!.slice(0, ends[people - 1])
  return pageSections('profile.json', pages)
}

function pageCount(people: number, perPage: number): number {
  return Math.max(1, Math.ceil(people / perPage))
}

/** Whether a section is no page of texts that only people behind the head have. */
function isOfHead(name: string, { authoritiesPerPage }: Counts, people: number): boolean {
  const page = Number(name.split('/')[1] ?? 0)
  return page < pageCount(people, authoritiesPerPage)
}

function countsOf(whole: Counts, sections: Sections, people: number): Counts {
  return {
    ...whole,
    authorities: people,
    handles: sections['handle.ends'].length,
    nodes: people + sections['unowned.places'].length,
    peerLists: sections['peer.starts'].length - 1,
    terms: sections['term.ends'].length,
    pieceBuckets: sections['piece.starts'].length - 1,
    ranks: sections['evidence.own-shares'].length,
    people: whole.authorities,
  }
}
