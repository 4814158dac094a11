/**
 * Paging while snapshots swap: a person who has not moved past the end of a page is shown once. By
 * authority that is a person with an unchanged score; among the members of topics, a person on the same
 * side of those who stood at that place.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActiveSnapshot } from '../../../../src/api/active-snapshot.ts'
import type { Api } from '../../../../src/api/api.ts'
import { type ListPlace, unpackedPlace } from '../../../../src/api/operations/lists/people-pages.ts'
import { Cursors } from '../../../../src/api/parameters/cursor.ts'
import { ask, type Envelope, newApi, swapping } from '../../../support/api-client.ts'
import { servedOf } from '../../../support/built.ts'
import { Oracle } from '../../../support/oracle.ts'
import { authority, type Records, smallSources, social, topic } from '../../../support/records.ts'

/** One state of the index: what serves it, and whom it lists for the text, in order. */
interface State {
  readonly served: ActiveSnapshot
  readonly listed: readonly string[]
  readonly standings: ReadonlyMap<string, { readonly group: string; readonly score: number }>
  readonly understood: string
  /** How many topics order those who are not called so; which ones no answer tells. */
  readonly order: number
}

function stateOf(records: Partial<Records>, query: string): State | undefined {
  const model = new Oracle(records)
  if (model.people.length === 0) return undefined
  const served = servedOf(records)
  const api = newApi(served)
  const target = `/api/v1/index?limit=50&explain=true&query=${encodeURIComponent(query)}`
  const { results, query: understood } = ask(api, target).json
  const { next_cursor } = pageOf(api, query, 1, '*')
  const listed = results.map(({ sdu }) => sdu)
  return {
    served,
    listed,
    standings: standings(model, query, listed),
    understood: JSON.stringify(understood),
    order: next_cursor === null ? 0 : placeIn(next_cursor, query).shape % 1_000,
  }
}

function standings(model: Oracle, query: string, listed: readonly string[]): State['standings'] {
  const expected = model.search(query)
  const groupOf = (sdu: string): string => {
    if ('topic' in expected) return 'member'
    if (expected.way === 'guess') {
      const { rankedBy: topic } = expected
      const isMember = topic === undefined || model.person(sdu)!.topics.has(topic)
      return isMember ? 'member' : 'other'
    }
    if (expected.way === 'identity') return 'name'
    const { value } = expected.people.find(({ person }) => person.record.sdu === sdu)!
    return value === Number.POSITIVE_INFINITY ? 'name' : value > 0 ? 'member' : 'other'
  }
  return new Map(
    listed.map((sdu) => {
      const score = model.profile(model.person(sdu)!).authority_score
      return [sdu, { group: groupOf(sdu), score }]
    }),
  )
}

/** Whether somebody who is listed in both states has kept to one side of where a page ended. */
function isSettled(before: State, after: State, sdu: string, cursor: ListPlace) {
  const then = before.standings.get(sdu)!
  const now = after.standings.get(sdu)!
  if (then.group !== now.group) return false
  // The order among equals, whose names the text covers best, is that of one snapshot.
  if (isAmongEquals(cursor) && then.score * 100 === cursor.score) return false
  const { group } = before.standings.get(cursor.last)!
  // Another order of members: the list goes on behind them.
  if (group === 'member' && then.group === 'member' && before.order !== after.order) return false
  if (then.group !== group) return true
  if (then.group !== 'member') return then.score === now.score
  const sides = [cursor.last, cursor.next].filter(
    (each) => after.standings.get(each)?.group === 'member',
  )
  if (sides.length === 0) return before.listed.indexOf(sdu) === after.listed.indexOf(sdu)
  return sides.every(
    (side) =>
      Math.sign(before.listed.indexOf(sdu) - before.listed.indexOf(side)) ===
      Math.sign(after.listed.indexOf(sdu) - after.listed.indexOf(side)),
  )
}

/** Whether a page ended among people with one score who stand in an order of their own. */
function isAmongEquals({ shape, group }: ListPlace): boolean {
  const names = Math.floor(shape / 1_000)
  return names > 2 && group < names - 1
}

