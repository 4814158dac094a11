/**
 * OAuth on many nodes over one database: what one node gives the next one takes, once, also when two are asked at the
 * same time, or a node is killed in between.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import { openBooks } from '../../../src/ledger/books/open-books.ts'
import { oauthServer } from '../../../src/oauth/server.ts'
import {
  type Ask,
  answerIn,
  answerPage,
  callback,
  formInit,
  newProof,
  openPage,
} from '../../support/oauth-person.ts'
import { until } from '../../support/operated.ts'
import { withDatabases } from '../../support/servers/ledger-databases.ts'
import { type FleetNode, startedNode } from '../../support/servers/node.ts'
import { isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'
import {
  askerOf,
  askTokens,
  authorize,
  codeFrom,
  issuer,
  refreshing,
  register,
} from '../../unit/oauth/served-oauth.ts'

const roundsOfRaces = 15
const words = ['--oauth', issuer]
const order = { account: 'ann' }

/** Asks a node, as it is reached behind the balancer that has the public name. */
function askerOfNode({ address }: FleetNode): Ask {
  return (target, init) => fetch(new URL(target, address), { redirect: 'manual', ...init })
}

/** What a token may do: 403 is the answer to a good one, whose scope is the tools alone. */
async function statesOf(nodes: readonly FleetNode[], token: string): Promise<number[]> {
  return Promise.all(nodes.map((node) => node.statusOf(token)))
}

