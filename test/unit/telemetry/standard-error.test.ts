/** The log on a disk that is full, or to a reader that is gone: it loses lines, and says how many. */
import { expect, it } from 'vitest'
import { StandardError } from '../../../src/telemetry/standard-error.ts'

/** A place for so many bytes at first; `room` is given more by a test. */
function placeFor(bytes: number, code = 'ENOSPC') {
  const place = { room: bytes, text: '', calls: 0 }
  const log = new StandardError(
    () => Date.UTC(2026, 0, 2),
    (piece) => {
      place.calls += 1
      if (place.room === 0) throw Object.assign(new Error(`${code}: no`), { code })
      const taken = Buffer.from(piece).subarray(0, place.room)
      place.room -= taken.length
      place.text += taken.toString()
      return taken.length
    },
  )
  return { place, log }
}

it('writes lines as they are', () => {
  const { place, log } = placeFor(100)
  log.write('one\n')
  log.write('two\n')
  expect(place.text).toBe('one\ntwo\n')
})

it('throws nothing where nothing can be written, and says how many lines were lost, and why, when it can', () => {
  const { place, log } = placeFor(0)
  for (const line of ['one\n', 'two\n', 'three\n']) log.write(line)
  place.room = 1_000
  log.write('four\n')
  log.write('five\n')
  const lost =
    '{"level":"warn","time":"2026-01-02T00:00:00.000Z","event":"log-lost","lines":3,"message":"lines could not be written: ENOSPC: no"}\n'
  expect(place.text).toBe(`${lost}four\nfive\n`)
})

it('begins a new line behind one that was cut, which counts as lost', () => {
  const { place, log } = placeFor(6)
  log.write('one\n')
  log.write('two\n')
  place.room = 1_000
  log.write('three\n')
  expect(place.text).toMatch(/^one\ntw\n\{.*"lines":1,.*\}\nthree\n$/)
})

it('waits for a reader that is slow, but not for one that never reads', () => {
  const { place, log } = placeFor(0, 'EAGAIN')
  log.write('one\n')
  const waited = place.calls
  expect(waited).toBeGreaterThan(1)
  log.write('two\n')
  expect(place.calls).toBe(waited + 1)
})
