/** Counts of large topics, made by the sync: they equal a new count. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activate } from '../../../../src/api/active-snapshot.ts'
import { knownCountsOf } from '../../../../src/engine/facets/facet-counts.ts'
import { topicCountSections } from '../../../../src/indexer/answer-sections.ts'
import { ask, newApi } from '../../../support/api-client.ts'
import { snapshotOf } from '../../../support/built.ts'
import { authority, labelPool, smallSources, topic } from '../../../support/records.ts'

describe('the counts of large topics', () => {
  it('are told where all members are counted, and nothing of them anywhere else', () => {
    const more = fc.constantFrom('', '&country=FR', '&score_min=50', '&cursor=*', '&limit=1')
    const label = fc.constantFrom(...labelPool)
    let told = 0
    fc.assert(
      fc.property(smallSources, label, more, fc.nat(3), (records, text, rest, least) => {
        const snapshot = snapshotOf(records)
        const counts = topicCountSections(snapshot.sections, least + 1)
        const known = { ...snapshot, sections: { ...snapshot.sections, ...counts } }
        const path = `/api/v1/index?query=${encodeURIComponent(text)}&facets=topic,country${rest}`
        const [counted, anew] = [activate(known), activate(snapshot)]
          .map((served) => ask(newApi(served), path))
          .map(({ json }) => json.facets)
        expect(counted).toEqual(anew)
        if (counts['topic-count.topics'].length > 0 && counted !== undefined) told += 1
      }),
    )
    expect(told).toBeGreaterThan(10)
  })

  it('are those of topics with as many members, which are found by their members', () => {
    const of = (sdu: string, ...labels: string[]) =>
      authority({ sdu, topics: labels.map((each) => topic(each)) })
    const authorities = [
      of('1', 'Rust', 'Go'),
      of('2', 'Rust'),
      of('3', 'Go'),
      of('4', 'Art', 'Rust'),
    ]
    const { sections } = snapshotOf({ authorities })
    const counts = topicCountSections(sections, 2)
    const topics = counts['topic-count.topics']
    expect([...topics].length).toBe(2)
    const known = (people: Uint32Array) => knownCountsOf({ ...sections, ...counts }, people)
    const starts = sections['topic.member-starts']
    const members = sections['meaning.ordinals']
    for (const [index, each] of topics.entries()) {
      const [start, end] = [starts[each]!, starts[each + 1]!]
      const row = known(members.subarray(start, end))!
      const all = starts.length - 1
      expect(row).toEqual(counts['topic-count.counts'].subarray(index * all, (index + 1) * all))
      expect(row[each]).toBe(end - start)
      expect(known(members.subarray(start, end - 1))).toBeUndefined()
      expect(known(members.slice(start, end))).toBeUndefined()
    }
  })
})
