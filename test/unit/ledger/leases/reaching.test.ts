/** How a start waits for its database: as long as was asked for, and only where that may help. */
import { describe, expect, it } from 'vitest'
import { whenReached } from '../../../../src/ledger/leases/reaching.ts'
import { DatabaseAway } from '../../../../src/ledger/sql/port.ts'
import { Refusal } from '../../../../src/problems.ts'

const never = new Promise<void>(() => {})
const away = (why: string) => new DatabaseAway('ledger-refused', `the ledger is away: ${why}`)

/** A clock that goes on by so much with each look; what was said. */
function waiting(waitMs: number, stepMs: number, ended = never) {
  const lines: string[] = []
  let nowMs = 0
  const clock = () => {
    nowMs += stepMs
    return nowMs
  }
  return { lines, reaching: { waitMs, ended, clock, report: (line: string) => lines.push(line) } }
}

/** Fails with each of these in turn, then succeeds. */
function failing(...errors: readonly Error[]) {
  let tries = 0
  const work = async () => {
    const error = errors[tries]
    tries += 1
    if (error !== undefined) throw error
    return 'reached'
  }
  return { work, tries: () => tries }
}

describe('a start that waits for its database', () => {
  it('tries until it is reached, and says each reason once', async () => {
    const { lines, reaching } = waiting(10, 0)
    const { work } = failing(away('refused'), away('refused'), away('starting'))
    expect(await whenReached(reaching, work)).toBe('reached')
    expect(lines).toEqual([
      'the ledger is away: refused; trying for 1 s more',
      'the ledger is away: starting; trying for 1 s more',
      'the database of the ledger is reached',
    ])
  })

  it('says nothing where it is reached at once', async () => {
    const { lines, reaching } = waiting(10, 0)
    expect(await whenReached(reaching, failing().work)).toBe('reached')
    expect(lines).toEqual([])
  })

  it('ends after as long as was asked for, with the last reason', async () => {
    const { reaching } = waiting(2_000, 1_000)
    const { work, tries } = failing(away('refused'), away('starting'), away('never asked'))
    const end = whenReached({ ...reaching, waitMs: 1_001 }, work)
    await expect(end).rejects.toMatchObject({
      code: 'ledger-refused',
      message: 'the ledger is away: starting; tried for 1.001 s',
    })
    expect(tries()).toBe(2)
  })

  it('does not wait for what stays so', async () => {
    const { lines, reaching } = waiting(60_000, 0)
    const refusal = new Refusal('ledger-refused', 'no such user')
    await expect(whenReached(reaching, failing(refusal).work)).rejects.toBe(refusal)
    const bug = new Error('a bug')
    await expect(whenReached(reaching, failing(bug).work)).rejects.toBe(bug)
    expect(lines).toEqual([])
  })

  it('ends when nobody waits any more', async () => {
    const { reaching } = waiting(60_000, 0, Promise.resolve())
    await expect(whenReached(reaching, failing(away('refused')).work)).rejects.toMatchObject({
      code: 'ledger-refused',
      message: 'the ledger is away: refused; ended before it was reached',
    })
  })
})
