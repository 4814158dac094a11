/** Offsets in a file: as narrow as their steps, and the same numbers in memory. */
import { describe, expect, it } from 'vitest'
import { columnOf } from '../../../src/snapshot/column-file.ts'
import type { SectionName } from '../../../src/snapshot/sections.ts'
import { addSteps, inFile } from '../../../src/snapshot/steps.ts'

const counts = { authoritiesPerPage: 4 }

/** The numbers of a section that went through a file, and their type there. */
function through(name: SectionName, numbers: readonly number[]) {
  const stored = inFile(name, Uint32Array.from(numbers), counts)
  const { length, buffer } = stored
  const memory = new SharedArrayBuffer(length * 4 + 64)
  const bytes = new Uint8Array(memory, 0, length * 4)
  bytes.set(new Uint8Array(buffer), length * 4 - stored.byteLength)
  const { type } = columnOf(name, stored)
  const entry = { name, type, length }
  addSteps(entry, new Uint8Array(memory), counts, () => {})
  return { type, numbers: [...new Uint32Array(memory, 0, length)] }
}

describe('offsets', () => {
  it.each([
    ['uint8', [0, 255, 255, 510]],
    ['uint16', [0, 255, 511]],
    ['uint16', [0xffff, 0x1_fffe, 0x1_fffe, 0x1_ffff]],
    ['uint32', [0, 0x1_0000]],
    ['uint32', [5, 4]],
    ['uint8', []],
  ] as const)('take %s in a file where they are %j', (type, numbers) => {
    expect(through('handle.starts', numbers)).toEqual({ type, numbers })
  })

  it('that begin at 0 again on the next page are steps, too', () => {
    const numbers = [0, 10, 20, 30, 400, 0, 7, 7, 9, 300, 0, 1]
    expect(through('profile.starts', numbers)).toEqual({ type: 'uint16', numbers })
    expect(through('identity.starts', numbers)).toEqual({ type: 'uint32', numbers })
  })

  it('are as many as they were, however many', () => {
    const numbers = Array.from({ length: 200_000 }, (_, index) => index * 7 + (index % 3))
    expect(through('handle.starts', numbers)).toEqual({ type: 'uint8', numbers })
  })

  it('alone are changed: all other numbers are in the file as in memory', () => {
    expect(through('handle.nodes', [0, 1, 2])).toEqual({ type: 'uint32', numbers: [0, 1, 2] })
  })
})
