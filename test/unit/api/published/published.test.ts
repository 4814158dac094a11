/**
 * The published requests, which nothing that is added may change: each answers byte for byte what it
 * answered when `answers.json` was recorded, durations and request ids apart.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask, newApi } from '../../../support/api-client.ts'
import { servedOf } from '../../../support/built.ts'
import { publishedRecords } from './records.ts'

interface Recorded {
  readonly origin: string
  readonly answers: readonly {
    readonly target: string
    readonly status: number
    readonly body: string
  }[]
}

const path = join(import.meta.dirname, 'answers.json')
const { answers } = JSON.parse(readFileSync(path, 'utf8')) as Recorded

function masked(text: string): string {
  return text
    .replace(/"duration":[\d.]+/, '"duration":0')
    .replace(/"request_id":"[^"]+"/, '"request_id":""')
}

describe('a published request is answered as it was recorded', () => {
  const api = newApi(servedOf(publishedRecords))

  it.each(answers)('$target', ({ target, status, body }) => {
    const answered = ask(api, target)
    expect({ status: answered.status, body: masked(answered.text) }).toEqual({ status, body })
  })

  it('also when it is asked again, and from what is kept', () => {
    for (const { target, body } of answers) expect(masked(ask(api, target).text)).toBe(body)
  })

  it('which tells a different answer from the recorded one', () => {
    const other = newApi(servedOf({ authorities: publishedRecords.authorities.slice(1) }))
    const different = answers.filter(({ target, body }) => masked(ask(other, target).text) !== body)
    expect(different.length).toBeGreaterThan(20)
  })
})
