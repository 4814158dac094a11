/**
 * Requests of which it may be uncertain where they end: what each build of uWebSockets.js makes of them, and what each
 * proxy passes on: `framing.tsv`.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newScene, type Operated, operate } from '../../support/operated.ts'
import { isInstalled, proxyNames, startProxy } from '../../support/servers/proxy.ts'

/** A row of the table: what is sent, with `KEY` for the header of a key, and what a proxy that passes it on leaves in it. */
interface Row {
  readonly bytes: string
  readonly mark: RegExp
  readonly cells: Readonly<Record<string, string>>
}

/** In the bytes of a row, what is not seen is written as in a text of JavaScript. */
const unseen: Readonly<Record<string, string>> = { r: '\r', n: '\n', 0: '\0', x07: '\x07' }

function rowsOf(table: string): ReadonlyMap<string, Row> {
  const [columns = [], ...lines] = table
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
  const named = lines.map((line) => {
    const cells = Object.fromEntries(line.map((cell, at) => [columns[at]!.split(' ')[0]!, cell]))
    const bytes = cells.bytes!.replace(/\\(r|n|0|x07)/g, (_, code) => unseen[code]!)
    return [cells.what!, { bytes, mark: new RegExp(cells.mark!, 'i'), cells }] as const
  })
  return new Map(named)
}

const rows = rowsOf(readFileSync(join(import.meta.dirname, 'framing.tsv'), 'utf8'))

function bytesOf({ bytes }: Row, { headers }: Operated): Buffer {
  return Buffer.from(bytes.replace('KEY', headers.authorization!), 'latin1')
}

function connectTo(port: number): Socket {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  // What is still sent to a peer that has refused is lost.
  return socket.on('error', () => {})
}

/** The status of the answer; `nothing` while none has come when later requests were answered. */
async function statusOf(service: Operated, row: Row): Promise<string> {
  const socket = connectTo(service.port)
  let status = 'nothing'
  socket.on('data', (text: string) => {
    status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? text
  })
  socket.write(bytesOf(row, service))
  await once(socket, 'connect')
  for (let round = 0; round < 4; round += 1) await fetch(`${service.address}/healthz`)
  socket.destroy()
  return status
}

/** A port that passes bytes on to a service and keeps them, but those of health checks. */
async function recorder(port: number) {
  const seen: string[] = []
  let onSeen = () => {}
  const server = createServer((socket) => {
    const further = connect(port, '127.0.0.1')
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      if (!text.startsWith('GET /readyz')) seen.push(text)
      onSeen()
      further.write(bytes)
    })
    further.pipe(socket)
    for (const [one, other] of [
      [socket, further],
      [further, socket],
    ] as const) {
      one.on('error', () => {}).on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const watch = (watcher: () => void) => {
    onSeen = watcher
  }
  return { port: (server.address() as AddressInfo).port, seen, watch }
}

type Recorder = Awaited<ReturnType<typeof recorder>>

/** What a proxy does with a request: `refuses`, `passes on`, or `rewrites` it. */
async function passedOn(port: number, sent: Buffer, mark: RegExp, { seen, watch }: Recorder) {
  seen.length = 0
  const isThere = () => mark.test(seen.join('')) && seen.join('').includes('\r\n\r\n')
  const socket = connectTo(port)
  const isPassed = await new Promise<boolean>((resolve) => {
    watch(() => isThere() && resolve(true))
    socket.once('data', () => resolve(isThere())).once('close', () => resolve(isThere()))
    socket.write(sent)
  })
  socket.destroy()
  if (isPassed) return 'passes on'
  return seen.length === 0 ? 'refuses' : 'rewrites'
}

async function service(): Promise<Operated> {
  return operate(newScene().directory, ['--threads', '1', '--trusted-proxies', '127.0.0.1'])
}

async function cellsOf(cell: (row: Row) => Promise<string>): Promise<Record<string, string>> {
  const cells: Record<string, string> = {}
  for (const [name, row] of rows) cells[name] = await cell(row)
  return cells
}

function column(name: string): Record<string, string> {
  return Object.fromEntries([...rows].map(([row, { cells }]) => [row, cells[name]!]))
}

describe('the table of requests', () => {
  it('says what this build of uWebSockets.js answers', async () => {
    const direct = await service()
    const metrics = await (await fetch(`${direct.address}/metrics`)).text()
    const isOlder = metrics.includes('uwebsockets_info{package="uws-pack"')
    const seen = await cellsOf((row) => statusOf(direct, row))
    expect(seen).toEqual(column(isOlder ? 'older' : 'newer'))
  })

  for (const name of proxyNames) {
    it.runIf(isInstalled(name))(`says what ${name} passes on`, async () => {
      const direct = await service()
      const recorded = await recorder(direct.port)
      const proxy = await startProxy(name, recorded.port)
      onTestFinished(proxy.stop)
      const seen = await cellsOf((row) =>
        passedOn(proxy.port, bytesOf(row, direct), row.mark, recorded),
      )
      expect(seen).toEqual(column(name === 'nginx' ? 'nginx' : 'HAProxy'))
    })
  }
})
