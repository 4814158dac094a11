/**
 * Pauses between calls against the service itself, which ends idle connections after 8 to 12 seconds: none shows.
 * The pauses are real time, because what is tested are timers of the kernel and of the service.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AuthorityIndex } from '../../../../src/client/client.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { startService } from '../../../support/program.ts'

/** Seconds. */
const pauses = Array.from({ length: 41 }, (_, half) => half / 2)

test('no pause of 0 to 20 s shows', async () => {
  const service = await startService(temporaryDirectory())
  const apiKey = service.headers.authorization!.replace('Bearer ', '')
  const found = await Promise.all(
    pauses.map(async (seconds) => {
      let attempts = 0
      const counted: typeof fetch = (url, init) => {
        attempts += 1
        return fetch(url, init)
      }
      const client = new AuthorityIndex({ baseURL: service.address, apiKey, fetch: counted })
      const first = await client.match('@SenCapito')
      await pause(seconds * 1_000)
      const second = await client.match('@SenCapito')
      return { attempts, isSame: JSON.stringify(first) === JSON.stringify(second) }
    }),
  )
  await service.stop('SIGTERM')
  expect(found.every(({ isSame }) => isSame)).toBe(true)
  // The fetch of Node.js keeps to the Keep-Alive of the service: no second attempt was needed.
  expect(found.map(({ attempts }) => attempts)).toEqual(pauses.map(() => 2))
})
