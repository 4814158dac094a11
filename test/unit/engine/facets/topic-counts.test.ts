/** Counts of large topics, made by the sync: they equal a new count. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activate } from '../../../../src/api/active-snapshot.ts'
import { topicCountSections } from '../../../../src/indexer/answer-sections.ts'
import { ask, newApi } from '../../../support/api-client.ts'
import { snapshotOf } from '../../../support/built.ts'
import { labelPool, smallSources } from '../../../support/records.ts'

describe('the counts of large topics', () => {
  it('are told where all members are counted, and nothing of them anywhere else', () => {
    const more = fc.constantFrom('', '&country=FR', '&score_min=50', '&cursor=*', '&limit=1')
    const label = fc.constantFrom(...labelPool)
    let told = 0
    fc.assert(
      fc.property(smallSources, label, more, fc.nat(3), (records, text, rest, least) => {
        const snapshot = snapshotOf(records)
        const counts = topicCountSections(snapshot.sections, least + 1)
        const path = `/api/v1/index?query=${encodeURIComponent(text)}&facets=topic,country${rest}`
        const facetsWith = (known: Partial<typeof counts>) => {
          const sections = { ...snapshot.sections, ...known }
          return ask(newApi(activate({ ...snapshot, sections })), path).json.facets
        }
        const anew = facetsWith({})
        expect(facetsWith(counts)).toEqual(anew)
        const doubled = counts['topic-count.counts'].map((count) => count * 2)
        const shown = facetsWith({ ...counts, 'topic-count.counts': doubled })
        if (JSON.stringify(shown) !== JSON.stringify(anew)) told += 1
      }),
    )
    expect(told).toBeGreaterThan(10)
  })
})
