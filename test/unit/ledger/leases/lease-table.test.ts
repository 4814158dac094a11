/** What a node knows of its leases, through settlements that are answered, lost, or come too late. */
import { describe, expect, it } from 'vitest'
import type { Charge, Funds, LiveFunds } from '../../../../src/ledger/books/port.ts'
import { idleMicroUsd } from '../../../../src/ledger/leases/holding.ts'
import { LeaseTable } from '../../../../src/ledger/leases/lease-table.ts'
import type { Lease, Reply, Settlement } from '../../../../src/ledger/leases/settlement.ts'

const session = '00000000-0000-4000-8000-000000000001'
const charge = (amountMicroUsd: number, accountNumber = 1): Charge => ({
  accountNumber,
  keyId: 'key_1',
  ...{ route: 'search', queries: amountMicroUsd / 1_000, amountMicroUsd },
})
const lease = (granted: number, spent: number, balance: number): Lease => ({
  accountNumber: 1,
  grantedMicroUsd: granted,
  spentMicroUsd: spent,
  balanceMicroUsd: balance,
})

const ofAccount = { accountNumber: 1, grantedMicroUsd: 50_000_000, spentMicroUsd: 0 }

/** A reply of the database, which has lost accounts. */
const reply = (leases: readonly Lease[], lost: readonly number[] = []): Reply => ({
  ...{ aheadMs: 0, lost, leases },
  unpaid: [],
})

/** What is live, of one account; it has what the table says, as a service would. */
function liveOf(table: LeaseTable) {
  const withdrawn: number[] = []
  const missed = new Map<number, number>()
  const fundsOf = () => table.fundsSince(0).find(({ accountNumber }) => accountNumber === 1)
  const live: LiveFunds = {
    liveMicroUsd: () => (fundsOf()?.grantedMicroUsd ?? 0) - (fundsOf()?.spentMicroUsd ?? 0),
    withdraw: (_, amount) => {
      const taken = Math.max(0, Math.min(amount, live.liveMicroUsd(1)))
      withdrawn.push(taken)
      return taken
    },
    takeMissed: () => {
      const taken = new Map(missed)
      missed.clear()
      return taken
    },
    setUncertain: () => {},
  }
  return { live, withdrawn, missed }
}

/** A table with one account of 50 USD, 1 USD of which is leased. */
function leased() {
  const table = new LeaseTable()
  table.note([{ ...ofAccount, madeAtMs: 1, recalled: 0 }])
  const { live, withdrawn, missed } = liveOf(table)
  const first = table.nextSettlement(session, live, 0)!
  table.take(first, reply([lease(idleMicroUsd, 0, 50_000_000)]), 0)
  return { table, live, withdrawn, missed, first }
}

function soldOf(table: LeaseTable, sold: Charge, nowMs: number) {
  return table.sold({ number: table.nextNumber(), charges: [sold] }, true, nowMs).unpaid
}

function sell(table: LeaseTable, amountMicroUsd: number, nowMs: number) {
  return soldOf(table, charge(amountMicroUsd), nowMs)
}

/** What a settlement wants and gives back: of accounts, and of caps. */
function movesOf(settlement: Settlement | undefined) {
  const moves = settlement?.moves ?? []
  const ofAccounts = moves.filter(({ keyId }) => keyId === undefined)
  return {
    wants: ofAccounts.flatMap(({ accountNumber, want }) =>
      want ? { accountNumber, ...want } : [],
    ),
    gives: ofAccounts.flatMap(({ accountNumber, given }) =>
      given > 0 ? [[accountNumber, given]] : [],
    ),
    caps: moves.filter(({ keyId }) => keyId !== undefined),
  }
}

