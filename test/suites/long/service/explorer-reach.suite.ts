/** Which browsers a started service serves the explorer to, and what its start says of that. */
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { endOf, start } from '../../../support/program.ts'

const farHeads = [{ host: 'index.example.com' }, { 'x-forwarded-for': '203.0.113.7' }]

/** `fetch` sets the header Host by itself. */
function statusWith(address: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${address}/docs`, { headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

async function startedWith(words: readonly string[]) {
  const data = temporaryDirectory()
  const child = start(['serve', '--port', '0', '--threads', '1', '--data', data, ...words])
  let printed = ''
  await new Promise<void>((resolve) => {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (printed.includes('serving snapshot')) resolve()
    })
  })
  const { port } = new URL(/ on (http:\S+) with/.exec(printed)![1]!)
  const address = `http://127.0.0.1:${port}`
  const near = await statusWith(address, {})
  const far = await Promise.all(farHeads.map((headers) => statusWith(address, headers)))
  child.kill('SIGTERM')
  await endOf(child)
  return { printed, address, near, far }
}

describe('--explorer', () => {
  it('is for browsers of this computer where only it is served, and not through a proxy', async () => {
    const { printed, address, near, far } = await startedWith([])
    expect(printed).toContain(`\nopen: ${address}/\n`)
    expect(printed).toContain('\nexplorer: for browsers of this computer, not through a proxy;')
    expect([near, ...far]).toEqual([200, 404, 404])
  })

  it('local serves a container whose port is published on loopback, and no other computer', async () => {
    const { printed, address, near, far } = await startedWith([
      '--host',
      '0.0.0.0',
      '--explorer',
      'local',
    ])
    expect(printed).toContain(`\nopen: ${address}/\n`)
    expect([near, ...far]).toEqual([200, 404, 404])
  })

  it('on serves every browser, also through a proxy', async () => {
    const { printed, near, far } = await startedWith(['--explorer', 'on'])
    expect(printed).toContain('\nexplorer: for every browser that reaches this address')
    expect([near, ...far]).toEqual([200, 200, 200])
  })

  it('off serves nothing of it and prints no address of it', async () => {
    const { printed, near } = await startedWith(['--explorer', 'off'])
    expect(printed).not.toContain('open:')
    expect(printed).toContain('\nexplorer: off;')
    expect(near).toBe(404)
  })
})
