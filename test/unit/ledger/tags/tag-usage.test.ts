/** Usage by tag of a ledger on a disk: from the threads that sell to the journal, whose sums it has. */
import { describe, expect, test } from 'vitest'
import { Keyring } from '../../../../src/ledger/live/keyring.ts'
import { Reservations } from '../../../../src/ledger/live/reservations.ts'
import { TagLines } from '../../../../src/ledger/live/tags/tag-lines.ts'
import { createAccount, topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { chargeBatch } from '../../../../src/ledger/lmdb/charges.ts'
import { compact } from '../../../../src/ledger/lmdb/compaction.ts'
import { issueKey } from '../../../../src/ledger/lmdb/keys.ts'
import { keyUsageOf } from '../../../../src/ledger/lmdb/lineages/key-usage.ts'
import { allTags, tagUsageOf } from '../../../../src/ledger/lmdb/tags/tag-usage.ts'
import { ownerViewOf } from '../../../../src/ledger/lmdb/views/owner-view.ts'
import { statementOf } from '../../../../src/ledger/lmdb/views/statement.ts'
import type { Charge } from '../../../../src/ledger/port.ts'
import { chargesByKey } from '../../../../src/ledger/sales.ts'
import {
  HandClock,
  newCommits,
  newEnvironment,
  prices,
  salesOf,
} from '../../../support/ledger-fixture.ts'
import { Random } from '../../../support/random.ts'

const always = { fromDay: '0001-01-01', toDay: '9999-12-31' }

function sumOf(rows: readonly { queries: number; amountMicroUsd: number }[]) {
  return rows.reduce((sum, { amountMicroUsd }) => sum + amountMicroUsd, 0)
}

/** A ledger that sold under some tags, and without, over some days. */
function soldLedger(batches: number) {
  const clock = new HandClock()
  const environment = newEnvironment(clock.read)
  const random = new Random(3, 1)
  createAccount(environment, 'first')
  topUp(environment, 'first', 1_000_000_000, 'paid')
  const order = { account: 'first', label: null, expiresAtMs: null }
  const lineages = [1, 2].map(() => issueKey(environment, order).record.id)
  const tags = [undefined, 'web', 'app', 'constructor', '7']
  for (let number = 1; number <= batches; number += 1) {
    clock.nowMs += random.below(5 * 3_600_000)
    const charges = lineages.flatMap((lineage): Charge[] =>
      tags
        .filter(() => random.below(2) === 0)
        .map((tag) => ({
          ...{ accountNumber: 1, lineage, ...(tag !== undefined && { tag }) },
          sales: salesOf({ search: 1 + random.below(3), match: 1 + random.below(9) }),
        })),
    )
    if (charges.length === 0) continue
    chargeBatch(environment, { session: 'test', number, charges, holdings: undefined })
  }
  const usage = () => environment.read((tables) => tagUsageOf(tables, 1, always))
  return { environment, clock, usage, lineages }
}

describe('usage by tag', () => {
  test('adds up to the statement and to the usage by key, with the rest under no tag', () => {
    const { environment, usage } = soldLedger(60)
    const { charges } = statementOf(environment, 'first')
    const byKey = environment.read((tables) => keyUsageOf(tables, 1, { ...always, byHour: false }))
    expect(sumOf(usage())).toBe(sumOf(charges))
    expect(sumOf(byKey)).toBe(sumOf(charges))
    expect(new Set(usage().map(({ tag }) => tag))).toEqual(
      new Set(['', 'web', 'app', 'constructor', '7']),
    )
    expect(audit(environment).contradictions).toEqual([])
    expect(environment.read(allTags).map(({ tag }) => tag)).toEqual([
      '7',
      'app',
      'constructor',
      'web',
    ])
  })

  test('is what it was after a compaction, and the proof holds', async () => {
    const { environment, clock, usage } = soldLedger(60)
    const before = usage()
    expect(await compact(environment, clock.nowMs)).toBeGreaterThan(10)
    expect(usage()).toEqual(before)
    expect(audit(environment).contradictions).toEqual([])
  })

  test('is of the days that are asked for', () => {
    const { environment, usage } = soldLedger(60)
    const days = [...new Set(usage().map(({ day }) => day))]
    const range = { fromDay: days[1]!, toDay: days[2]! }
    const some = environment.read((tables) => tagUsageOf(tables, 1, range))
    expect(some).toEqual(usage().filter(({ day }) => day === days[1] || day === days[2]))
  })

  test.each([
    [
      'more',
      (sale: { queries: number; amountMicroUsd: number }) => ({
        ...sale,
        amountMicroUsd: sale.amountMicroUsd + 1,
      }),
    ],
    ['gone', () => undefined],
  ])('that is %s than the journal has is found', (_, change) => {
    const { environment } = soldLedger(20)
    environment.transact((tables) => {
      const [entry] = tables.tagUsage.getRange({ limit: 1 })
      const changed = change(entry!.value)
      if (changed === undefined) tables.tagUsage.removeSync(entry!.key)
      else tables.tagUsage.putSync(entry!.key, changed)
    })
    expect(audit(environment).contradictions.join('\n')).toMatch(/usage by tag of /)
  })

  test('in a row of the journal that is changed breaks its digest', () => {
    const { environment } = soldLedger(20)
    environment.transact((tables) => {
      const found = Array.from(tables.journal.getRange()).find(
        ({ value }) =>
          value.kind === 'charge' && Object.values(value.sales).some(({ tags }) => tags),
      )!
      const text = JSON.stringify(found.value).replaceAll('"tag":"web"', '"tag":"bew"')
      tables.journal.putSync(found.key, JSON.parse(text.replaceAll('"tag":"app"', '"tag":"ppa"')))
    })
    expect(audit(environment).contradictions.join('\n')).toMatch(/digest/)
  })

  test('shows to the holder of a key, and only where there are tags', () => {
    const { environment, lineages } = soldLedger(20)
    const key = { keyId: lineages[0]!, lineage: lineages[0]! }
    const { charges, tagCharges } = ownerViewOf(environment, key)!
    expect(sumOf(tagCharges)).toBe(sumOf(charges))
    environment.transact((tables) => {
      for (const each of [...tables.tagUsage.getKeys()]) tables.tagUsage.removeSync(each)
    })
    expect(ownerViewOf(environment, key)!.tagCharges).toEqual([])
  })

  test('stays apart where windows are summed for a settlement', () => {
    const charge = (tag?: string): Charge => ({
      ...{ accountNumber: 1, lineage: 'key', ...(tag !== undefined && { tag }) },
      sales: salesOf({ match: 1 }),
    })
    const summed = chargesByKey([charge('a'), charge(), charge('a'), charge('b'), charge()])
    expect(summed.map(({ tag, sales }) => [tag, sales.match?.queries])).toEqual([
      ['a', 2],
      [undefined, 2],
      ['b', 1],
    ])
  })
})

describe('what threads sell under tags', () => {
  async function shop() {
    const environment = newEnvironment()
    createAccount(environment, 'first')
    const { text } = issueKey(environment, { account: 'first', label: null, expiresAtMs: null })
    const opened = await newCommits(environment)
    const keyring = new Keyring(environment.clock)
    keyring.replace(opened.commits.keyTable)
    const tags = new TagLines(opened.commits.sharedTags, 0)
    const all = [keyring, opened.balances, prices, undefined, undefined, tags] as const
    const reservations = new Reservations(...all)
    const sell = (tag: string, route: 'match' | 'search' = 'match') => {
      const owner = reservations.ownerOf(`Bearer ${text}`)!
      const under = tag === '' ? owner : reservations.ownerUnder(owner, tag)
      if (typeof under === 'string') return under
      reservations.record(reservations.reserve(under, route, 2).charge!)
      return 'sold'
    }
    const byTag = () =>
      environment
        .read((tables) => tagUsageOf(tables, 1, always))
        .map(({ tag, route, queries }) => [tag, route, queries])
    return { environment, sell, byTag, ...opened }
  }

  test('is charged with the tag of each sale, the first one too', async () => {
    const { environment, commits, sell, byTag, imbalances } = await shop()
    expect([sell('web'), sell(''), sell('web', 'search')]).toEqual(['sold', 'sold', 'sold'])
    expect(await commits.commit()).toBe(true)
    sell('app')
    sell('web')
    expect(await commits.commit()).toBe(true)
    expect(byTag()).toEqual([
      ['', 'match', 2],
      ['app', 'match', 2],
      ['web', 'match', 4],
      ['web', 'search', 2],
    ])
    expect(audit(environment).contradictions).toEqual([])
    expect(imbalances).toEqual([])
  })

  test('is refused beyond a hundred tags, also after a start', async () => {
    const { environment, commits, sell } = await shop()
    for (let n = 0; n < 100; n += 1) expect(sell(`t${n}`)).toBe('sold')
    expect([sell('t100'), sell('no tag'), sell('t5')]).toEqual(['too-many', 'no-tag', 'sold'])
    await commits.commit()
    const { commits: again } = await newCommits(environment)
    const tags = new TagLines(again.sharedTags, 0)
    expect(tags.entryOf({ accountSlot: 0, line: 0, tag: 't100' })).toBe('too-many')
    expect(tags.entryOf({ accountSlot: 0, line: 0, tag: 't99' })).toEqual(expect.any(Number))
  })
})
