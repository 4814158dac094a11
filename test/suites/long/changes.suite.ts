/** Changes as a running service tells them: with each swap, and without one when a file comes to harm. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { changeEntries } from '../../../src/snapshot/changes/change-directory.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { announceNext, dayMs } from '../../support/announced.ts'
import { snapshotOf, temporaryDirectory } from '../../support/built.ts'
import { type Operated, operate, until } from '../../support/operated.ts'
import { asked, type Reply } from '../../support/program.ts'
import { authority } from '../../support/records.ts'

function ofDay(day: number): Snapshot {
  return snapshotOf({ authorities: [authority({ sdu: '1', authorityScore: day })] })
}

function idOf(day: number): string {
  return ofDay(day).header.id
}

/** The service keeps what was announced in the last year by its own clock: day 10 is today. */
const nowMs = Date.now()

function announceDay(directory: string, day: number): void {
  const before = day === 1 ? undefined : ofDay(day - 1)
  announceNext(directory, before, ofDay(day), nowMs + (day - 10) * dayMs)
}

async function newService(days: number): Promise<{ directory: string; service: Operated }> {
  const directory = temporaryDirectory()
  for (let day = 1; day <= days; day += 1) announceDay(directory, day)
  const service = await operate(directory, ['--poll-interval', '1'])
  return { directory, service }
}

function ask({ address, headers }: Operated, target: string): Promise<Reply> {
  return asked(`${address}${target}`, { headers })
}

async function listed(service: Operated): Promise<unknown[]> {
  const { json } = await ask(service, '/api/v1/snapshots')
  return json.results.map(({ id }: { id: string }) => id)
}

/** Waits until every thread lists these days: one hears of it a moment after another. */
async function untilListed(service: Operated, days: readonly number[]): Promise<void> {
  const ids = JSON.stringify(days.map(idOf))
  await until(async () => {
    const lists = await Promise.all(Array.from({ length: 8 }, () => listed(service)))
    return lists.every((list) => JSON.stringify(list) === ids)
  })
}

describe('a running service', () => {
  it('tells with each swap what came with it, and in a history too', async () => {
    const { directory, service } = await newService(2)
    expect((await ask(service, `/api/v1/changes?since=${idOf(2)}`)).json.results).toEqual([])
    announceDay(directory, 3)
    await untilListed(service, [3, 2, 1])
    const { results } = (await ask(service, `/api/v1/changes?since=${idOf(2)}`)).json
    expect(results).toEqual([{ type: 'score', sdu: '1', topic: null, before: 2, after: 3 }])
    const history = (await ask(service, '/api/v1/history?sdu=1')).json.results
    expect(history).toMatchObject([3, 2, 1].map((score) => ({ authority_score: score })))
  })

  it('names a file that comes to harm, and tells what is behind it, without a swap', async () => {
    const { directory, service } = await newService(4)
    const { path } = changeEntries(directory)[1]!
    const whole = readFileSync(path)
    writeFileSync(path, whole.subarray(0, -1))
    await untilListed(service, [4, 3])
    await until(() => service.errors().includes('"event":"history-broken"'))
    expect(service.errors()).toContain(path)
    const { status, json } = await ask(service, `/api/v1/changes?since=${idOf(1)}`)
    expect([status, json.oldest]).toEqual([410, idOf(2)])
    writeFileSync(path, whole)
    await untilListed(service, [4, 3, 2, 1])
    expect((await service.readiness()).swaps).toBe(0)
  })
})
