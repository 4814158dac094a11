/** The outbox: what was sold is there after a crash, in order, until the database has it. */
import { describe, expect, it } from 'vitest'
import { Outbox } from '../../../src/ledger/leases/outbox.ts'
import { salesOf, temporaryDirectory } from '../fixture.ts'

const charges = [{ accountNumber: 1, sales: salesOf({ search: 2 }) }]

describe('an outbox', () => {
  it('holds windows in their order, also for who opens it next', async () => {
    const directory = temporaryDirectory()
    const first = new Outbox(directory)
    expect(first.session).toBeUndefined()
    first.begin('a')
    first.add({ number: 9, charges }, 0)
    first.add({ number: 10, charges }, 0)
    await first.close()
    const second = new Outbox(directory)
    expect(second.session).toBe('a')
    expect(second.windows()).toEqual([
      { number: 9, charges },
      { number: 10, charges },
    ])
    await second.close()
  })

  it('forgets what was told, and everything with another session', async () => {
    const outbox = new Outbox(temporaryDirectory())
    outbox.begin('a')
    outbox.add({ number: 1, charges }, 0)
    outbox.add({ number: 2, charges }, 0)
    outbox.add({ number: 4, charges }, 2)
    expect(outbox.windows().map(({ number }) => number)).toEqual([4])
    outbox.begin('b')
    expect([outbox.session, outbox.windows()]).toEqual(['b', []])
    await outbox.close()
  })
})
