/** How a service starts: alone on its port, and with a key that somebody sees. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { freePort } from '../../../support/processes/free-port.ts'
import { copyDefaultSnapshot, type Ended, endOf, run, start } from '../../../support/program.ts'
import { readStarted, type Started } from '../../../support/started.ts'

const target = '/api/v1/match?handle=SenCapito'

async function startOrEnd(words: readonly string[]): Promise<Started | Ended> {
  const child = start(['serve', '--threads', '2', '--json', ...words])
  const ended = endOf(child)
  onTestFinished(() => killed(child, ended))
  const line = once(createInterface(child.stdout!), 'line').then(([first]) => String(first))
  return Promise.race([line.then((text) => readStarted(text)), ended])
}

async function killed(child: ChildProcess, ended: Promise<Ended>): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

/** Some containers have no IPv6 at all. */
const hasIpv6 = networkInterfaces().lo?.some(({ family }) => family === 'IPv6') === true
const hosts = ['127.0.0.1', 'localhost', ...(hasIpv6 ? ['::1'] : [])]

describe('a port', () => {
  it.each(hosts)(
    'of %s goes to one of the services that want it at the same time',
    async (host) => {
      const snapshots = copyDefaultSnapshot(join(temporaryDirectory(), 'snapshots'))
      const port = String(await freePort(host))
      const outcomes = await Promise.all(
        Array.from({ length: 3 }, () =>
          startOrEnd([
            ...['--host', host, '--port', port, '--snapshots', snapshots],
            ...['--data', temporaryDirectory()],
          ]),
        ),
      )
      const refused = outcomes.filter((outcome): outcome is Ended => 'exitCode' in outcome)
      expect(refused.map(({ exitCode }) => exitCode)).toEqual([1, 1])
      for (const { stderr } of refused)
        expect(stderr).toMatch(/^cannot listen on .*EADDRINUSE.*\n$/m)
    },
  )

  it.runIf(hasIpv6)(
    'that a service of every address has is refused to one of a single address',
    async () => {
      const snapshots = copyDefaultSnapshot(join(temporaryDirectory(), 'snapshots'))
      const words = (host: string, port: number) => [
        ...['--host', host, '--port', String(port), '--snapshots', snapshots],
        ...['--data', temporaryDirectory()],
      ]
      const first = await startOrEnd(words('::', 0))
      const port = Number(new URL((first as Started).address).port)
      for (const host of ['127.0.0.1', '0.0.0.0', '::1']) {
        expect(await startOrEnd(words(host, port))).toMatchObject({ exitCode: 1 })
      }
    },
  )
})

describe('the first key', () => {
  it('is shown by the first start that serves, whatever start has failed before', async () => {
    const directory = temporaryDirectory()
    const snapshots = join(directory, 'snapshots')
    const words = ['--port', '0', '--data', join(directory, 'data'), '--snapshots', snapshots]
    mkdirSync(snapshots)
    expect(await startOrEnd(words)).toMatchObject({ exitCode: 1, stdout: '' })
    copyDefaultSnapshot(snapshots)
    const { address, key } = (await startOrEnd(words)) as Started
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${address}${target}`, { headers })).status).toBe(200)
    const { stdout } = await run(['key', 'list', '--data', join(directory, 'data'), '--json'])
    expect(JSON.parse(stdout)).toMatchObject([{ account: 'default', state: 'active' }])
  })
})
