/** Shared doubles: an exchange is whole, whatever the bits are; threads race in `test/unit/ledger/live/balances.test.ts`. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createPlainDoubles,
  createSharedDoubles,
  SharedDoubles,
} from '../../../src/memory/shared-doubles.ts'
import { compiled } from '../../support/processes/compiled.ts'

describe.each([
  ['of WebAssembly', createSharedDoubles],
  ['of a buffer, as under a limit of addresses', createPlainDoubles],
])('a shared double in the memory %s', (_, create) => {
  it('is replaced where it is what was expected, and no other one is', () => {
    const step = fc.record({
      index: fc.nat(2),
      from: fc.oneof(fc.double(), fc.constantFrom(0, 1)),
      to: fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, 1)),
    })
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const memory = create(3)
        const [writer, reader] = [new SharedDoubles(memory, 3), new SharedDoubles(memory, 3)]
        const model = [0, 0, 0]
        for (const { index, from, to } of steps) {
          const isExpected = Object.is(model[index], from)
          expect(writer.replace(index, from, to)).toBe(isExpected)
          if (isExpected) model[index] = to
          expect([...reader.values]).toEqual(model)
        }
      }),
    )
  })

  it.each([1, 8_192, 8_193, 100_000])('is refused beyond the last of %i', (count) => {
    const doubles = new SharedDoubles(create(count), count)
    expect(doubles.replace(count - 1, 0, 2 ** 53)).toBe(true)
    expect(doubles.values[count - 1]).toBe(2 ** 53)
    for (const index of [-1, count, Number.NaN]) {
      expect(() => doubles.replace(index, 0, 1)).toThrow(RangeError)
    }
  })
})

it('has memory under a limit of addresses, too', () => {
  const program = compiled(fileURLToPath(new URL('./limited-memory.ts', import.meta.url)))
  const words = ['-c', 'ulimit -v 6000000; exec "$0" "$@"', process.execPath, program]
  expect(execFileSync('/bin/sh', words, { encoding: 'utf8' })).toBe('plain memory: 2')
  expect(execFileSync(process.execPath, [program], { encoding: 'utf8' })).toBe('other memory: 2')
})
