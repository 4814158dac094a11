/** The commands of accounts, keys and the ledger, as they are typed: what they print, and what they never do. */
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  accountCommands,
  adminCommand,
  keyCommands,
} from '../../../../src/commands/administration.ts'
import type { AnyRun } from '../../../../src/commands/command.ts'
import { ledgerCommands } from '../../../../src/commands/ledger.ts'
import { type CommandName, commandTable } from '../../../../src/commands/line/command-table.ts'
import { isWellFormedKey, mentionsKey } from '../../../../src/ledger/books/key.ts'
import { openWholeSession } from '../../../../src/ledger/leases/whole-session.ts'
import { settingValuesOf } from '../../../../src/settings.ts'
import { damageLedger, HandClock, temporaryDirectory } from '../../../support/ledger-fixture.ts'

const runs: Readonly<Record<string, AnyRun>> = {
  ...accountCommands,
  ...keyCommands,
  ...ledgerCommands,
  admin: adminCommand as AnyRun,
}

interface Output {
  readonly printed: string[]
  readonly reported: string[]
}

const nowhere = {
  userId: 0,
  notifySocket: undefined,
  setVariable: () => {},
  goOnWithFittingNode: async () => {},
}

function newShell() {
  const clock = new HandClock()
  const data = temporaryDirectory()
  const run = async (
    name: string,
    operands: string[] = [],
    flags = {},
    output: Output = { printed: [], reported: [] },
  ): Promise<Output> => {
    const { settings } = commandTable[name as CommandName]
    await runs[name]!({
      operands,
      values: settingValuesOf(settings, { data, ...flags }, {}) as never,
      terminal: {
        print: (line) => output.printed.push(line),
        report: (line) => output.reported.push(line),
        interactive: false,
        printed: async () => {},
        discards: false,
        isSeen: false,
      },
      clock: clock.read,
      interrupted: () => new Promise(() => {}),
      onHangup: () => {},
      surroundings: nowhere,
    })
    return output
  }
  const json = async (name: string, operands: string[] = [], flags = {}) => {
    const { printed } = await run(name, operands, { ...flags, json: true })
    expect(printed).toHaveLength(1)
    return JSON.parse(printed[0]!)
  }
  return { run, json, clock, data }
}

/** The same with an account. */
async function withAccount() {
  const shell = newShell()
  await shell.run('account create', ['first'])
  return shell
}

describe('account', () => {
  test('create, show and list tell the balance', async () => {
    const { run, json } = await withAccount()
    const first = {
      account: 'first',
      balance_usd: 50,
      credited_usd: 50,
      charged_usd: 0,
      state: 'active',
      created: '2026-07-28T12:00:00.000Z',
    }
    expect(await json('admin', ['getAccount', 'account=first'])).toEqual(first)
    expect(await json('account list')).toEqual([first])
    expect((await run('account list')).printed).toEqual([
      'ACCOUNT  BALANCE USD  STATE   CREATED',
      'first             50  active  2026-07-28T12:00:00.000Z',
    ])
    expect((await run('admin', ['getAccount', 'account=first'])).printed).toContain(
      'balance_usd   50',
    )
  })

  test('top-up credits once for each reference, and says when it did not', async () => {
    const { run, json } = await withAccount()
    const paid = { reference: 'invoice 7' }
    expect((await run('account top-up', ['first', '12.5'], paid)).printed).toEqual([
      'credited 12.50 USD; the balance of first is 62.50 USD',
    ])
    expect((await run('account top-up', ['first', '12.5'], paid)).printed).toEqual([
      "reference 'invoice 7' was credited before; nothing changed; the balance of first is 62.50 USD",
    ])
    expect(await json('account top-up', ['first', '12.5'], paid)).toMatchObject({
      credited: false,
      balance_usd: 62.5,
    })
  })

  test('top-up without a reference, or of what is no amount, is refused', async () => {
    const { run, json } = await withAccount()
    for (const [amount, reference] of [
      ['5', undefined],
      ['5 USD', 'r'],
      ['0', 'r'],
    ] as const) {
      await expect(run('account top-up', ['first', amount], { reference })).rejects.toThrow(
        expect.objectContaining({ code: 'wrong-usage' }),
      )
    }
    expect(await json('admin', ['getAccount', 'account=first'])).toMatchObject({ balance_usd: 50 })
  })

  test('suspend and resume say what changed, and show it', async () => {
    const { run, json } = await withAccount()
    const state = async () => (await json('admin', ['getAccount', 'account=first'])).state
    const suspend = ['suspendAccount', 'account=first']
    expect(await json('admin', suspend)).toEqual({ state: 'suspended', changed: true })
    expect(await json('admin', suspend)).toEqual({ state: 'suspended', changed: false })
    expect(await state()).toBe('suspended')
    const resume = ['resumeAccount', 'account=first']
    expect((await run('admin', resume)).printed).toEqual(['state    active', 'changed  true'])
    expect(await json('admin', resume)).toEqual({ state: 'active', changed: false })
    expect(await state()).toBe('active')
  })

  test('is refused when there is no ledger, except for create', async () => {
    const { run } = newShell()
    for (const [name, operands] of [
      ['account list', []],
      ['admin', ['getAccount', 'account=first']],
      ['admin', ['getStatement', 'account=first']],
      ['key list', []],
      ['ledger verify', []],
    ] as const) {
      await expect(run(name, [...operands])).rejects.toThrow('there is no ledger in')
    }
  })
})

