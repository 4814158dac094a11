/**
 * The ledger in a database, on a real PostgreSQL and real nodes: what customers and operators see of
 * it while nodes, leases and the database come and go.
 */
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import { balanceOf } from '../../../src/ledger/books/account-records.ts'
import { ledgerForm } from '../../../src/ledger/sql/form.ts'
import { Database } from '../../../src/ledger/sql/postgres/database.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { until } from '../../support/operated.ts'
import { defaultSnapshots, endOf, run, start } from '../../support/program.ts'
import { type LedgerDatabase, withDatabaseEach } from '../../support/servers/ledger-databases.ts'
import { command, type FleetNode, query, startedNode } from '../../support/servers/node.ts'
import { ask, isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'

let on: LedgerDatabase

function node(words: readonly string[] = [], data?: string): Promise<FleetNode> {
  return startedNode(on.ledger, words, data)
}

/** An account with a balance in USD, and a key of it. */
function customer(name: string, usd: number): Promise<string> {
  return on.books(async (open) => {
    await open.createAccount(name, Math.round(usd * 1e6))
    return (await open.issueKey({ account: name })).text
  })
}

async function account(name: string) {
  const found = await on.books((open) => open.accountNamed(name))
  return { balanceMicroUsd: balanceOf(found), chargedMicroUsd: found.chargedMicroUsd }
}

/**
 * Asks a node until so many were answered, one after the other. On a machine that is busy for seconds it
 * may answer 503 in between, which charges nothing; nothing else is right.
 */
async function asks(asked: FleetNode, key: string, times: number): Promise<void> {
  for (let answered = 0; answered < times; ) {
    const status = await asked.statusOf(key)
    if (status === 200) answered += 1
    else expect(status).toBe(503)
  }
}

describe.skipIf(!isPostgresqlInstalled())('the ledger in a database', () => {
  withDatabaseEach('ledger', (one) => {
    on = one
  })

  test('is made once by whoever comes first, however many come at once', async () => {
    const many = await Promise.all(
      Array.from({ length: 6 }, () => run(['account', 'list', '--json', '--ledger', on.ledger])),
    )
    expect(many.map(({ exitCode, stdout, stderr }) => [exitCode, stdout, stderr])).toEqual(
      many.map(() => [0, '[]\n', '']),
    )
  })

  test('of another form is refused by name, by commands and by nodes, and is left as it is', async () => {
    await command(on.ledger, 'account', 'create', 'alice')
    await ask(on.ledger, 'update ledger_version set version = 5 where id = 1')
    const refused = `has form 5, and this version reads form ${ledgerForm} only: use the version that wrote it`
    await expect(command(on.ledger, 'account', 'list')).rejects.toThrow(refused)
    await expect(node()).rejects.toThrow(refused)
    expect(await ask(on.ledger, 'select version from ledger_version')).toEqual([{ version: 5 }])
  })

  test('refuses copies, which a database keeps itself, and repeats no password', async () => {
    for (const word of ['backup', 'restore']) {
      await expect(command(on.ledger, 'ledger', word, 'there')).rejects.toThrow('use pg_dump')
    }
    const secret = 'postgres://somebody:open-sesame@127.0.0.1:1/ledger'
    const failed = await run(['account', 'list', '--ledger', secret])
    expect(failed.exitCode).toBe(1)
    expect(failed.stderr).toContain(
      'the ledger in postgres://somebody@127.0.0.1:1/ledger cannot be used',
    )
    const misspelled = await run(['account', 'list', '--ledger', 'mysql://me:open-sesame@host/db'])
    expect(misspelled.exitCode).toBe(2)
    expect(failed.stderr + misspelled.stderr).not.toContain('open-sesame')
  })

  test('does a transaction whole or not at all, also when its connection breaks within it', async () => {
    await customer('alice', 50)
    const database = new Database(on.ledger)
    const broken = database.transaction(async (query) => {
      await query('update account set suspended_ms = 1')
      const [row] = await query<{ pid: number }>('select pg_backend_pid() as pid')
      await ask(on.ledger, `select pg_terminate_backend(${row!.pid})`)
      // The end of the connection is known before the next statement is asked.
      await new Promise((resolve) => setTimeout(resolve, 300))
      await query('update account set free = 0')
    })
    await expect(broken).rejects.toThrow('cannot be used')
    const accounts = 'select free, suspended_ms from account'
    expect(await database.snapshot((query) => query(accounts))).toEqual([
      { free: 50_000_000, suspended_ms: null },
    ])
    await database.close()
  })

  test('is waited for where it is not there yet, as long as was said, and told of', async () => {
    await customer('alice', 50)
    on.server.stopAtOnce()
    let isAway = true
    try {
      const places = ['--snapshots', defaultSnapshots, '--data', temporaryDirectory()]
      const serve = ['serve', '--port', '0', '--ledger', on.ledger, ...places]
      const { exitCode, stdout, stderr } = await run([...serve, '--ledger-wait', '3s'])
      expect([exitCode, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/"event":"ledger".*ECONNREFUSED.*; trying for [1-3] s more/)
      expect(stderr).toMatch(/cannot be used: .*ECONNREFUSED.*; tried for 3 s$/m)
      const wrong = on.ledger.replace('/ledger_', '/nowhere_')
      const starting = start(serve.with(4, on.ledger))
      const ended = endOf(starting)
      starting.stderr!.once('data', () => starting.kill('SIGTERM'))
      expect((await ended).stderr).toContain('; ended before it was reached')
      const waiting = start([...serve, '--ledger-wait', '10m'])
      const waited = endOf(waiting)
      await once(waiting.stderr!, 'data')
      on.server.startAgain()
      isAway = false
      await once(waiting.stdout!, 'data')
      waiting.kill('SIGTERM')
      expect((await waited).stderr).toMatch(
        /trying for (?:600|5\d\d) s more[\s\S]*the database of the ledger is reached/,
      )
      expect((await run(serve.with(4, wrong))).stderr).not.toContain('trying')
    } finally {
      if (isAway) on.server.startAgain()
    }
  }, 120_000)

  test('makes the first account once, for the first node', async () => {
    const [first, second] = await Promise.all([node(), node()])
    const keys = [first.key, second.key].filter((key) => key !== undefined)
    expect(keys).toHaveLength(1)
    for (const each of [first, second]) {
      await until(async () => (await each.statusOf(keys[0]!)) === 200)
    }
  })

  test('charges a question under an Idempotency-Key once on each node that it is sent to', async () => {
    const key = await customer('alice', 50)
    const nodes = await Promise.all([node(), node()])
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'once-a-node' }
    for (const { address } of [...nodes, ...nodes, ...nodes]) {
      await until(async () => (await fetch(`${address}${query}`, { headers })).status === 200)
    }
    for (const each of nodes) await each.stop()
    expect((await account('alice')).chargedMicroUsd).toBe(2_000)
  })

  test('sells the last of a balance wherever it is asked for, and 402 only after that', async () => {
    const key = await customer('poor', 0.02)
    const nodes = await Promise.all([node(), node()])
    let answered = 0
    for (let turn = 0, refused = 0; refused < 4; turn += 1) {
      const { status, json, headers } = await nodes[turn % 2]!.ask(key)
      if (status === 200) answered += 1
      if (status === 402) {
        refused += 1
        expect(answered).toBe(20)
        expect(json).toMatchObject({ cost_usd: 0.001, balance_usd: 0 })
      }
      if (status === 503) {
        expect(json.type).toBe('urn:authority-index:problem:balance-elsewhere')
        expect(headers.get('retry-after')).toBe('1')
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      expect([200, 402, 503]).toContain(status)
    }
    await on.books((open) => open.topUp('poor', 1_000_000, 'more'))
    for (const each of nodes) {
      await until(async () => (await each.statusOf(key)) === 200)
    }
    await until(async () => (await account('poor')).chargedMicroUsd >= 22_000)
    await on.expectProven()
  })

  test('takes back what nodes hold, too', async () => {
    const key = await customer('alice', 0.5)
    const nodes = await Promise.all([node(), node()])
    await Promise.all(nodes.map((each) => asks(each, key, 10)))
    const rest = { amountMicroUsd: -480_000, reference: 'all', reason: 'closing' }
    await until(async () => (await account('alice')).chargedMicroUsd === 20_000)
    await on.books((open) => open.adjust('alice', rest))
    expect((await account('alice')).balanceMicroUsd).toBe(0)
    for (const each of nodes) {
      await until(async () => (await each.statusOf(key)) === 402)
    }
    await on.expectProven()
  })

  test('has every node know new keys, revoked ones and suspensions by itself', async () => {
    await customer('alice', 50)
    const nodes = await Promise.all([node(), node()])
    const order = { account: 'alice' }
    const { text, record } = await on.books((open) => open.issueKey(order))
    const everywhere = (status: number) => () =>
      Promise.all(nodes.map((each) => each.statusOf(text))).then((all) =>
        all.every((each) => each === status),
      )
    await until(everywhere(200))
    await on.books((open) => open.suspend('alice'))
    await until(everywhere(401))
    await on.books((open) => open.resume('alice'))
    await until(everywhere(200))
    await command(on.ledger, 'key', 'revoke', record.id)
    await until(everywhere(401))
  })

  test('answers 503 when leases end without the database, and goes on when it is back', async () => {
    const key = await customer('alice', 50)
    const asked = await node()
    await asks(asked, key, 1)
    on.server.stopAtOnce()
    try {
      await until(async () => (await asked.statusOf(key)) === 503)
      expect((await asked.ask(key)).json.type).toContain('ledger-unavailable')
    } finally {
      on.server.startAgain()
    }
    await until(async () => (await asked.statusOf(key)) === 200)
    await on.expectProven()
  })

  test('sums what a double does not hold', async () => {
    await on.books((open) => open.accounts())
    await ask(
      on.ledger,
      `insert into account (id, name, created_ms, credited, charged, free, credit_count, changed, recalled)
       select n, 'rich-' || n, 1, 999999999999999, 0, 0, 0, 0, 0 from generate_series(1, 10) as n`,
    )
    const { balanceMicroUsd } = await on.books((open) => open.audit())
    expect(balanceMicroUsd).toBe(9_999_999_999_999_990n)
  })
})
