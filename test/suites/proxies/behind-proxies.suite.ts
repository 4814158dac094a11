/** The service behind real proxies with the configurations of `ops/`: the same answers as without one. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askAll, targets, until } from '../../support/operated.ts'
import { run } from '../../support/program.ts'
import { isInstalled, operateBehind, proxyNames, statusOf } from '../../support/servers/proxy.ts'
import { expectSameAnswers, lasting } from '../../support/servers/proxy-answers.ts'

describe.each(proxyNames)('behind %s', (name) => {
  const installed = isInstalled(name)

  it.runIf(installed)('every answer is what it is without', async () => {
    const { direct, behind } = await operateBehind(name)
    await expectSameAnswers(behind, direct)
    const { said } = await lasting(behind, targets[0]!)
    const again = { headers: { 'if-none-match': said[1]! } }
    expect((await lasting(behind, targets[0]!, again)).status).toBe(304)
  })

  it.runIf(installed)('clients are told apart by their addresses, whatever they say', async () => {
    const { port } = await operateBehind(name, ['--failed-key-limit', '2'])
    const statusFrom = (localAddress: string, claimed: string) =>
      statusOf({ port, localAddress, path: targets[0]!, headers: { 'x-forwarded-for': claimed } })
    const statuses = []
    for (const claimed of ['203.0.113.1', '203.0.113.2', '127.0.0.1']) {
      statuses.push(await statusFrom('127.0.0.2', claimed))
    }
    expect(statuses).toEqual([401, 401, 429])
    expect(await statusFrom('127.0.0.3', '127.0.0.2')).toBe(401)
  })

  it.runIf(installed)('the metrics are for the machine itself', async () => {
    const { port } = await operateBehind(name)
    const statusFrom = (localAddress: string) => statusOf({ port, localAddress, path: '/metrics' })
    expect(await statusFrom('127.0.0.2')).toBe(403)
    expect(await statusFrom('127.0.0.1')).toBe(200)
  })

  it.runIf(installed)('answers are whole and of one snapshot, also during a swap', async () => {
    const { scene, behind } = await operateBehind(name)
    const asking = askAll(behind, scene.words)
    await until(() => (asking.seen.get(scene.first) ?? 0) > 50)
    await run(['snapshot', 'pin', scene.second, '--snapshots', scene.directory])
    await until(() => (asking.seen.get(scene.second) ?? 0) > 50)
    await asking.stop()
  })

  it.runIf(installed)('the official MCP client has its session', async () => {
    const { behind } = await operateBehind(name)
    const client = new Client({ name: 'test', version: '1' })
    onTestFinished(() => client.close())
    const requestInit = { headers: { ...behind.headers } }
    const transport = new StreamableHTTPClientTransport(new URL(`${behind.address}/mcp`), {
      requestInit,
    })
    await client.connect(transport)
    const call = { name: 'search_authorities', arguments: { query: 'person7' } }
    expect((await client.callTool(call)).structuredContent).toMatchObject({
      results: [{ name: 'First Person7' }],
    })
  })
})