describe('key', () => {
  test('issue prints the key alone, and what is about it elsewhere', async () => {
    const { run } = await withAccount()
    const { printed, reported } = await run('key issue', [], { account: 'first', expires: '90d' })
    expect(printed).toHaveLength(1)
    expect(isWellFormedKey(printed[0]!)).toBe(true)
    expect(reported.join('\n')).toMatch(/^key key_\w{10}, until 2026-10-26T12:00:00.000Z\n/)
    expect(mentionsKey(reported.join('\n'))).toBe(false)
  })

  test('list never shows a key, for people or as JSON', async () => {
    const { run, json } = await withAccount()
    const issued = await json('key issue', [], { account: 'first', label: 'ranker' })
    const rotated = await json('key rotate', [issued.key_id], { overlap: '1h' })
    expect(isWellFormedKey(issued.key) && isWellFormedKey(rotated.key)).toBe(true)
    const list = await json('key list')
    expect(list).toContainEqual(
      expect.objectContaining({
        spent_usd: 0,
        key_id: issued.key_id,
        account: 'first',
        state: 'active',
        label: 'ranker',
        created: '2026-07-28T12:00:00.000Z',
        expires: null,
        revoked: null,
        secrets: [
          { created: '2026-07-28T12:00:00.000Z', ends: '2026-07-28T13:00:00.000Z' },
          { created: '2026-07-28T12:00:00.000Z', ends: null },
        ],
      }),
    )
    const { printed, reported } = await run('key list')
    expect(printed).toHaveLength(2)
    const everything = [...printed, ...reported, JSON.stringify(list)].join('\n')
    expect(everything).not.toContain(issued.key.slice(4, 34))
    expect(mentionsKey(everything)).toBe(false)
  })

  test('rotate prints the new text of the key, and when the old one ends', async () => {
    const { run, json } = await withAccount()
    const { key_id: id } = await json('key issue', [], { account: 'first' })
    const { printed, reported } = await run('key rotate', [id])
    expect(isWellFormedKey(printed.join('\n'))).toBe(true)
    expect(reported).toContain(`the old secret of key ${id} ends at 2026-07-29T12:00:00.000Z`)
  })

  test('revoke ends a key, and says when it had ended before', async () => {
    const { run, json } = await withAccount()
    const { key_id: id } = await json('key issue', [], { account: 'first' })
    expect((await run('key revoke', [id])).printed).toEqual([`key ${id} is revoked`])
    expect((await run('key revoke', [id])).printed).toEqual([`key ${id} had been revoked before`])
    expect(await json('key revoke', [id])).toEqual({ revoked: false })
    expect(await json('key list')).toMatchObject([{ state: 'revoked' }])
  })

  test('issue without an account is wrong usage', async () => {
    await expect(newShell().run('key issue')).rejects.toThrow('key issue needs --account')
  })

  test('is never repeated by a refusal, wherever it was typed', async () => {
    const { run, json } = await withAccount()
    const { key } = await json('key issue', [], { account: 'first' })
    const attempts: [string, string[], Record<string, string>][] = [
      ['account create', [key], {}],
      ['admin', ['getAccount', `account=${key}`], {}],
      ['admin', ['getStatement', `account=${key}`], {}],
      ['account top-up', [key, '1'], { reference: 'r' }],
      ['account top-up', ['first', key], { reference: 'r' }],
      ['account top-up', ['first', '1'], { reference: key }],
      ['key issue', [], { account: key }],
      ['key issue', [], { account: 'first', label: key }],
      ['key rotate', [key], {}],
      ['key revoke', [key], {}],
    ]
    for (const [name, operands, flags] of attempts) {
      const error = await run(name, operands, flags).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      expect(error).toMatchObject({ name: 'Refusal' })
      expect((error as Error).message).not.toContain(key.slice(4, 34))
    }
  })
})

