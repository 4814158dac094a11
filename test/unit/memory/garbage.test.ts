/** Memory of arrays that nothing refers to. */
import { expect, it } from 'vitest'
import { garbageCollector } from '../../../src/memory/garbage.ts'

const bytes = 256 << 20

it('gives the memory of an array back that nothing refers to', async () => {
  const collectGarbage = garbageCollector(0)
  const held = [new Uint8Array(bytes)]
  const before = process.memoryUsage().arrayBuffers
  collectGarbage()
  expect(process.memoryUsage().arrayBuffers).toBeGreaterThanOrEqual(bytes)
  held.pop()
  // Memory is counted when it was given back, which V8 may do beside the program; files before leave arrays, too.
  const left = () => {
    collectGarbage()
    return process.memoryUsage().arrayBuffers
  }
  await expect.poll(left).toBeLessThan(before - bytes / 2)
})

it('spares the collection where arrays take little', () => {
  const collectGarbage = garbageCollector(Number.POSITIVE_INFINITY)
  const held = [new Uint8Array(bytes)]
  held.pop()
  const before = process.memoryUsage().arrayBuffers
  collectGarbage()
  expect(process.memoryUsage().arrayBuffers).toBe(before)
})
