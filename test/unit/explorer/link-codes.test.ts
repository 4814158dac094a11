/** Codes of printed addresses: each is worth its key once, for ten minutes; and few wait at once. */
import { expect, it } from 'vitest'
import { LinkCodes, linkCodeMs } from '../../../src/explorer/link-codes.ts'
import { isLocal } from '../../../src/explorer/reach.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('link-codes.tsv', import.meta.url))

it('a code is exchanged once, and only for its own key', () => {
  const codes = new LinkCodes({ clock: () => 0 })
  const [one, other] = [codes.issue('aik_one'), codes.issue('aik_other')]
  expect(one).toMatch(/^[\w-]{32}$/)
  expect(one).not.toBe(other)
  expect(codes.exchange('')).toBeUndefined()
  expect(codes.exchange(one)).toBe('aik_one')
  expect(codes.exchange(one)).toBeUndefined()
  expect(codes.exchange(other)).toBe('aik_other')
})

it('a code ends after ten minutes', () => {
  let nowMs = 5
  const codes = new LinkCodes({ clock: () => nowMs })
  const [early, late] = [codes.issue('aik_one'), codes.issue('aik_one')]
  nowMs += linkCodeMs - 1
  expect(codes.exchange(early)).toBe('aik_one')
  nowMs += 1
  expect(codes.exchange(late)).toBeUndefined()
})

it('sixteen codes wait at most; one more ends the oldest', () => {
  const codes = new LinkCodes({ clock: () => 0 })
  const issued = Array.from({ length: 17 }, (_, index) => codes.issue(`aik_${index}`))
  const keys = issued.map((code) => codes.exchange(code))
  expect(keys).toEqual([undefined, ...Array.from({ length: 16 }, (_, index) => `aik_${index + 1}`)])
})

it.each(rowsOf('hosts of this computer'))(
  'a browser that asks %j is of this computer: %s',
  (host, isOwn) => {
    expect(String(isLocal({ host, isForwarded: false }))).toBe(isOwn)
    expect(isLocal({ host, isForwarded: true })).toBe(false)
  },
)
