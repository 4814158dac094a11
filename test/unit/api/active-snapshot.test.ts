/** A snapshot that is served, while files of changes come and go. */
import { expect, it } from 'vitest'
import { withChanges } from '../../../src/api/active-snapshot.ts'
import { servedOf } from '../../support/built.ts'

it('keeps its cache with other files of changes, and takes none that lead to another snapshot', () => {
  const active = servedOf({})
  const leadingTo = (id: string) => [{ header: { id } }] as never
  const taken = withChanges(active, leadingTo(active.catalog.id))!
  expect(taken.cache).toBe(active.cache)
  expect(taken.past.files).toHaveLength(1)
  expect(withChanges(active, leadingTo('another'))).toBe(active)
})
