/** The admin API over a ledger of the test's own, asked without a wire. Ends with the test. */
import { onTestFinished } from 'vitest'
import { type AdminReply, adminApi } from '../../src/admin/answering.ts'
import { adminRoot } from '../../src/admin/operations.ts'
import type { AdminScope } from '../../src/admin-scopes.ts'
import { openBooks } from '../../src/ledger/books/open-books.ts'
import { HandClock, temporaryDirectory } from './ledger-fixture.ts'

export interface Asked {
  readonly key?: string
  readonly body?: unknown
  readonly idempotencyKey?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly isOwnHost?: boolean
}

interface Read extends Omit<AdminReply, 'body'> {
  // biome-ignore lint/suspicious/noExplicitAny: members differ by operation
  readonly json: any
}

/** A new API with an admin key of all scopes. @param data the directory of its ledger, which may be there. */
export async function newAdmin(snapshots = temporaryDirectory(), data = temporaryDirectory()) {
  const clock = new HandClock()
  const books = await openBooks({ data, ledger: null, clock: clock.read, create: true })
  onTestFinished(() => books.close())
  const keyOf = async (scopes: readonly AdminScope[]) => {
    const { text } = await books.issueAdminKey({ scopes })
    return text
  }
  const key = await keyOf(['read', 'keys', 'money', 'data'])
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const terms = { removalKey: '', follow: '' }
  const context = { data, snapshots, ...terms, clock: clock.read, onError }
  const answer = adminApi({ ...context, books })
  const ask = async (method: string, target: string, asked: Asked = {}): Promise<Read> => {
    const { idempotencyKey, headers = {}, isOwnHost = true, body = {} } = asked
    const [path = '', query = ''] = target.split('?')
    const authorization = `Bearer ${asked.key ?? key}`
    const once = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
    const all = { host: 'localhost', authorization, ...once, ...headers }
    const head = { method, path: `${adminRoot}${path}`, query, from: '127.0.0.1', isOwnHost }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const reply = await answer({ ...head, headers: all, body: async () => text })
    return { ...reply, json: JSON.parse(reply.body) }
  }
  return { answer, ask, books, clock, data, errors, key, keyOf, snapshots }
}
