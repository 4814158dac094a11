/** Kept answers of the client while the service goes from one snapshot to another: they are those of direct requests. */
import { describe, expect, test } from 'vitest'
import { AuthorityClient, type Middleware } from '../../../../src/client/authority-client.ts'
import type { Snapshot } from '../../../../src/snapshot/file.ts'
import { announceNext, dayMs } from '../../../support/announced.ts'
import { snapshotOf, temporaryDirectory } from '../../../support/built.ts'
import { operate, until } from '../../../support/operated.ts'
import { authority, social, topic } from '../../../support/records.ts'

const numbers = Array.from({ length: 80 }, (_, index) => index + 1)

/** Person 3 has another score on the second day, 4 another name, and 5 has a handle that nobody had. */
function onDay(day: 1 | 2): Snapshot {
  const isSecond = day === 2
  const person = (number: number) =>
    authority({
      sdu: String(number),
      name: isSecond && number === 4 ? 'Renamed' : `Person ${number}`,
      topics: [topic(`Topic ${number % 3}`)],
      socials: [
        social('github', `person${number}`),
        ...(isSecond && number === 5 ? [social('twitter', 'newcomer')] : []),
      ],
      authorityScore: isSecond && number === 3 ? 1 : number,
    })
  return snapshotOf({ authorities: numbers.map(person) })
}

describe.each(['revalidate', 'follow'] as const)('with the cache %s', (cache) => {
  test('answers are those of the served snapshot, and what did not change is not paid again', async () => {
    const directory = temporaryDirectory()
    announceNext(directory, undefined, onDay(1), Date.now() - 2 * dayMs)
    const service = await operate(directory, ['--poll-interval', '1', '--lookup-rate-limit', '0'])
    const apiKey = service.headers.authorization!.replace('Bearer ', '')
    // A repeat on a busy machine is the same question.
    const asked = new Set<string>()
    const note: Middleware = (request, next) => {
      asked.add(request.url)
      return next(request)
    }
    const client = new AuthorityClient({
      baseUrl: service.address,
      apiKey,
      deadlineMs: 60_000,
      cache,
      // Every call looks at the service.
      cacheFreshMs: -1,
      coalesce: false,
      middleware: [note],
    })
    const handles = [...numbers.map((number) => `github:person${number}`), '@newcomer', '@nobody']
    const sdus = ['3', '4', '5', '6', '999']
    const answersOf = async (by: AuthorityClient) => ({
      matches: await Promise.all(handles.map(async (each) => (await by.match(each)).results)),
      details: await Promise.all(sdus.map(async (each) => (await by.detail(each)).results)),
    })
    const direct = new AuthorityClient({ baseUrl: service.address, apiKey, deadlineMs: 60_000 })
    const paid = () => [...asked].filter((url) => /match|detail/.test(new URL(url).pathname)).length
    expect(await answersOf(client)).toEqual(await answersOf(direct))
    expect(paid()).toBe(handles.length + sdus.length)
    expect(await answersOf(client)).toEqual(await answersOf(direct))
    expect(paid()).toBe(handles.length + sdus.length)

    announceNext(directory, onDay(1), onDay(2), Date.now() - dayMs)
    const { id } = onDay(2).header
    await until(async () => {
      const seen = await Promise.all(Array.from({ length: 8 }, () => direct.topics()))
      return seen.every(({ snapshot }) => snapshot === id)
    })
    asked.clear()
    const answers = await answersOf(client)
    expect(answers).toEqual(await answersOf(direct))
    expect(answers.matches.flat().map(({ name }) => name)).toContain('Renamed')
    if (cache === 'revalidate') expect(paid()).toBe(handles.length + sdus.length)
    // At least persons 3, 4 and 5, the newcomer's handle, and three profiles; and few others, whose ranks moved.
    else expect(paid()).toBeLessThan((handles.length + sdus.length) / 2)
    await client.close()
    await direct.close()
  })
})
