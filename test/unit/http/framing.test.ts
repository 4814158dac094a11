/**
 * Where a request ends: a request of which that is not certain is refused, its connection ends, and
 * nothing behind it is answered. Real sockets and the built service, with the build of
 * uWebSockets.js that loads here.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { sharedService } from '../../support/shared.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('framing.tsv', import.meta.url))

const service = sharedService(['--threads', '1'])

const json = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'
const search = 'GET /api/v1/index?query=rust HTTP/1.1\r\n'
const match = `POST /api/v1/match HTTP/1.1\r\n${json}`
const body = '{"handles":["a"]}'

const chunked = 'Transfer-Encoding: chunked\r\n'

/** The lines of each, by its name. */
const [uncertain = [], heads = []] = ['uncertain ends', 'heads'].map((title) =>
  rowsOf(title).map(
    ([name = '', ...lines]) => [name, lines.map((line) => `${line}\r\n`).join('')] as const,
  ),
)

/** One encoding, written in other ways that HTTP allows. */
const certain = [
  'Transfer-Encoding: Chunked\r\n',
  'tRANSFER-eNCODING: CHUNKED\r\n',
  'Transfer-Encoding:chunked\r\n',
  'Transfer-Encoding:   chunked  \r\n',
  'Transfer-Encoding:\tchunked\t\r\n',
]

function headOf(line: string): string {
  return `${line}Host: a\r\nAuthorization: ${service.headers.authorization}\r\n`
}

/** Sends text on a connection of its own; answers what comes until the service ends it. */
async function answerTo(text: string): Promise<string> {
  const socket = connect(service.port, '127.0.0.1').setEncoding('latin1')
  // What is still sent to a service that has ended the connection is lost.
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (part: string) => {
    answer += part
  })
  socket.write(text)
  await once(socket, 'close')
  return answer
}

function statusesOf(answer: string): string[] {
  return [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status!)
}

const probe = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
const last = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

describe.each(heads)('%s', (_, line) => {
  it.each(uncertain)('with %s is a 400, and its connection ends', async (_, lines) => {
    expect(statusesOf(await answerTo(`${headOf(line)}${lines}\r\n`))).toEqual(['400'])
  })

  it.each(uncertain)('with %s hides no request', async (_, lines) => {
    for (const between of ['', '0\r\n\r\n', 'hello', `${probe.length.toString(16)}\r\n`]) {
      const answer = await answerTo(`${headOf(line)}${lines}\r\n${between}${probe}${probe}`)
      // uWebSockets.js ends a connection at once where more is behind a refusal: without an answer
      // if that is a request, with 505 if it is none.
      expect([[], ['400'], ['505']]).toContainEqual(statusesOf(answer))
    }
  })
})

describe('a search that no proxy has marked', () => {
  const seen = uncertain.filter(([name]) => !/^(an empty|a length of)/.test(name))

  it.each(seen)('with %s is a 400, and its connection ends', async (_, lines) => {
    expect(statusesOf(await answerTo(`${headOf(search)}${lines}\r\n`))).toEqual(['400'])
  })
})

describe('a body in chunks', () => {
  it.each(certain)('is read after %j, and so is the request behind it', async (lines) => {
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    const answer = await answerTo(`${headOf(match)}${lines}\r\n${chunks}${last}`)
    expect(statusesOf(answer)).toEqual(['200', '200'])
  })

  it.each(['X-A: /api/v1/index?query=rust', 'GET: /healthz', 'POST: /mcp', 'X-A: /nothing'])(
    'ends its connection with the trailer %j, which is no request',
    async (trailer) => {
      const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n`
      const request = `${headOf(match)}${chunked}\r\n${chunks}${trailer} HTTP/1.1\r\nHost: a\r\n\r\n`
      expect(statusesOf(await answerTo(request))).toEqual(['200'])
      expect([[], ['200']]).toContainEqual(statusesOf(await answerTo(`${request}${probe}`)))
    },
  )
})
