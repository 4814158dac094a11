/** One question, one charge, and its end: nodes of a fleet do not tell each other which questions were paid. */
import { describe, expect, test } from 'vitest'
import { withAdministration } from '../../../src/ledger/books/open-books.ts'
import { withDatabaseEach } from '../../support/servers/ledger-databases.ts'
import type { FleetNode } from '../../support/servers/node.ts'
import { isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'
import { startedNode } from '../../support/servers/started-node.ts'

let ledger: string

describe.skipIf(!isPostgresqlInstalled())('a question under a key', () => {
  withDatabaseEach('questions', (one) => {
    ledger = one.ledger
  })

  /** Asks under a key until it is answered; 503 charges nothing, and comes where a machine is busy. */
  async function costOn(node: FleetNode, key: string, idempotencyKey: string) {
    for (;;) {
      const headers = { authorization: `Bearer ${key}`, 'Idempotency-Key': idempotencyKey }
      const target = '/api/v1/index?query=rust&limit=1'
      const response = await fetch(`${node.address}${target}`, { headers })
      await response.text()
      if (response.status === 200) return response.headers.get('x-cost-usd')
      expect(response.status).toBe(503)
    }
  }

  test('is charged once by each node that is asked, and the books balance', async () => {
    const nodes = [await startedNode(ledger), await startedNode(ledger)]
    const key = nodes[0]!.firstKey ?? nodes[1]!.firstKey!
    for (const node of nodes) expect(await costOn(node, key, 'k-1')).toBe('0.001')
    for (const node of nodes) expect(await costOn(node, key, 'k-1')).toBe('0.00')
    for (const node of nodes) await node.stop()
    await withAdministration({ data: '', ledger, clock: Date.now }, async (books) => {
      const { charges } = await books.statementOf('default')
      expect(charges.reduce((sum, { queries }) => sum + queries, 0)).toBe(2)
      expect((await books.audit()).contradictions).toEqual([])
    })
  })
})