describe('the leases of a node', () => {
  it('begin with a little of every account, and tell what the account has besides', () => {
    const { table, first } = leased()
    expect(movesOf(first).wants).toMatchObject([
      { accountNumber: 1, amountMicroUsd: idleMicroUsd, neededMicroUsd: 0 },
    ])
    expect(table.isIncomplete).toBe(false)
    expect(table.fundsSince(0)).toMatchObject([
      { grantedMicroUsd: idleMicroUsd, spentMicroUsd: 0, heldByOtherNodesMicroUsd: 49_000_000 },
    ])
  })

  it('have nothing to say while nothing happens, until it is time to live on', () => {
    const { table, live } = leased()
    expect(table.nextSettlement(session, live, 1_000)).toBeUndefined()
    const settlement = table.nextSettlement(session, live, 1_250)
    expect(settlement).toMatchObject({ charges: [], moves: [] })
  })

  it('tell all windows at once, under a number above theirs', () => {
    const { table, live } = leased()
    sell(table, 1_000, 100)
    sell(table, 2_000, 200)
    const settlement = table.nextSettlement(session, live, 700)!
    expect(settlement.charges).toEqual([charge(3_000)])
    table.take(settlement, reply([lease(idleMicroUsd, 3_000, 49_997_000)]), 710)
    const later = table.nextSettlement(session, live, 3_000)!
    expect(later.charges).toEqual([])
    expect(later.number).toBeGreaterThan(settlement.number)
  })

  it('give away what no lease pays for, and sell no more than they hold', () => {
    const { table } = leased()
    expect(sell(table, idleMicroUsd, 100)).toEqual([])
    expect(sell(table, 1_000, 200)).toEqual([charge(1_000)])
    const [funds] = table.fundsSince(0)
    expect(funds!.grantedMicroUsd - funds!.spentMicroUsd).toBe(0)
  })

  it('ask for what a request lacked, and call the others no more than now and then', () => {
    const { table, live, missed } = leased()
    missed.set(1, 3_000_000)
    const settlement = table.nextSettlement(session, live, 100)!
    expect(movesOf(settlement).wants).toMatchObject([{ neededMicroUsd: 2_000_000, recalls: true }])
    table.take(settlement, reply([lease(idleMicroUsd, 0, 50_000_000)]), 110)
    expect(movesOf(table.nextSettlement(session, live, 150)).wants[0]?.recalls).toBe(false)
    expect(movesOf(table.nextSettlement(session, live, 600)).wants[0]?.recalls).toBe(true)
    expect(movesOf(table.nextSettlement(session, live, 2_000)).wants).toEqual([])
  })

  it('give back everything when they are called, and leave it to the others until it is asked for', () => {
    const { table, live, withdrawn, missed } = leased()
    table.note([{ ...ofAccount, madeAtMs: 1, recalled: 7 }])
    const settlement = table.nextSettlement(session, live, 100)!
    expect(withdrawn).toEqual([idleMicroUsd])
    expect(movesOf(settlement)).toEqual({ wants: [], gives: [[1, idleMicroUsd]], caps: [] })
    table.take(settlement, reply([lease(0, 0, 50_000_000)]), 110)
    expect(table.fundsSince(0)[0]).toMatchObject({ grantedMicroUsd: 0 })
    expect(table.nextSettlement(session, live, 1_000)).toBeUndefined()
    missed.set(1, 1_000)
    expect(movesOf(table.nextSettlement(session, live, 1_100)).wants).toMatchObject([
      { neededMicroUsd: 1_000 },
    ])
  })

  it('are void when the session was ended: what was not told is given away, the rest is not ours', () => {
    const { table, live } = leased()
    sell(table, 4_000, 100)
    const settlement = table.nextSettlement(session, live, 600) as Settlement
    sell(table, 1_000, 700)
    expect(table.fence(settlement.number)).toEqual([charge(1_000)])
    const [funds] = table.fundsSince(0)
    expect(funds!.grantedMicroUsd).toBe(funds!.spentMicroUsd)
    expect(funds!.heldByOtherNodesMicroUsd).toBe(50_000_000)
    expect(table.isIncomplete).toBe(true)
  })

  it('of a session that was ended are told as late in the next one, under the number of their last window', () => {
    const { table, live } = leased()
    sell(table, 4_000, 100)
    table.fence(0)
    const closed = { number: table.nextNumber(), charges: [charge(1_000)] }
    expect(table.sold(closed, false, 200).unpaid).toEqual([charge(1_000)])
    const settlement = table.nextSettlement(session, live, 300)!
    const late = { number: closed.number, charges: [charge(5_000)] }
    expect(settlement).toMatchObject({ charges: [], late })
    expect(settlement.number).toBeGreaterThan(closed.number)
    table.take(settlement, reply([lease(idleMicroUsd, 0, 50_000_000)]), 310)
    expect(table.lastSettlement(session)).not.toHaveProperty('late')
  })

  it('of an earlier run are told but for what the database has', () => {
    const { table } = leased()
    const windows = [2, 4].map((number) => ({ number, charges: [charge(number * 1_000)] }))
    table.restore(windows, 3, 100)
    expect(table.lastSettlement(session)).toMatchObject({ number: 5, charges: [charge(4_000)] })
    table.forget()
    expect(table.lastSettlement(session)).toMatchObject({ number: 6, charges: [] })
  })

  it('of an account that the database has lost are dropped until it has it again, and the others stay', () => {
    const { table, live } = leased()
    const news = { ...ofAccount, accountNumber: 2, madeAtMs: 1, recalled: 0 }
    table.note([news])
    const second = { ...lease(idleMicroUsd, 0, 50_000_000), accountNumber: 2 }
    table.take(table.nextSettlement(session, live, 10)!, reply([second]), 20)
    const both = { number: table.nextNumber(), charges: [charge(4_000), charge(3_000, 2)] }
    table.sold(both, true, 100)
    const told = table.nextSettlement(session, live, 1_000)!
    table.take(told, reply([lease(idleMicroUsd, 4_000, 49_996_000)], [2]), 1_010)
    const funds = table.fundsSince(0).find(({ accountNumber }) => accountNumber === 2)!
    expect(funds.grantedMicroUsd).toBe(funds.spentMicroUsd)
    expect(funds.heldByOtherNodesMicroUsd).toBe(0)
    expect(soldOf(table, charge(1_000, 2), 1_100)).toHaveLength(1)
    const settlement = table.nextSettlement(session, live, 3_000)!
    expect(settlement.moves.map(({ accountNumber }) => accountNumber)).not.toContain(2)
    expect(table.note([{ ...news, madeAtMs: 2 }])).toBe(false)
    expect(table.isIncomplete).toBe(true)
  })

  it('are others than agreed where another account has the number', () => {
    const { table } = leased()
    const news = { ...ofAccount, recalled: 0 }
    const room = () => {
      const [{ grantedMicroUsd, spentMicroUsd }] = table.fundsSince(0) as [Funds]
      return grantedMicroUsd - spentMicroUsd
    }
    expect(table.note([{ ...news, madeAtMs: 1 }])).toBe(false)
    expect(room()).toBeGreaterThan(0)
    expect(table.note([{ ...news, madeAtMs: 2 }])).toBe(true)
    expect(room()).toBe(0)
    expect(table.note([{ ...news, madeAtMs: 2 }])).toBe(false)
    // Of another database all are others, and it is that one which is asked from now on.
    table.forget()
    expect(table.note([{ ...news, madeAtMs: 3 }])).toBe(false)
    expect(table.note([{ ...news, madeAtMs: 4 }])).toBe(true)
  })

  it('refuse a database that knows less than it said before', () => {
    const { table, live } = leased()
    const settlement = table.nextSettlement(session, live, 2_000)!
    expect(() => table.take(settlement, reply([lease(0, 0, 50_000_000)]), 2_010)).toThrow(
      'than agreed',
    )
    expect(() =>
      table.take(settlement, reply([lease(idleMicroUsd, 5, 50_000_000)]), 2_010),
    ).toThrow('agreed')
    // What it was told of 3,000 is gone, though it has the lease.
    soldOf(table, charge(3_000), 2_020)
    const told = table.nextSettlement(session, live, 3_000)!
    table.take(told, reply([lease(idleMicroUsd, 3_000, 49_997_000)]), 3_010)
    soldOf(table, charge(2_000), 3_020)
    const next = table.nextSettlement(session, live, 4_000)!
    expect(() => table.take(next, reply([lease(idleMicroUsd, 2_000, 49_998_000)]), 4_010)).toThrow(
      'agreed',
    )
  })

  it('tell of accounts only when they have leases of them', () => {
    const { table } = leased()
    const seen = table.version
    table.note([
      { accountNumber: 2, madeAtMs: 1, grantedMicroUsd: 0, spentMicroUsd: 0, recalled: 0 },
    ])
    expect(table.fundsSince(seen)).toEqual([])
    expect(table.isKnown({ accountNumber: 2, id: 'key_2' })).toBe(false)
    const settlement = table.nextSettlement(session, undefined, 10)!
    const none = { ...lease(0, 0, 0), accountNumber: 2 }
    table.take(settlement, reply([none]), 20)
    expect(table.fundsSince(seen)).toMatchObject([{ accountNumber: 2 }])
    expect(table.isKnown({ accountNumber: 2, id: 'key_2' })).toBe(true)
  })
})

