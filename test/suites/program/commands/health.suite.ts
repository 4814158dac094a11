/** The `health` command against a service of its own, and against what is none. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { run, startService } from '../../../support/program.ts'

async function serverOf(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

describe('health', () => {
  it('exits with 0 while the service is ready, and with 1 once it has ended', async () => {
    const service = await startService(temporaryDirectory())
    const words = ['health', '--port', String(service.port)]
    const ready = await run(words)
    expect([ready.exitCode, ready.stderr]).toEqual([0, ''])
    expect(ready.stdout).toBe(`http://127.0.0.1:${service.port} is ready\n`)
    const byUrl = await run(['health', '--url', service.address, '--json'])
    expect(JSON.parse(byUrl.stdout)).toMatchObject({ ready: true, snapshot_id: service.snapshotId })
    await service.stop('SIGTERM')
    const ended = await run(words)
    expect([ended.exitCode, ended.stdout]).toEqual([1, ''])
    expect(ended.stderr).toMatch(/^[^\n]+ does not answer: [^\n]+\n$/)
  })

  it('finds a service that listens on every address', async () => {
    const port = await serverOf((_, response) => response.end('{"ready":true}'))
    const { exitCode } = await run(['health', '--host', '0.0.0.0', '--port', String(port)])
    expect(exitCode).toBe(0)
  })

  it('exits with 1 and says why when the service is not ready', async () => {
    const port = await serverOf((_, response) => response.writeHead(503).end('{"ready":false}'))
    const { exitCode, stderr } = await run(['health', '--port', String(port)])
    expect([exitCode, stderr]).toEqual([
      1,
      `http://127.0.0.1:${port} is not ready: {"ready":false}\n`,
    ])
  })

  it('is not led elsewhere by a redirect', async () => {
    const port = await serverOf((_, response) =>
      response.writeHead(302, { location: '/healthz' }).end(),
    )
    expect((await run(['health', '--port', String(port)])).exitCode).toBe(1)
  })
})
