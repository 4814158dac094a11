/** Parts of a file that threads read into memory together: each is filled once, by one of them. */
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type * as SecondThreadModule from '../../../../src/service/loading/second-thread.ts'
import {
  endsOf,
  type Filling,
  fillAlone,
  fillFree,
  sharedFillings,
} from '../../../../src/snapshot/reading/filling.ts'
import { temporaryDirectory } from '../../../support/built.ts'

/** As it was built: a thread cannot be started from TypeScript on every Node.js. */
const built = join(import.meta.dirname, '..', '..', '..', '..', 'dist')

const parts = 6
const partBytes = 300_000

/** A file of six parts of two pieces. */
function newFile() {
  const path = join(temporaryDirectory(), 'parts')
  const pattern = Uint8Array.from({ length: 251 }, (_, index) => 1 + index)
  const bytes = Buffer.alloc(parts * partBytes, pattern)
  writeFileSync(path, bytes)
  const file = openSync(path, 'r')
  onTestFinished(() => closeSync(file))
  const fillings = Array.from({ length: parts }, (_, part): Filling => {
    const position = part * partBytes
    const memory = new Uint8Array(new SharedArrayBuffer(partBytes))
    const checksum = crc32(bytes.subarray(position, position + partBytes))
    return { file, position, memory, checksum }
  })
  const filled = () => Buffer.concat(fillings.map(({ memory }) => Buffer.from(memory)))
  return { bytes, file, fillings, filled }
}

const rest = () => {}
const whole = Array.from({ length: parts }, () => 'whole')

describe('parts of a file', () => {
  it('are filled by one thread in their order', () => {
    const { bytes, fillings, filled } = newFile()
    expect(fillAlone(fillings, rest)).toEqual(whole)
    expect(filled().equals(bytes)).toBe(true)
  })

  it('that are damaged or beyond the end of the file are named', () => {
    const { fillings } = newFile()
    const [first, second, third] = fillings as [Filling, Filling, Filling]
    const damaged = { ...second, checksum: second.checksum ^ 1 }
    const beyond = { ...third, position: parts * partBytes - 1 }
    const shared = sharedFillings([first, damaged, beyond])
    fillFree(shared, rest)
    const ends = ['whole', 'damaged', 'truncated']
    expect([endsOf(shared, rest), fillAlone(shared.fillings, rest)]).toEqual([ends, ends])
  })

  it('are filled with a second thread, and are the same', async () => {
    const { SecondThread }: typeof SecondThreadModule = await import(
      join(built, 'second-thread.js')
    )
    const { bytes, fillings, filled } = newFile()
    const second = new SecondThread(new URL(`file://${join(built, 'loading-worker.js')}`))
    onTestFinished(() => second.close())
    const isFilled = ({ memory }: Filling) => memory.at(-1) !== 0
    // This thread stays in its first part until the other thread has filled one, or is given up.
    const cells = new Int32Array(new SharedArrayBuffer(4))
    let waits = 0
    const untilHelped = () => {
      while (waits < 3_000 && !fillings.slice(1).some(isFilled)) {
        waits += 1
        Atomics.wait(cells, 0, 0, 10)
      }
    }
    expect(second.fillAll(fillings, untilHelped)).toEqual(whole)
    expect(waits).toBeLessThan(3_000)
    expect(filled().equals(bytes)).toBe(true)
  })

  it('are waited for while another thread reads on, and an error where it does not', () => {
    const { bytes, fillings, filled } = newFile()
    const shared = sharedFillings(fillings)
    const { states } = shared
    states[2] = 1
    fillFree(shared, rest)
    expect(fillings[2]!.memory.at(-1)).toBe(0)
    let looks = 0
    const wait = vi.spyOn(Atomics, 'wait').mockImplementation((_, index) => {
      if (index !== 2 || states[2] !== 1) return 'not-equal'
      looks += 1
      states[parts]! += looks < 3 ? 1 : 0
      return 'timed-out'
    })
    onTestFinished(() => wait.mockRestore())
    expect(() => endsOf(shared, rest)).toThrow('a thread that reads with this one does not go on')
    expect([looks, fillings[2]!.memory.at(-1)]).toEqual([3, 0])
    states[2] = 0
    expect(endsOf(shared, rest)).toEqual(whole)
    expect(filled().equals(bytes)).toBe(true)
  })

  it('that a thread could not read are free for the other', () => {
    const { bytes, file, fillings, filled } = newFile()
    const closed = openSync('/dev/null', 'r')
    closeSync(closed)
    const shared = sharedFillings(fillings)
    const theirs = { ...shared, fillings: fillings.map((each) => ({ ...each, file: closed })) }
    expect(() => fillFree(theirs, rest)).toThrow('EBADF')
    expect(file).not.toBe(closed)
    expect(endsOf(shared, rest)).toEqual(whole)
    expect(filled().equals(bytes)).toBe(true)
  })
})
