/** Practice before the first request. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { activate } from '../../../src/api/active-snapshot.ts'
import { Api } from '../../../src/api/api.ts'
import { warmUp } from '../../../src/api/warm-up.ts'
import { operations, routeNames } from '../../../src/operations.ts'
import { snapshotOf } from '../../support/built.ts'
import { fixtureSnapshot } from '../../support/snapshot-fixture.ts'

function clockOf(stepMs: number) {
  let nowMs = 0
  return () => {
    nowMs += stepMs
    return nowMs
  }
}

function observed() {
  const asked: { path: string; status: number }[] = []
  const answer = Api.prototype.answer
  vi.spyOn(Api.prototype, 'answer').mockImplementation(function (this: Api, request) {
    const reply = answer.call(this, request)
    asked.push({ path: request.path, status: reply.status })
    return reply
  })
  return asked
}

/** Of the past, which a first snapshot has not, nothing is asked. */
const ofThePast = ['snapshots', 'snapshot', 'changes', 'history']

describe('a thread that practises', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('answers every kind of question, and asks nothing that is refused', async () => {
    const asked = observed()
    const count = await warmUp(activate(fixtureSnapshot()), { workMsMax: 1_000, clock: clockOf(1) })
    expect(asked).toHaveLength(count)
    expect([...new Set(asked.map(({ status }) => status))]).toEqual([200])
    const paths = routeNames
      .filter((name) => !ofThePast.includes(name))
      .map((name) => operations[name].paths[0])
    expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(paths))
  })

  it('ends after so much work, and lets the thread do other things meanwhile', async () => {
    const served = activate(fixtureSnapshot())
    let turns = 0
    const turn = setInterval(() => {
      turns += 1
    }, 0)
    const little = await warmUp(served, { workMsMax: 10, clock: clockOf(1) })
    const more = await warmUp(served, { workMsMax: 10_000, clock: clockOf(1) })
    clearInterval(turn)
    expect(more).toBeGreaterThan(little)
    expect(turns).toBeGreaterThan(0)
  })

  it('works a tenth of a second where few people are, however much longer it may', async () => {
    const served = activate(fixtureSnapshot())
    const allowed = await warmUp(served, { workMsMax: 100, clock: clockOf(1) })
    expect(await warmUp(served, { workMsMax: 60_000, clock: clockOf(1) })).toBe(allowed)
  })

  it('asks nothing where it may not work, or where nobody is', async () => {
    const asked = observed()
    await warmUp(activate(fixtureSnapshot()), { workMsMax: 0, clock: clockOf(1) })
    await warmUp(activate(snapshotOf({})), { workMsMax: 1_000, clock: clockOf(1) })
    expect(asked).toEqual([])
  })
})
