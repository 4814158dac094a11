/** A snapshot file with any one byte damaged, or cut to any length: all of them, which takes a minute. */
import { ftruncateSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isFlipRefused, opened, refusalOf, written } from '../../../support/damage.ts'

describe('a snapshot file is refused', () => {
  it('whatever byte has a flipped bit', () => {
    const path = written()
    const file = opened(path)
    const bytes = readFileSync(path).length
    expect(bytes).toBeGreaterThan(4096)
    for (let position = 0; position < bytes; position += 1) {
      const refused = isFlipRefused(path, file, position, position % 8)
      if (!refused) expect.fail(`bit ${position % 8} of byte ${position} of ${bytes}`)
    }
    expect(refusalOf(path)).toBeUndefined()
  })

  it('whatever length it is cut to', () => {
    const path = written()
    const file = opened(path)
    for (let length = readFileSync(path).length - 1; length >= 0; length -= 1) {
      ftruncateSync(file, length)
      const refusal = refusalOf(path)
      if (!refusal?.startsWith(`${path}: `)) expect.fail(`cut to ${length} bytes: ${refusal}`)
    }
  })
})
