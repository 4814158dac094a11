/** The topics that MCP clients browse. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Catalog } from '../../../src/engine/catalog.ts'
import { topicsOf } from '../../../src/mcp/answer-source.ts'
import { textAt } from '../../../src/memory/text-table.ts'
import { snapshotOf } from '../../support/built.ts'
import { authority, smallSources, topic } from '../../support/records.ts'

/** Every topic with its size, sorted by the rule as it is written. */
function sortedTopics({ sections, counts }: Catalog) {
  const labels = { text: sections['topic.labels'], starts: sections['topic.label-starts'] }
  const starts = sections['topic.member-starts']
  return Array.from({ length: counts.topics }, (_, index) => index)
    .map((index) => ({
      topic: textAt(labels, index),
      authorities: starts[index + 1]! - starts[index]!,
    }))
    .filter(({ authorities }) => authorities > 0)
    .sort((a, b) => b.authorities - a.authorities)
}

describe('the largest topics', () => {
  it('are the first of all topics by size', () => {
    fc.assert(
      fc.property(smallSources, fc.integer({ min: 1, max: 15 }), (source, count) => {
        const catalog = new Catalog(snapshotOf(source))
        expect(catalog.largestTopics(count)).toEqual(sortedTopics(catalog).slice(0, count))
      }),
      { numRuns: 30 },
    )
  })

  it('are counted anew for another snapshot and kept for the same', () => {
    const catalogOf = (label: string) =>
      new Catalog(snapshotOf({ authorities: [authority({ sdu: '1', topics: [topic(label)] })] }))
    let catalog: Catalog | undefined
    const list = topicsOf(() => catalog)
    expect(list()).toBeUndefined()
    catalog = catalogOf('Rust')
    const first = list()
    const topics = [{ topic: 'Rust', authorities: 1 }]
    expect(first).toEqual({ total: 1, topics, countries: [] })
    expect(list()).toBe(first)
    catalog = catalogOf('Go')
    expect(list()?.topics).toEqual([{ topic: 'Go', authorities: 1 }])
  })
})
