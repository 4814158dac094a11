/** What is charged of an answer that a connection took a part of: the values that its whole items answer. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { answeredIn } from '../../../src/api/json-bytes.ts'
import { newApi } from '../../support/api-client.ts'
import { servedOf } from '../../support/built.ts'
import { authority, social } from '../../support/records.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('taken-items.tsv', import.meta.url))

/** Text that looks like JSON, and is longer than what is looked at byte by byte. */
const hostile = `${'"results":[{"content":[]}], \\" \\\\ '.repeat(5)}\\`
const people = [
  authority({ sdu: '7', name: 'Ann "A"', bio: hostile, socials: [social('github', 'ann')] }),
  authority({ sdu: '8', name: 'Bo', socials: [social('github', 'bo'), social('x', 'both')] }),
  authority({ sdu: '9', name: 'Cy', bio: '\\', socials: [social('github', 'both')] }),
]
const api = newApi(servedOf({ authorities: people }))

/** The body of an answer, and the number of values that it answers up to each byte. */
function answerOf(path: string, asked: string | object) {
  const isPosted = typeof asked === 'object'
  const reply = api.answer({
    ...{ method: isPosted ? 'POST' : 'GET', path, query: isPosted ? '' : asked },
    ...{ body: Buffer.from(JSON.stringify(asked)), contentType: 'application/json' },
  })
  expect(reply.status).toBe(200)
  const body = Buffer.from(reply.body)
  const values = reply.answeredValues?.()
  // The count outlives the answer: another takes the same memory.
  api.answer({ method: 'GET', path: '/api/v1/detail', query: 'sdus=9,8' })
  api.answer({ method: 'GET', path: '/api/v1/match', query: 'handles=cy,ann' })
  const answered = (bytes: number) => answeredIn(body.subarray(0, bytes), values).queries
  return { body, answered, values }
}

function endsOf(body: Buffer): number[] {
  const { results } = JSON.parse(body.toString()) as { results: readonly unknown[] }
  let end = body.indexOf('"results":[') + '"results":['.length - 1
  return results.map((item) => {
    const text = JSON.stringify(item)
    expect(body.subarray(end + 1).toString()).toContain(text)
    end += 1 + Buffer.byteLength(text)
    return end
  })
}

const all = Number.POSITIVE_INFINITY

describe('a part of an answer', () => {
  it.each(rowsOf('values that are answered by so many items'))(
    'of %s %j answers the values of its whole items',
    (route, asked, counts) => {
      const { body, answered } = answerOf(`/api/v1/${route}`, JSON.parse(asked))
      const expected = counts && JSON.parse(counts, (_, count) => (count === 'all' ? all : count))
      const begins = body.indexOf('"results":[') + '"results":['.length
      const ends = endsOf(body)
      for (let bytes = 0; bytes <= body.length; bytes += 1) {
        const items = ends.filter((end) => end <= bytes).length
        const counted = answered(bytes)
        if (bytes <= begins) expect(counted).toBe(0)
        else if (bytes > (ends.at(-1) ?? begins)) expect(counted).toBe(all)
        else if (expected) expect([bytes, counted]).toEqual([bytes, expected[items]])
        else expect(counted).toBeLessThanOrEqual(items)
      }
    },
  )

  it('of gzip answers what can be inflated of it', () => {
    const sdus = Array.from({ length: 500 }, (_, index) => String(index % 3 === 0 ? 7 : index))
    const { body, values } = answerOf('/api/v1/detail', { sdus, aligned: true })
    const coded = gzipSync(body, { level: 1 })
    let last = 0
    for (const bytes of [0, 5, 10, 30, 100, 200, 300, coded.length - 9, coded.length]) {
      const { queries: counted } = answeredIn(coded.subarray(0, bytes), values)
      expect(counted).toBeGreaterThanOrEqual(last)
      last = counted
    }
    expect(last).toBe(all)
    expect(answeredIn(coded.subarray(0, 30), values)).toEqual({ queries: 0, items: 0 })
  })
})
