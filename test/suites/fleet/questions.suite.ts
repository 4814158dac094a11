/**
 * One question, one charge, in a fleet on a real PostgreSQL: what settlements of several sessions charge and give
 * back, what nodes learn of each other, and what customers see when they ask another node again.
 */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { balanceOf } from '../../../src/ledger/account-records.ts'
import type { Administration } from '../../../src/ledger/administration.ts'
import { carryOut, openLeases, type Settlement } from '../../../src/ledger/leases/settlement.ts'
import { withAdministration } from '../../../src/ledger/open-administration.ts'
import type { PaidPart } from '../../../src/ledger/port.ts'
import { Database, ofCommands } from '../../../src/ledger/postgres/database.ts'
import { QuestionFollower } from '../../../src/ledger/postgres/questions/question-follower.ts'
import { closeLeases } from '../../../src/ledger/postgres/upkeep/closed-sessions.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { until } from '../../support/operated.ts'
import { withDatabaseEach } from '../../support/servers/ledger-databases.ts'
import type { FleetNode } from '../../support/servers/node.ts'
import { ask, isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'
import { startedNode } from '../../support/servers/started-node.ts'

const priceMicroUsd = 1_000
const openedMicroUsd = 50_000_000

let ledger: string
let database: Database

function books<T>(use: (books: Administration) => Promise<T>): Promise<T> {
  return withAdministration({ data: '', ledger, clock: Date.now }, use)
}

/** What was charged and not given back to the account, in queries; the books must balance. */
async function netCharged(name = 'default'): Promise<number> {
  const { account, audit } = await books(async (open) => ({
    account: await open.accountNamed(name),
    audit: await open.audit(),
  }))
  expect(audit.contradictions).toEqual([])
  return (openedMicroUsd - balanceOf(account)) / priceMicroUsd
}

function givenBack() {
  return ask<{ amount: string; reference: string; reason: string }>(
    ledger,
    "select amount, reference, reason from journal where kind = 'adjustment' order by n",
  )
}

const part = { key: 'aaaaaaaaaaaaaaaa', question: 'bbbbbbbbbbbbbbbb', priceMicroUsd }

/** A settlement that charges those queries of a question which come after `from`. */
function settlement(
  session: string,
  number: number,
  to: number,
  { from = 0, leftMs = 600_000, ...more }: Partial<PaidPart & { leftMs: number }> = {},
): Settlement {
  const queries = to - from
  const sales = { search: { queries, amountMicroUsd: queries * priceMicroUsd } }
  const paid = { ...part, from, to, untilMs: Date.now() + leftMs, ...more }
  const charges = [{ accountNumber: 1, lineage: 'key_1', sales, questions: [paid] }]
  return { session, number, charges, wants: [], gives: new Map() }
}

function settle(order: Settlement) {
  return carryOut(database, order, () => performance.now())
}

/** Opens a session and leases it enough. */
async function leased(): Promise<string> {
  const session = randomUUID()
  await openLeases(database, session, 'test')
  const want = { accountNumber: 1, amountMicroUsd: 1_000_000, requestMicroUsd: priceMicroUsd }
  const wants = [{ ...want, neededMicroUsd: 0, recalls: false }]
  await settle({ session, number: 1, charges: [], gives: new Map(), wants })
  return session
}

describe.skipIf(!isPostgresqlInstalled())('a question under a key', () => {
  withDatabaseEach('questions', (one) => {
    ledger = one.ledger
  })

  describe('that sessions settle', () => {
    beforeEach(async () => {
      await books((open) => open.createAccount('default'))
      database = new Database(ledger, ofCommands)
      const opened = database
      return () => opened.close()
    })

    test('is given back once where two charged it, and never again', async () => {
      const [one, other] = [await leased(), await leased()]
      await settle(settlement(one, 2, 5))
      const repeat = settlement(other, 2, 3)
      for (let times = 0; times < 2; times += 1) await settle(repeat)
      expect(await givenBack()).toEqual([
        {
          amount: '3000',
          reference: `repeat ${other} 2`,
          reason: '3 queries were charged before under the same Idempotency-Key',
        },
      ])
      expect(await netCharged()).toBe(5)
      await settle(settlement(other, 3, 8, { from: 3 }))
      expect(await netCharged()).toBe(8)
    })

    test('counts from the first charge that arrives, whichever node answered first', async () => {
      const sessions = [await leased(), await leased(), await leased()]
      await Promise.all(sessions.map((session) => settle(settlement(session, 2, 4))))
      expect(await netCharged()).toBe(4)
      expect(await givenBack()).toHaveLength(2)
    })

    test('is charged as without a key where its key is of another question, or forgotten', async () => {
      const [one, other] = [await leased(), await leased()]
      await settle(settlement(one, 2, 1))
      await settle(settlement(other, 2, 2, { question: 'cccccccccccccccc' }))
      expect(await netCharged()).toBe(3)
      await ask(ledger, "update paid_question set until = now() - interval '1 second'")
      await settle(settlement(other, 3, 4))
      expect(await netCharged()).toBe(7)
      await settle(settlement(one, 3, 4))
      expect(await netCharged()).toBe(7)
    })

    test('is not paid for by a session that was ended before it said so', async () => {
      const [dead, other] = [await leased(), await leased()]
      await closeLeases(database, dead)
      expect((await settle(settlement(dead, 2, 1))).closed).toBeDefined()
      await settle(settlement(other, 2, 1))
      expect([await netCharged(), await givenBack()]).toEqual([1, []])
    })

    test('is read by others once, in the order of each session, and not by its own', async () => {
      const [one, other] = [await leased(), await leased()]
      const follower = new QuestionFollower(database)
      const found = async () => {
        await follower.look(other)
        return follower.take().map(({ accountNumber, key, queries }) => {
          return [accountNumber, key.slice(0, 1), queries]
        })
      }
      expect(await found()).toEqual([])
      await settle(settlement(one, 2, 5))
      await settle(settlement(other, 2, 3, { key: 'cccccccccccccccc' }))
      expect(await found()).toEqual([[1, 'a', 5]])
      expect(await found()).toEqual([])
      await settle(settlement(one, 3, 9, { from: 5 }))
      await settle(settlement(one, 4, 1, { key: 'dddddddddddddddd' }))
      await settle(settlement(one, 5, 1, { key: 'eeeeeeeeeeeeeeee', leftMs: -1 }))
      expect(await found()).toEqual([
        [1, 'a', 9],
        [1, 'd', 1],
      ])
      expect(follower.take()).toEqual([])
      const anew = new QuestionFollower(database)
      await anew.look('')
      expect(anew.take()).toHaveLength(3)
    })

    test('is removed when it is forgotten', async () => {
      const session = await leased()
      await settle(settlement(session, 2, 1))
      await settle(settlement(session, 3, 1, { key: 'cccccccccccccccc', leftMs: -1 }))
      await new QuestionFollower(database).removeForgotten()
      expect(await ask(ledger, 'select key from paid_question')).toEqual([{ key: part.key }])
    })
  })

  describe('that a customer asks of nodes', () => {
    const target = '/api/v1/index?query=rust&limit=1'

    /** Asks under a key until it is answered; 503 charges nothing, and comes where a machine is busy. */
    async function asks(node: FleetNode, key: string, idempotencyKey: string) {
      for (;;) {
        const headers = { authorization: `Bearer ${key}`, 'Idempotency-Key': idempotencyKey }
        const response = await fetch(`${node.address}${target}`, { headers })
        await response.text()
        const isReplay = response.headers.get('idempotent-replay') === 'true'
        if (response.status === 200) return { isReplay, cost: response.headers.get('x-cost-usd') }
        expect(response.status).toBe(503)
      }
    }

    /** Asks other questions until the node says that this one was paid. */
    async function untilKnown(node: FleetNode, key: string, idempotencyKey: string) {
      await until(async () => (await asks(node, key, idempotencyKey)).isReplay)
    }

    test('is free on another node once that has learned of it, and given back before', async () => {
      const nodes = [await startedNode(ledger), await startedNode(ledger)]
      const [one, other] = nodes as [FleetNode, FleetNode]
      const key = one.firstKey ?? other.firstKey!
      expect(await asks(one, key, 'k-1')).toEqual({ isReplay: false, cost: '0.001' })
      await asks(other, key, 'k-1')
      await untilKnown(other, key, 'k-1')
      expect(await asks(one, key, 'k-1')).toEqual({ isReplay: true, cost: '0.00' })
      await until(async () => (await netCharged()) === 1)
      for (const node of nodes) await node.stop()
      expect(await netCharged()).toBe(1)
    })

    test('is charged once when its node is killed and another is asked again', async () => {
      const data = temporaryDirectory()
      const [one, other] = [await startedNode(ledger, [], data), await startedNode(ledger)]
      const key = one.firstKey!
      const names = Array.from({ length: 40 }, (_, index) => `retry-${index}`)
      for (const name of names) await asks(one, key, name)
      await one.stop('SIGKILL')
      for (const name of names) await asks(other, key, name)
      const again = await startedNode(ledger, [], data)
      for (const name of names) await asks(again, key, name)
      for (const node of [other, again]) await node.stop()
      // What was just answered at the kill may be known as paid although its charge was lost: in the customer's favour.
      const charged = await netCharged()
      expect(charged).toBeLessThanOrEqual(names.length)
      expect(charged).toBeGreaterThanOrEqual(names.length - 1)
    })

    test('is known to a node that starts, also where it is the only one', async () => {
      const data = temporaryDirectory()
      const first = await startedNode(ledger, [], data)
      await asks(first, first.firstKey!, 'k')
      await first.stop()
      const second = await startedNode(ledger, [], data)
      expect(await asks(second, first.firstKey!, 'k')).toEqual({ isReplay: true, cost: '0.00' })
      await second.stop()
      expect(await netCharged()).toBe(1)
    })
  })
})
