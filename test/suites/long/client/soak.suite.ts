/**
 * Pauses between calls against the service itself, which ends idle connections after 8 to 12 seconds: none shows.
 * The pauses are real time, because what is tested are timers of the kernel and of the service.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AuthorityClient } from '../../../../src/client/authority-client.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { startService } from '../../../support/program.ts'

/** Seconds. */
const pauses = Array.from({ length: 41 }, (_, half) => half / 2)

test.each(['node:http', 'fetch'])('no pause of 0 to 20 s shows, by %s', async (way) => {
  const service = await startService(temporaryDirectory())
  const apiKey = service.headers.authorization!.replace('Bearer ', '')
  const found = await Promise.all(
    pauses.map(async (seconds) => {
      let attempts = 0
      const client = new AuthorityClient({
        baseUrl: service.address,
        apiKey,
        ...(way === 'fetch' && { fetch }),
        middleware: [
          (request, next) => {
            attempts += 1
            return next(request)
          },
        ],
      })
      const first = await client.match('@SenCapito')
      await pause(seconds * 1_000)
      const second = await client.match('@SenCapito')
      await client.close()
      return { attempts, isSame: JSON.stringify(first.results) === JSON.stringify(second.results) }
    }),
  )
  await service.stop('SIGTERM')
  expect(found.every(({ isSame }) => isSame)).toBe(true)
  if (way === 'node:http')
    expect(found.map(({ attempts }) => attempts)).toEqual(pauses.map(() => 2))
})
