/** A search that ends in an error at any step, as one does whose texts are not in memory, leaves nothing to the next. */
import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { Catalog } from '../../../../src/engine/catalog.ts'
import type { Search } from '../../../../src/engine/interpret/search.ts'
import { openEngine } from '../../../../src/engine/open.ts'
import { Postings } from '../../../../src/engine/postings/postings.ts'
import { snapshotOf } from '../../../support/built.ts'
import '../../../support/property-seed.ts'
import { authority, topic } from '../../../support/records.ts'

const given = ['Ada', 'Bill', 'William', 'Carla', 'José', 'Maria', 'Иван', '村上']
const surnames = ['Baker', 'Cruz', 'Lovelace', 'Petrova', 'Ruiz', 'Smith', 'Петров', '春樹']
const labels = ['Physics', 'Tax policy', 'Rust', 'Internet of things']
const people = given.flatMap((first, row) =>
  surnames.map((last, column) =>
    authority({
      sdu: String(1000 + row * surnames.length + column),
      name: `${first} ${last}`,
      countryName: column % 2 === 0 ? 'France' : 'Japan',
      topics: [topic(labels[(row + column) % labels.length]!)],
      bio: row % 3 === 0 ? 'Writes of compilers.' : 'A senator for Texas.',
    }),
  ),
)
const snapshot = snapshotOf({ authorities: people })
const fresh = () => openEngine(snapshot).search

/** Names, slips, topics, what stands around them, and operators. */
const word = fc.constantFrom(
  ...[...given, ...surnames, ...labels],
  ...['wiliam', 'lovelac', 'fisics', 'crux', 'petrov', 'compilr', 'zzyzx', 'texas', 'senator'],
  ...['dr.', 'who is', 'the best', 'in', 'and', 'OR', '-rust', '"rust"', 'france', 'w', 'github'],
)
const text = fc.array(word, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '))

/** Where the engine reads its snapshot. */
const reads = [
  [Postings.prototype, 'list'],
  [Postings.prototype, 'numberOf'],
  [Postings.prototype, 'textOf'],
  [Postings.prototype, 'size'],
  [Catalog.prototype, 'findTopic'],
  [Catalog.prototype, 'sizeOf'],
  [Catalog.prototype, 'membersOf'],
] as const

afterEach(() => {
  vi.restoreAllMocks()
})

/** From now on the read with this number fails, and those behind it do not. */
function failAt(count: number): void {
  let left = count
  for (const [owner, name] of reads) {
    const methods = owner as unknown as Record<string, (...values: unknown[]) => unknown>
    const read = methods[name]!
    vi.spyOn(methods, name).mockImplementation(function (this: unknown, ...values) {
      left -= 1
      if (left === 0) throw new Error('not at hand')
      return read.apply(this, values)
    })
  }
}

it('answers behind a search that failed as an engine does that was asked nothing before', () => {
  const used = fresh()
  let failed = 0
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.integer({ min: 1, max: 60 }))), (asked) => {
      for (const [query, step] of asked) {
        failAt(step)
        try {
          used.find(query, 5)
        } catch {
          failed += 1
        }
        vi.restoreAllMocks()
        for (const again of [query, asked[0]![0]]) {
          expect(whatOf(used, again)).toEqual(whatOf(fresh(), again))
        }
      }
    }),
    { numRuns: 10 },
  )
  expect(failed).toBeGreaterThan(0)
})

function whatOf(search: Search, query: string) {
  const found = search.find(query, 5)
  return [Array.from(found.ordinals), search.understood(found)]
}