describe.skipIf(!isPostgresqlInstalled())('OAuth over a database', () => {
  const newDatabase = withDatabases('oauth')

  async function newLedger() {
    const { ledger, server } = await newDatabase()
    const books = await openBooks({ data: '', ledger, clock: Date.now })
    onTestFinished(() => books.close())
    await books.createAccount('ann')
    const { text, record } = await books.issueKey(order)
    return { ledger, server, books, key: text, keyId: record.id }
  }

  /** Two servers without a wire, each with a connection of its own. */
  async function twoServers() {
    const { ledger, server, books, key, keyId } = await newLedger()
    const secret = Buffer.alloc(32, 5)
    const newAsk = async () => {
      const own = await openBooks({ data: '', ledger, clock: Date.now })
      onTestFinished(() => own.close())
      const options = { issuer, books: own, secret, clock: Date.now }
      return askerOf(oauthServer(options), key, keyId)
    }
    const one = await newAsk()
    const other = await newAsk()
    const activeOnes = async () =>
      (await books.listKeys()).filter(({ state, id }) => state === 'active' && id !== keyId)
    return { one, other, server, books, key, activeOnes }
  }

  test('gives tokens for a code to one of two nodes, and ends them, for it came twice', async () => {
    const { one, other, books, key, activeOnes } = await twoServers()
    for (let round = 0; round < roundsOfRaces; round += 1) {
      const form = await codeFrom(round % 2 === 0 ? one : other, key)
      const answers = await Promise.all([askTokens(one, form), askTokens(other, form)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      expect(await activeOnes()).toEqual([])
      const { refresh_token } = answers.find(({ status }) => status === 200)!
      const grant = refreshing(refresh_token, form.client_id)
      expect((await askTokens(other, grant)).status).toBe(400)
    }
    expect((await books.audit()).contradictions).toEqual([])
  })

  test('renews for one of two nodes, and ends the family, for a refresh token came twice', async () => {
    const { one, other, books, key, activeOnes } = await twoServers()
    for (let round = 0; round < roundsOfRaces; round += 1) {
      const form = await codeFrom(one, key)
      const first = await askTokens(other, form)
      const second = await askTokens(one, refreshing(first.refresh_token, form.client_id))
      expect([second.status, (await activeOnes()).length]).toEqual([200, 1])
      const grant = refreshing(second.refresh_token, form.client_id)
      const answers = await Promise.all([askTokens(one, grant), askTokens(other, grant)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      expect(await activeOnes()).toEqual([])
    }
    expect((await books.audit()).contradictions).toEqual([])
  })

  test('ends a family on one node while its client renews on another, as fast as it can', async () => {
    const { one, other, books, key, activeOnes } = await twoServers()
    const form = await codeFrom(one, key)
    const { client_id } = form
    const first = await askTokens(one, form)
    let isEnded = false
    /** How often it renews what has ended: without end where none is refused. */
    const renewing = (async () => {
      let grant = refreshing(first.refresh_token, client_id)
      for (let afterEnd = 0; ; afterEnd += isEnded ? 1 : 0) {
        const next = await askTokens(one, grant)
        if (next.status !== 200 || afterEnd > 1) return afterEnd
        grant = refreshing(next.refresh_token, client_id)
      }
    })()
    await until(async () => (await activeOnes()).some(({ secrets }) => secrets.length > 1))
    expect((await askTokens(other, refreshing(first.refresh_token, client_id))).status).toBe(400)
    isEnded = true
    // One may have been on its way.
    expect(await renewing).toBeLessThanOrEqual(1)
    expect(await activeOnes()).toEqual([])
    expect((await books.audit()).contradictions).toEqual([])
  })

  test('takes the answer of a person once, on two nodes at the same time', async () => {
    const { one, other, key } = await twoServers()
    const client_id = await register(one)
    for (let round = 0; round < roundsOfRaces; round += 1) {
      const page = await openPage(one, authorize({ client_id }))
      const answers = await Promise.all([
        answerPage(one, page, { key }),
        answerPage(other, page, { key }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 400])
    }
  })

  test('says to try again, not that a token is bad, while the database is away', async () => {
    const { one, server, key, activeOnes } = await twoServers()
    const form = await codeFrom(one, key)
    const tokens = await askTokens(one, form)
    const grant = refreshing(tokens.refresh_token, form.client_id)
    server.stopAtOnce()
    try {
      expect(await askTokens(one, grant)).toMatchObject({
        status: 503,
        error: 'temporarily_unavailable',
      })
      const target = authorize({ client_id: form.client_id })
      const page = await openPage(one, target)
      expect((await answerPage(one, page, { key })).status).toBe(503)
    } finally {
      server.startAgain()
    }
    expect((await askTokens(one, grant)).status).toBe(200)
    expect(await activeOnes()).toHaveLength(1)
  })

  test('goes on where a node was killed between page, code and token, and ends a family on all nodes', async () => {
    const { ledger, key } = await newLedger()
    const [a, b, c] = await Promise.all([1, 2, 3].map(() => startedNode(ledger, words)))
    const client_id = await register(askerOfNode(a!))
    const { verifier, challenge } = newProof()
    const page = await openPage(
      askerOfNode(a!),
      authorize({ client_id, code_challenge: challenge }),
    )
    const answer = answerIn(await answerPage(askerOfNode(b!), page, { key }))
    await b!.stop('SIGKILL')
    const form = {
      ...{ grant_type: 'authorization_code', code: answer.get('code')!, client_id },
      ...{ redirect_uri: callback, code_verifier: verifier },
    }
    const tokens = await askTokens(askerOfNode(a!), form)
    expect(tokens.status).toBe(200)
    // The other node looks it up.
    expect(await statesOf([a!, c!], tokens.access_token)).toEqual([403, 403])
    const next = await askTokens(askerOfNode(c!), refreshing(tokens.refresh_token, client_id))
    expect(await statesOf([a!, c!], next.access_token)).toEqual([403, 403])
    expect(await statesOf([a!, c!], tokens.access_token)).toEqual([401, 401])
    const again = await askTokens(askerOfNode(a!), refreshing(tokens.refresh_token, client_id))
    expect(again).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(await statesOf([a!, c!], next.access_token)).toEqual([401, 401])
    const restarted = await startedNode(ledger, words)
    const last = refreshing(next.refresh_token, client_id)
    expect((await askTokens(askerOfNode(restarted), last)).status).toBe(400)
    const token = { token: key, client_id }
    await askerOfNode(restarted)('/oauth/revoke', formInit(token))
    expect(await statesOf([a!, restarted], key)).toEqual([200, 200])
  })
})
