/** The list of snapshots, and one of them with its citations. A place in the list is the number of an announcement. */
import { limits } from '../../limits.ts'
import type { Stability } from '../../snapshot/changes/change.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import { numberAt, type SnapshotFacts, snapshotsOf } from '../past.ts'
import { type ListPage, listOperation } from './lists/list-page.ts'

/** @param before only announcements with smaller numbers are listed. */
function pageOfSnapshots(
  { past }: ActiveSnapshot,
  _: object,
  before = Number.MAX_SAFE_INTEGER,
): ListPage<number> {
  const all = snapshotsOf(past)
  // The first of them was announced last.
  const numberBehind = numberAt(past, all.length)
  const start = Math.max(0, numberBehind - before)
  const items = all.slice(start, start + limits.snapshotsPerPageMax).map(itemOf)
  const end = start + items.length
  return { items, next: end >= all.length ? undefined : numberBehind - end }
}

function itemOf({ id, parent, createdAt, announcedAt, counts, recipe, digest }: SnapshotFacts) {
  return {
    id,
    parent,
    created_at: createdAt,
    published_at: announcedAt,
    authorities: counts.authorities ?? 0,
    topics: counts.topics ?? 0,
    recipe,
    digest,
  }
}

function pageOf(facts: SnapshotFacts) {
  return {
    ...itemOf(facts),
    counts: facts.counts,
    people_changed: facts.people,
    stability: facts.stability === null ? null : stabilityItem(facts.stability),
    citation: {
      text: citationText(facts),
      bibtex: bibtexOf(facts),
      csl_json: cslOf(facts),
    },
  }
}

function stabilityItem({ firstTen, kendallTau }: Stability) {
  return { first_ten: firstTen, kendall_tau: kendallTau }
}

/** Of the records, else of the announcement; undefined if neither is known. */
function dateOf({ createdAt, announcedAt }: SnapshotFacts): string | undefined {
  return (createdAt ?? announcedAt)?.slice(0, 10)
}

function holdings({ counts, recipe }: SnapshotFacts): string {
  return `${counts.authorities} authorities, ${counts.topics} topics, recipe ${recipe}`
}

function citationText(facts: SnapshotFacts): string {
  const date = dateOf(facts)
  const dated = date === undefined ? '' : `, ${date}`
  const { id, digest } = facts
  return `Authority Index, snapshot ${id}${dated} (${holdings(facts)}; SHA-256 ${digest}).`
}

const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** An entry of type `misc`, which every style of BibTeX knows. */
function bibtexOf(facts: SnapshotFacts): string {
  const date = dateOf(facts)
  const [year, month] = date?.split('-') ?? []
  const fields = [
    `title = {{Authority Index, snapshot ${facts.id}}}`,
    ...(year === undefined ? [] : [`year = {${year}}`, `month = ${monthNames[Number(month) - 1]}`]),
    `note = {${holdings(facts)}; SHA-256 ${facts.digest}}`,
  ]
  return `@misc{authority-index-${facts.id.slice(0, 8)},\n  ${fields.join(',\n  ')}\n}`
}

/** An item of CSL-JSON 1.0.2, of type `dataset`. */
function cslOf(facts: SnapshotFacts) {
  const date = dateOf(facts)
  const issued = date && { issued: { 'date-parts': [date.split('-').map(Number)] } }
  return {
    id: `authority-index-${facts.id.slice(0, 8)}`,
    type: 'dataset',
    title: 'Authority Index',
    version: facts.id,
    ...issued,
    note: `${holdings(facts)}; SHA-256 ${facts.digest}`,
  }
}

export const snapshots = listOperation('snapshots', { page: pageOfSnapshots })

export const snapshot = listOperation('snapshot', {
  begin: ({ past }, { id }) => {
    const value = snapshotsOf(past).find((each) => each.id === id)
    if (value !== undefined) return { value }
    const detail = `${id} is not among the snapshots of which changes are kept`
    return { problem: { code: 'no-such-snapshot', detail } }
  },
  page: (_served, _values, facts) => ({ items: [pageOf(facts)] }),
})
