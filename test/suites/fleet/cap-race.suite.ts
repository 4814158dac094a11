/** Calls on capped keys race on four nodes: exactly the cap is charged, and no call is refused before that. */
import { describe, expect, test } from 'vitest'
import type { KeyOrder } from '../../../src/ledger/books/key-rows.ts'
import { flood } from '../../support/flood.ts'
import { until } from '../../support/operated.ts'
import { withDatabases } from '../../support/servers/ledger-databases.ts'
import { query, startedNode } from '../../support/servers/node.ts'
import { isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'

const usd = 1_000_000
const order: KeyOrder = { account: 'alice' }

describe.skipIf(!isPostgresqlInstalled())('a cap on four nodes', () => {
  const newDatabase = withDatabases('caps')

  /** Four nodes on an account, and keys of it by their orders. */
  async function fleet(...orders: Partial<KeyOrder>[]) {
    const on = await newDatabase()
    const keys = await on.books(async (open) => {
      await open.createAccount('alice')
      const issued: { text: string; id: string }[] = []
      for (const each of orders) {
        const { text, record } = await open.issueKey({ ...order, ...each })
        issued.push({ text, id: record.id })
      }
      return issued
    })
    const nodes = await Promise.all(Array.from({ length: 4 }, () => startedNode(on.ledger)))
    /** What each key and the account have spent, once the nodes have ended, and what the proof finds. */
    const end = async () => {
      await Promise.all(nodes.map((node) => node.stop()))
      return on.books(async (open) => {
        const listed = await open.listKeys()
        const spent = keys.map(({ id }) => listed.find((key) => key.id === id)!.spentMicroUsd)
        const { chargedMicroUsd } = await open.accountNamed('alice')
        return { spent, chargedMicroUsd, found: (await open.audit()).contradictions }
      })
    }
    return { keys, nodes, addresses: nodes.map(({ address }) => address), on, end }
  }

  test.each(['total', 'day'] as const)(
    'of 1 USD (%s) is spent to the micro-dollar by 10,000 calls, and never passed',
    async (period) => {
      const cap = { amountMicroUsd: usd, period }
      const { keys, addresses, end } = await fleet({ cap })
      expect(await flood(addresses, keys[0]!.text, 10_000, query)).toEqual(
        new Map([
          [200, 1_000],
          [402, 9_000],
        ]),
      )
      expect(await end()).toEqual({ spent: [usd], chargedMicroUsd: usd, found: [] })
    },
  )

  test('that is raised, lowered and taken away is felt by every node, and rotation resets nothing', async () => {
    const total = (amountMicroUsd: number) => ({ amountMicroUsd, period: 'total' }) as const
    const { keys, addresses, nodes, on, end } = await fleet({ cap: total(100_000) })
    const { text, id } = keys[0]!
    expect((await flood(addresses, text, 200, query)).get(200)).toBe(100)
    for (const node of nodes) {
      // A node that has not looked for a second says 503 first, and looks.
      await until(async () => {
        const { status, json } = await node.ask(text)
        if (status !== 503) expect([status, json.wall, json.remaining_usd]).toEqual([402, 'key', 0])
        return status !== 503
      })
    }
    await on.books((open) => open.setKey(id, { cap: total(150_000) }))
    for (const node of nodes) await expect.poll(() => node.statusOf(text)).not.toBe(402)
    const rotated = await on.books((open) => open.rotateKey(id, 86_400_000))
    for (const node of nodes) await expect.poll(() => node.statusOf(rotated.text)).not.toBe(401)
    await on.books((open) => open.setKey(id, { cap: total(1_000) }))
    for (const node of nodes) await expect.poll(() => node.statusOf(rotated.text)).toBe(402)
    await on.books((open) => open.setKey(id, { cap: null }))
    for (const node of nodes) {
      await expect.poll(() => node.statusOf(rotated.text)).toBe(200)
      // A node learns of each of the two texts by itself.
      const answered = async () => {
        const { status, headers } = await node.ask(text)
        return [status, headers.has('x-key-remaining-usd')]
      }
      await expect.poll(answered).toEqual([200, false])
    }
    expect((await end()).found).toEqual([])
  })

  test('is spent to the end when a node that holds some of it is killed, and 402 is not said before', async () => {
    const cap = { amountMicroUsd: 40_000, period: 'total' } as const
    const { keys, nodes, addresses, end } = await fleet({ cap })
    const { text } = keys[0]!
    for (const node of nodes) await expect.poll(() => node.statusOf(text)).toBe(200)
    await nodes[0]!.stop('SIGKILL')
    const answers = await flood(addresses.slice(1), text, 100, query)
    const { spent, found } = await end()
    expect([spent, found]).toEqual([[40_000], []])
    // What the killed node had answered last may not be charged.
    expect(answers.get(200)).toBeGreaterThanOrEqual(36)
    expect(answers.get(200)! + answers.get(402)!).toBe(100)
  })
})
