/** Ready-made bytes: which encoding a client gets, and when it has them already. */
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readyReply, readyText, takesGzip } from '../../../src/api/ready-file.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('ready-file.tsv', import.meta.url))

const text = 'authority '.repeat(1_000)
const file = readyText('text/plain', text)

it.each(rowsOf('what takes gzip'))(
  'a client that accepts %j takes gzip: %j',
  (accepted, isTaken) => {
    expect(String(takesGzip(accepted))).toBe(isTaken)
  },
)

it('the gzip of a text is the text', () => {
  const { body, headers } = readyReply(file, { acceptEncoding: 'gzip', ifNoneMatch: '' }, [])
  expect(body.length).toBeLessThan(text.length / 10)
  expect(gunzipSync(body).toString()).toBe(text)
  expect(headers).toContainEqual(['Content-Encoding', 'gzip'])
  expect(headers).toContainEqual(['Vary', 'Accept-Encoding'])
})

it('the tag of one encoding does not hold for another, nor for another text', () => {
  const tagOf = (of: typeof file, acceptEncoding: string) =>
    Object.fromEntries(readyReply(of, { acceptEncoding, ifNoneMatch: '' }, []).headers).ETag!
  const tags = [tagOf(file, 'gzip'), tagOf(file, ''), tagOf(readyText('text/plain', 'y'), '')]
  expect(new Set(tags).size).toBe(3)
  const statuses = tags.map(
    (tag) => readyReply(file, { acceptEncoding: '', ifNoneMatch: `W/${tag}` }, []).status,
  )
  expect(statuses).toEqual([200, 304, 200])
})
