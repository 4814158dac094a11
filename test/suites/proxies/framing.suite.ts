/**
 * Requests of which it may be uncertain where they end: what each build of uWebSockets.js makes of them, and what each
 * proxy passes on. `framing.tsv` holds what is expected; here are the bytes of its rows.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newScene, type Operated, operate } from '../../support/operated.ts'
import { isInstalled, proxyNames, startProxy } from '../../support/servers/proxy.ts'

/** A row of the table. */
interface Row {
  readonly bytes: string
  /** What a proxy that passes it on leaves in it. */
  readonly mark: RegExp
}

const body = '{"handles":["person1"]}'
const size = body.length.toString(16)
const target = '/api/v1/index?query=person1'

function get(lines: string, mark: RegExp, [from, to]: readonly [string, string] = ['', '']): Row {
  const head = `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: KEY\r\n`
  return { bytes: `${head}${lines}\r\n`.replace(from, to), mark }
}

function post(after: string, mark: RegExp, lines = 'Transfer-Encoding: chunked\r\n'): Row {
  const head = 'POST /api/v1/match HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
  return { bytes: `${head}Authorization: KEY\r\n${lines}\r\n${after}`, mark }
}

const chunk = `${size}\r\n${body}\r\n`
const chunks = `${chunk}0\r\n\r\n`

const rows: Readonly<Record<string, Row>> = {
  'two other bytes in place of the line end behind the data of a chunk': post(
    `${size}\r\n${body}xx0\r\n\r\n`,
    /xx0/,
  ),
  'more bytes behind the data of a chunk': post(`${size}\r\n${body}xxxx\r\n0\r\n\r\n`, /xxxx/),
  'a bare LF behind the data of a chunk': post(`${size}\r\n${body}\n0\r\n\r\n`, /\}\n0/),
  'a chunk size that ends in a bare LF': post(`${size}\n${body}\r\n0\r\n\r\n`, /17\n/),
  'a last chunk that ends in bare LFs': post(`${chunk}0\n\n`, /0\n\n/),
  'a chunk extension': post(`${size};a=b\r\n${body}\r\n0\r\n\r\n`, /a=b/),
  'a chunk extension with a bare LF': post(`${size};a\nb\r\n${body}\r\n0\r\n\r\n`, /;a\nb/),
  'a chunk size that is no number': post(`0x${size}\r\n${body}\r\n0\r\n\r\n`, /0x/),
  'a chunk size that is missing': post(`\r\n${body}\r\n0\r\n\r\n`, /\r\n\r\n\r\n/),
  'a chunk size above 2^64': post(`100000000000000${size}\r\n${body}\r\n0\r\n\r\n`, /10000000/),
  'a trailer': post(`${chunk}0\r\nX-A: b\r\n\r\n`, /x-a/i),
  'a trailer that reads as a request': post(
    `${chunk}0\r\nX-A: ${target} HTTP/1.1\r\nHost: a\r\n\r\n`,
    /x-a/i,
  ),
  'a request line that ends in a bare LF': get('', /1\.1\n/, ['1.1\r\n', '1.1\n']),
  'a header line that ends in a bare LF': get('X-A: b\n', /x-a: b\n/i),
  'a bare CR in a header': get('X-A: b\rc\r\n', /b\rc/),
  'a folded header line': get('X-A: b\r\n c\r\n', /b\r\n c/),
  'a space before the colon': get('X-A : b\r\n', /x-a :/i),
  'a NUL in a header': get('X-A: b\0c\r\n', /b\0c/),
  'another control character in a header': get('X-A: b\x07c\r\n', /b[^ -~]c/),
  'a header name that is no token': get('X-A[]: b\r\n', /x-a\[\]/i),
  'no `Host`': get('', /^(?![\s\S]*\nhost:)/i, ['Host: a\r\n', '']),
  'two `Host`s': get('Host: b\r\n', /host: a[\s\S]*host: b/i),
  'an absolute target': get('', /GET http/, [target, `http://a${target}`]),
  'HTTP/1.0': get('', /1\.0/, ['1.1', '1.0']),
  'two equal lengths': post(
    body,
    /content-length[\s\S]*content-length/i,
    `Content-Length: ${body.length}\r\n`.repeat(2),
  ),
  'two lengths': post(
    body,
    /content-length[\s\S]*content-length/i,
    `Content-Length: ${body.length}\r\nContent-Length: 3\r\n`,
  ),
  'an empty length, then another': get(
    'Content-Length:\r\nContent-Length: 5\r\n',
    /content-length: ?\r\n/i,
  ),
  'a length and `chunked`': post(
    chunks,
    /content-length/i,
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
  ),
  'an encoding that is not `chunked`': post(chunks, /gzip/, 'Transfer-Encoding: gzip\r\n'),
  '`chunked` twice': post(
    chunks,
    /chunked\r\n[\s\S]*chunked/,
    'Transfer-Encoding: chunked\r\n'.repeat(2),
  ),
  'an empty encoding, then `chunked`': post(
    chunks,
    /transfer-encoding: ?\r\n/i,
    'Transfer-Encoding:\r\nTransfer-Encoding: chunked\r\n',
  ),
}

/** The cells of the table: row → column → text. */
function documented(): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const table = readFileSync(join(import.meta.dirname, 'framing.tsv'), 'utf8')
  const [columns, ...lines] = table
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
  return new Map(
    lines.map((cells) => [
      cells[0]!,
      Object.fromEntries(cells.map((cell, at) => [columns![at]!.split(' ')[0]!, cell])),
    ]),
  )
}

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
  for (const [name, row] of Object.entries(rows)) cells[name] = await cell(row)
  return cells
}

function column(name: string): Record<string, string> {
  return Object.fromEntries([...documented()].map(([row, cells]) => [row, cells[name]!]))
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
