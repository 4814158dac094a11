/** The fault server breaks the exchanges that a test names, and no others; so does its program. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { type Fault, FaultServer } from '../../support/faults/fault-server.ts'
import { compiled } from '../../support/processes/compiled.ts'

/** A service that says what it was asked, and a fault server before it. */
async function scene(): Promise<{ echo: string; faults: FaultServer }> {
  const server = createServer()
  // An answer is the same to the byte.
  server.on('request', (request, response) => {
    response.sendDate = false
    response.end(`asked ${request.url}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const echo = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const faults = await FaultServer.start(echo)
  onTestFinished(async () => {
    await faults.stop()
    server.close()
  })
  return { echo, faults }
}

const request =
  'GET /question HTTP/1.1\r\nHost: one.test\r\nIdempotency-Key: k1\r\nConnection: close\r\n\r\n'

/** What comes back on a connection of its own until it ends. */
async function exchange({ address, queue }: FaultServer, fault: Fault): Promise<string> {
  queue.push(fault)
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
  })
  socket.on('error', () => {
    text += '(reset)'
  })
  socket.write(request)
  await new Promise((resolve) => socket.on('close', resolve))
  return text
}

test('without a fault every byte passes; a fault changes its byte only', async () => {
  const { faults } = await scene()
  const whole = await exchange(faults, { kind: 'none' })
  expect(whole).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*asked \/question$/)
  const { length } = whole
  const garbled = await exchange(faults, { kind: 'garble', side: 'answer', at: length - 1 })
  expect(garbled).toBe(`${whole.slice(0, -1)}\0`)
  const cut = await exchange(faults, { kind: 'kill', side: 'answer', at: 20, how: 'end' })
  expect(cut).toBe(whole.slice(0, 20))
  expect(await exchange(faults, { kind: 'kill', side: 'request', at: 9, how: 'reset' })).toBe(
    '(reset)',
  )
  expect(await exchange(faults, { kind: 'delay', side: 'request', at: 9, ms: 1 })).toBe(whole)
  expect(faults.counts).toMatchObject({ exchanges: 5, faults: 4, keys: { k1: 5 } })
})

test('as a program it takes faults and gives counts over HTTP, and ends with its input', async () => {
  const { echo } = await scene()
  const script = join(import.meta.dirname, '..', '..', 'support', 'faults', 'serve.ts')
  const child: ChildProcess = spawn(process.execPath, [compiled(script), echo])
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(createInterface(child.stdout!), 'line')
  const { address, control } = JSON.parse(String(line))
  const queue: Fault[] = [{ kind: 'refuse', status: 429, retryAfter: 2 }]
  await fetch(control, { method: 'POST', body: JSON.stringify({ queue }) })
  const refused = await fetch(`${address}/a`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
  expect(await (await fetch(`${address}/b`)).text()).toBe('asked /b')
  expect(await (await fetch(control)).json()).toMatchObject({ exchanges: 2, faults: 1 })
  child.stdin!.end()
  expect(await once(child, 'exit')).toEqual([0, null])
})
