/**
 * Webhooks over kills: a service that charges and delivers is killed again and again, and its receiver fails
 * now and then. Nothing is lost, no event of an account arrives before an earlier one, and each crossing of a
 * threshold is one event. `LONG=full` kills 50 times, `WEBHOOK_KILLS=N` N times.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { balanceOf } from '../../../../src/ledger/account-records.ts'
import { withEnvironment } from '../../../../src/ledger/lmdb/environment.ts'
import { withAdministration } from '../../../../src/ledger/open-administration.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { startService } from '../../../support/program.ts'
import { Random } from '../../../support/random.ts'
import {
  misbehaviours,
  type Received,
  startReceiver,
  status,
} from '../../../support/webhook-receiver.ts'

const kills = Number(process.env.WEBHOOK_KILLS ?? (process.env.LONG === 'full' ? 50 : 5))
/** A kill takes 1 to 3 s on a quiet machine, and many times that on a busy one. */
const msMax = 300_000 + kills * 30_000
const accounts = ['a', 'b', 'c', 'd']
const eventsPerAccount = 3
const thresholdsUsd = Array.from({ length: 10 }, (_, step) => 49.999 - step * (kills / 5) * 0.001)

/** The ids in the order of their first arrival, by account. */
function arrivals(received: readonly Received[]): Map<string, number[]> {
  const byAccount = new Map<string, number[]>()
  for (const id of new Set(received.map(({ headers }) => headers['webhook-id']!))) {
    const { body } = received.find(({ headers }) => headers['webhook-id'] === id)!
    const { account } = JSON.parse(body).data
    byAccount.set(account, [...(byAccount.get(account) ?? []), Number(id.split('_')[3])])
  }
  return byAccount
}

test(
  `${kills} kills lose no event and disorder none`,
  async () => {
    const random = new Random(50, kills)
    const directory = temporaryDirectory()
    const receiver = await startReceiver()
    receiver.behave((response, request) => {
      const wrong = random.chance(0.03) ? random.pick(['resets the connection', 'says 500']) : ''
      const behaviour = misbehaviours[wrong] ?? status(204)
      behaviour(response, request)
    })
    // A start is most of what a kill costs: one thread, without practice.
    const quick = [
      '--threads',
      '1',
      '--warm-up-ms',
      '0',
      '--explorer',
      'off',
      '--log-level',
      'error',
    ]
    const words = ['--webhook-private', '--commit-window', '20', ...quick]
    let service = await startService(directory, words)
    const { headers } = service
    const place = { data: service.data, ledger: null, clock: Date.now }
    await withAdministration(place, async (books) => {
      for (const name of accounts) await books.createAccount(name)
    })
    const below = thresholdsUsd.map((usd) => ({ microUsd: Math.round(usd * 1e6) }))
    const order = { url: receiver.url, account: null, events: [], below, sdus: [] }
    await withAdministration(place, (books) => books.webhooks().add(order))
    let suspensions = 0
    for (let kill = 0; kill < kills; kill += 1) {
      await withAdministration(place, async (books) => {
        for (let count = 0; count < eventsPerAccount; count += 1) {
          for (const name of accounts) {
            await books.suspend(name)
            await books.resume(name)
            suspensions += 1
          }
        }
      })
      await fetch(`${service.address}/api/v1/index?query=kill${kill}`, { headers })
      // Anywhere in the deliveries of this round, or before them.
      await sleep(random.between(0, 600))
      await service.stop('SIGKILL')
      service = { ...(await startService(directory, words)), headers }
    }
    // What a kill leaves of the charges above is chance; these two are written before the end.
    for (let query = 0; query < 2; query += 1) {
      await fetch(`${service.address}/api/v1/index?query=last${query}`, { headers })
    }
    const charged = () =>
      withAdministration(
        place,
        async (books) => (await books.accountNamed('default')).chargedMicroUsd,
      )
    await expect.poll(charged).toBeGreaterThanOrEqual(2_000)
    const list = () => withAdministration(place, (books) => books.webhooks().list())
    await expect
      .poll(list, { timeout: 300_000, interval: 500 })
      .toMatchObject([{ pending: 0, failed: [] }])
    await service.stop('SIGTERM')
    const { written, balance } = await withEnvironment(
      { directory: service.data, clock: Date.now },
      (environment) =>
        environment.read((tables) => ({
          written: [...tables.sent.getRange()].map(({ value }) => value.id),
          balance: balanceOf(tables.accounts.get(1)!),
        })),
    )
    const ids = new Set(receiver.received.map((each) => each.headers['webhook-id']))
    expect([...ids].sort()).toEqual(written.sort())
    const crossed = below.filter(({ microUsd }) => balance < microUsd).length
    expect(crossed).toBeGreaterThan(0)
    expect(ids.size).toBe(suspensions + crossed)
    for (const numbers of arrivals(receiver.received).values()) {
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    }
    const repeated = receiver.received.length - ids.size
    console.info(`${kills} kills: ${ids.size} events, ${repeated} deliveries repeated, none lost`)
  },
  msMax,
)