describe('the leases of a cap', () => {
  const keyId = 'key_1'
  const capLease = (granted: number, spent: number, balance: number): Lease => ({
    ...lease(granted, spent, balance),
    keyId,
  })
  const key = {
    accountNumber: 1,
    id: keyId,
    terms: { cap: { amountMicroUsd: 9_000, period: 'day' } },
  } as const
  const capped = (amountMicroUsd: number): Charge => ({
    ...charge(amountMicroUsd),
    keyId,
    isCapped: true,
  })

  const ofCap = { accountNumber: 1, keyId, madeAtMs: 0, grantedMicroUsd: 9_000, spentMicroUsd: 0 }

  /** A table with a cap of 0.009 USD below the account, 0.004 of which are leased. */
  function withCap() {
    const all = leased()
    const { table, live } = all
    table.note([{ ...ofCap, recalled: 0 }])
    expect(table.isKnown(key)).toBe(false)
    const settlement = table.nextSettlement(session, live, 20)!
    table.take(settlement, reply([capLease(4_000, 0, 9_000)]), 20)
    return { ...all, settlement }
  }

  it('are asked for beside those of accounts, and the key is sold to when they have come', () => {
    const { table, settlement } = withCap()
    expect(settlement.moves).toMatchObject([{ accountNumber: 1, keyId, given: 0 }])
    expect(settlement.moves[0]!.want).toMatchObject({ neededMicroUsd: 0 })
    expect(table.isKnown(key)).toBe(true)
    expect(table.fundsSince(0)).toContainEqual(
      expect.objectContaining({ keyId, grantedMicroUsd: 4_000, heldByOtherNodesMicroUsd: 5_000 }),
    )
  })

  it('pay for what is sold under the cap, and what they do not pay for is given away', () => {
    const { table } = withCap()
    const window = { number: table.nextNumber(), charges: [capped(3_000)] }
    const { funds, unpaid } = table.sold(window, true, 30)
    expect(unpaid).toEqual([])
    expect(funds).toMatchObject([{ accountNumber: 1 }, { keyId, spentMicroUsd: 3_000 }])
    expect(soldOf(table, capped(1_001), 40)).toHaveLength(1)
    expect(soldOf(table, charge(1_001), 50)).toEqual([])
  })

  it('are given back when they are called, and nothing of a cap that the database has lost is sold', () => {
    const { table, live } = withCap()
    table.note([{ ...ofCap, recalled: 7 }])
    const settlement = table.nextSettlement(session, { ...live, withdraw: () => 4_000 }, 40)!
    expect(settlement.moves).toMatchObject([{ keyId, given: 4_000 }])
    table.take(settlement, reply([]), 50)
    expect(soldOf(table, capped(1), 60)).toHaveLength(1)
    expect(soldOf(table, charge(1), 60)).toEqual([])
  })

  it('leave a refusal to others while charges or returns are on their way, whichever the balance has', () => {
    const besides = (table: LeaseTable) =>
      table.fundsSince(0).find((each) => each.keyId === keyId)!.heldByOtherNodesMicroUsd
    const { table, live } = withCap()
    expect(soldOf(table, capped(4_000), 30)).toEqual([])
    const settlement = table.nextSettlement(session, live, 430)!
    // The database has the charges, and its answer is not here yet; then its answer is.
    table.note([{ ...ofCap, grantedMicroUsd: 5_000, recalled: 0 }])
    expect(besides(table)).toBe(5_000)
    table.take(settlement, reply([capLease(8_000, 4_000, 5_000)]), 440)
    expect(besides(table)).toBe(1_000)
    table.note([{ ...ofCap, grantedMicroUsd: 4_000, recalled: 7 }])
    expect(besides(table)).toBe(0)
    table.nextSettlement(session, { ...live, withdraw: () => 4_000 }, 450)
    table.note([{ ...ofCap, grantedMicroUsd: 4_000, recalled: 0 }])
    expect(besides(table)).toBe(4_000)
  })

  it('that is not sold from asks for nothing, however little it has', () => {
    const { table, live, missed } = withCap()
    table.take(table.nextSettlement(session, live, 2_000)!, reply([]), 2_000)
    expect(movesOf(table.nextSettlement(session, live, 4_000)).caps).toEqual([])
    missed.set(keyId as never, 5_000)
    const asked = table.nextSettlement(session, { ...live, liveMicroUsd: () => 4_000 }, 6_000)
    expect(movesOf(asked).caps).toMatchObject([
      { keyId, want: { neededMicroUsd: 1_000, recalls: true } },
    ])
  })
})