const query = fc.constantFrom('Rust', 'ada', 'data', 'ada data', 'rust go', 'rust data', 'engineer')

const change = fc.record({
  removed: fc.array(fc.nat(24), { maxLength: 3 }),
  scored: fc.array(fc.tuple(fc.nat(24), fc.nat(100)), { maxLength: 3 }),
  followed: fc.array(fc.tuple(fc.nat(24), fc.nat(5_000_000)), { maxLength: 2 }),
  added: fc.array(fc.tuple(fc.integer({ min: 100, max: 120 }), fc.nat(100)), { maxLength: 3 }),
})

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

function changed(records: Records, { removed, scored, followed, added }: Change): Records {
  const others = records.authorities
    .map((record, index) => {
      const score = scored.find(([at]) => at === index)?.[1]
      const followers = followed.find(([at]) => at === index)?.[1]
      return {
        ...record,
        ...(score !== undefined && { authorityScore: score }),
        ...(followers !== undefined && {
          socials: record.socials.map((each) => ({ ...each, followers })),
        }),
      }
    })
    .filter((_record, index) => !removed.includes(index))
  const came = added.map(([sdu, authorityScore]) =>
    authority({
      sdu: String(sdu),
      name: 'Ada Lovelace',
      bio: 'data engineer',
      topics: [topic('Rust'), topic('Go')],
      socials: [social('github', `came-${sdu}`, authorityScore * 1000)],
      authorityScore,
    }),
  )
  return { ...records, authorities: [...others, ...came] }
}

describe('a list that is paged while snapshots swap', () => {
  it('shows whoever has not moved past the end of a page once, and nobody twice without a swap', () => {
    let swaps = 0
    fc.assert(
      fc.property(
        smallSources,
        query,
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 5 }),
        (records, text, changes, limit) => {
          const sources = [records]
          for (const each of changes) sources.push(changed(sources.at(-1)!, each))
          const states = sources.map((each) => stateOf(each, text))
          fc.pre(states.every((each) => each !== undefined))
          fc.pre(new Set(states.map((each) => each!.understood)).size === 1)
          swaps += expectOnce(states as State[], text, limit)
        },
      ),
      { numRuns: 200 },
    )
    expect(swaps).toBeGreaterThan(50)
  })
})

/** Swaps behind every page as long as there are states; returns how often that was. */
function expectOnce(states: readonly State[], text: string, limit: number): number {
  const { api, swap } = swapping(states[0]!.served)
  const everywhere = states[0]!.listed.filter((sdu) =>
    states.every(({ listed }) => listed.includes(sdu)),
  )
  const settled = new Set(everywhere)
  const shown: string[] = []
  let at = 0
  let isSwapped = false
  for (let cursor = '*'; ; ) {
    const { results, next_cursor, ...page } = pageOf(api, text, limit, cursor)
    shown.push(...results.map(({ sdu }) => sdu))
    expect(page).toMatchObject({ total: states[at]!.listed.length, snapshot_changed: isSwapped })
    if (next_cursor === null) break
    cursor = next_cursor
    isSwapped =
      at + 1 < states.length && states[at + 1]!.served.catalog.id !== states[at]!.served.catalog.id
    if (at + 1 < states.length) {
      for (const sdu of settled) {
        const place = placeIn(cursor, text)
        if (!isSettled(states[at]!, states[at + 1]!, sdu, place)) settled.delete(sdu)
      }
      at += 1
      swap(states[at]!.served)
    }
  }
  // Where the list ended before all states were served, late arrivals cannot be identified.
  for (const sdu of settled) expect(shown.filter((each) => each === sdu)).toEqual([sdu])
  return at
}

/** The place of a cursor of a search without filters, which nothing of the API shows. */
function placeIn(cursor: string, text: string): ListPlace {
  const filters = [undefined, undefined, undefined, undefined, undefined]
  return unpackedPlace(new Cursors().read(['search', text, ...filters], cursor).value)
}

function pageOf(api: Api, text: string, limit: number, cursor: string) {
  const target = `/api/v1/index?query=${encodeURIComponent(text)}&limit=${limit}&cursor=${cursor}`
  return ask(api, target).json as Envelope & { readonly next_cursor: string | null }
}
