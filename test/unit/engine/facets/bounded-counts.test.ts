/** Counts that take too many steps: those among the first people by authority, and the answer says among how many. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activate } from '../../../../src/api/active-snapshot.ts'
import { FacetCounter } from '../../../../src/engine/facets/facet-counts.ts'
import { topicCountSections } from '../../../../src/indexer/answer-sections.ts'
import { ask, newApi } from '../../../support/api-client.ts'
import { snapshotOf } from '../../../support/built.ts'
import { authority, labelPool, topic } from '../../../support/records.ts'

/** Forty people, each with some topics and a country. */
const people = fc
  .array(
    fc.record({
      labels: fc.uniqueArray(fc.constantFrom(...labelPool), { minLength: 1, maxLength: 4 }),
      countryName: fc.constantFrom('France', 'Germany'),
    }),
    { minLength: 40, maxLength: 40 },
  )
  .map((drawn) => ({
    authorities: drawn.map(({ labels, countryName }, index) =>
      authority({ sdu: String(index + 1), countryName, topics: labels.map((each) => topic(each)) }),
    ),
  }))

interface Counted {
  readonly results: readonly { readonly sdu: string }[]
  readonly total: number
  readonly next_cursor: string | null
  readonly facets: Readonly<Record<string, readonly { readonly key: string; count: number }[]>>
  readonly counted_among?: number
}

describe('counts that take too many steps', () => {
  it('are those of the first people by authority, the same people in total and facets', () => {
    const text = fc
      .uniqueArray(fc.constantFrom(...labelPool), { minLength: 1, maxLength: 4 })
      .map((labels) => labels.join(' OR '))
    const filter = fc.constantFrom('', '&country=FR', '&score_min=1')
    let bounded = 0
    fc.assert(
      fc.property(people, text, filter, fc.integer({ min: 20, max: 400 }), (...drawn) => {
        const [records, query, more, stepsMax] = drawn
        const { header, sections } = snapshotOf(records)
        const counted = { ...sections, ...topicCountSections(sections, 1) }
        const served = activate({ header, sections: counted })
        const { catalog } = served
        const tallies = new FacetCounter(catalog, stepsMax)
        const path = `/api/v1/index?query=${encodeURIComponent(query)}${more}`
        const counts = '&facets=topic,country,platform&cursor=*'
        const get = (of: typeof served, rest: string) =>
          ask(newApi(of), `${path}${rest}`).json as unknown as Counted
        const exact = get(served, `${counts}&limit=50`)
        const answer = get(
          { ...activate({ header, sections: counted }), tallies },
          `${counts}&limit=50`,
        )
        expect(answer.results).toEqual(exact.results)
        const among = answer.counted_among
        if (among === undefined) {
          expect(answer.facets).toEqual(exact.facets)
          expect(answer.total).toBe(exact.total)
          return
        }
        bounded += 1
        const first = exact.results.filter(({ sdu }) => catalog.findSdu(sdu) < among)
        if (exact.next_cursor === null) expect(answer.total).toBe(first.length)
        const countries = (page: Counted) =>
          page.facets.country!.reduce((sum, { count }) => sum + count, 0)
        expect(countries(answer)).toBeLessThanOrEqual(answer.total)
        expect(among).toBeLessThan(catalog.counts.authorities)
        for (const { count } of answer.facets.topic!)
          expect(count).toBeLessThanOrEqual(answer.total)
      }),
      { numRuns: 40 },
    )
    expect(bounded).toBeGreaterThan(20)
  })

  it('let pages go on to the last of all, each of which says so', () => {
    const labels = labelPool.slice(0, 3)
    const [records] = fc.sample(people, { numRuns: 1, seed: 7 })
    const snapshot = snapshotOf(records!)
    const { catalog } = activate(snapshot)
    const path = `/api/v1/index?query=${encodeURIComponent(labels.join(' OR '))}&limit=1`
    const walk = (tallies: FacetCounter) => {
      const found: string[] = []
      let [cursor, among] = ['*', [] as (number | undefined)[]]
      const api = newApi({ ...activate(snapshot), tallies })
      for (let next: string | null = cursor; next !== null; ) {
        cursor = next
        const { json } = ask(api, `${path}&cursor=${encodeURIComponent(cursor)}`)
        const page = json as unknown as Counted
        found.push(...page.results.map(({ sdu }) => sdu))
        among.push(page.counted_among)
        next = page.next_cursor
      }
      return { found, among }
    }
    const all = walk(new FacetCounter(catalog))
    const bounded = walk(new FacetCounter(catalog, 1))
    expect(all.found.length).toBeGreaterThan(1)
    expect(bounded.found).toEqual(all.found)
    expect(new Set(all.among)).toEqual(new Set([undefined]))
    expect(bounded.among.every((each) => each !== undefined && each === bounded.among[0])).toBe(
      true,
    )
  })
})
