/** Likely topics, and the larger of equal ones. */
import { expect, it } from 'vitest'
import { type ActiveSnapshot, activate, withChanges } from '../../../src/api/active-snapshot.ts'
import { snapshotOf } from '../../support/built.ts'
import { authority, topic } from '../../support/records.ts'

function snapshotWith(topics: readonly string[]) {
  const authorities = topics.map((label, index) =>
    authority({ sdu: String(index + 1), topics: [topic(label)] }),
  )
  return snapshotOf({ authorities })
}

/** The topic that a text is likely to mean, or undefined. */
function likely({ search }: ActiveSnapshot, text: string): number | undefined {
  const { way, topic: found } = search.find(text, 10)
  return way === 'likely-topic' ? found : undefined
}

it('proposes the topic that a text is likely to mean', () => {
  const served = activate(snapshotWith(['Rust scripts', 'Java', 'Data art maps']))
  expect(likely(served, 'rus scr')).toBe(0)
  expect(likely(served, 'dat art map')).toBe(2)
  expect(likely(served, 'rus law')).toBeUndefined()
  expect(served.suggestions.topics('ja', 3)).toEqual([1])
})

it('wants the larger of equal topics', () => {
  const first = activate(snapshotWith(['Data art maps', 'Data art maps', 'Data law maps']))
  expect(likely(first, 'dat map')).toBe(0)
  const second = activate(snapshotWith(['Data art maps', 'Data law maps', 'Data law maps']))
  expect(likely(second, 'dat map')).toBe(1)
})

it('keeps its cache with other files of changes, and takes none that lead to another snapshot', () => {
  const active = activate(snapshotWith(['Rust']))
  const leadingTo = (id: string) => [{ header: { id } }] as never
  const taken = withChanges(active, leadingTo(active.catalog.id))!
  expect(taken.cache).toBe(active.cache)
  expect(taken.past.files).toHaveLength(1)
  expect(withChanges(active, leadingTo('another'))).toBe(active)
})
