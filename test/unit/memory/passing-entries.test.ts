/** Entries that come and go. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PassingEntries } from '../../../src/memory/elsewhere/passing-entries.ts'
import '../../support/property-seed.ts'

it('are found by any name as in a Map, until they are deleted', () => {
  const names = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', ''), fc.string())
  fc.assert(
    fc.property(fc.array(fc.tuple(names, fc.option(fc.nat(), { nil: undefined }))), (steps) => {
      const [entries, map] = [new PassingEntries<number>(), new Map<string, number>()]
      for (const [name, entry] of steps) {
        if (entry === undefined) {
          entries.delete(name)
          map.delete(name)
        } else {
          entries.set(name, entry)
          map.set(name, entry)
        }
        for (const [each] of steps) expect(entries.get(each)).toBe(map.get(each))
      }
    }),
  )
})