describe('ledger verify', () => {
  test('says that good books balance, and what they hold', async () => {
    const { run, json } = await withAccount()
    await run('key issue', [], { account: 'first' })
    expect((await run('ledger verify')).printed).toEqual([
      'the books balance: 1 accounts, 1 rows, 1 keys, 50.00 USD in all',
    ])
    expect(await json('ledger verify')).toEqual({
      balanced: true,
      accounts: 1,
      rows: 1,
      keys: 1,
      balance_usd: 50,
      contradictions: [],
    })
  })

  test('lists the contradictions of others, and fails', async () => {
    const { run, data } = await withAccount()
    damageLedger(data, 'update account set credit_count = 2')
    const output: Output = { printed: [], reported: [] }
    await expect(run('ledger verify', [], {}, output)).rejects.toThrow(
      expect.objectContaining({
        code: 'ledger-corrupt',
        message: `the books in ${data} do not balance: 1 contradiction`,
      }),
    )
    expect(output.printed).toEqual(['account first: 1 credits, where 2 were written'])
  })
})

describe('ledger backup and restore', () => {
  test('copy the ledger and put it back, and say what is in it', async () => {
    const { run, json, data } = newShell()
    const directory = join(temporaryDirectory(), 'backup')
    await run('account create', ['first'])
    const content = '1 accounts, 1 rows, 0 keys, 50.00 USD in all'
    expect((await run('ledger backup', [directory])).printed).toEqual([
      `copied to ${directory}; its books balance: ${content}`,
    ])
    await run('account top-up', ['first', '10'], { reference: 'invoice 7' })
    await expect(run('ledger restore', [directory])).rejects.toThrow(
      `there is already a ledger in ${data}`,
    )
    const drill = { data: join(temporaryDirectory(), 'drill') }
    expect((await run('ledger restore', [directory], drill)).printed).toEqual([
      `restored ${directory}; its books balance: ${content}`,
    ])
    expect(await json('admin', ['getAccount', 'account=first'], drill)).toMatchObject({
      balance_usd: 50,
    })
    expect(await json('ledger backup', [join(directory, 'next')], drill)).toEqual({
      directory: join(directory, 'next'),
      accounts: 1,
      rows: 1,
      keys: 0,
      balance_usd: 50,
    })
  })

  test('back up while a service runs, and restore when none does', async () => {
    const { run, data, clock } = newShell()
    const directory = join(temporaryDirectory(), 'backup')
    const whole = { directory: data, node: 'test', clock: clock.read, report: () => {} }
    const session = await openWholeSession(whole)
    onTestFinished(() => session.close())
    await run('ledger backup', [directory])
    await expect(run('ledger restore', [directory])).rejects.toMatchObject({
      code: 'already-running',
    })
  })
})
