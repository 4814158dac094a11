/**
 * Sends hostile requests to a server and holds every answer against three promises: it is no failure of the server
 * (a status from 500 on, except 503, and 505 for what is not HTTP/1.1), it tells nothing of an account other than
 * that of its key, and a whole request has one answer. What a connection that ends leaves unanswered is sent
 * again, each request alone (RFC 9112, section 9.3.2).
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Cases, type Keys, type Whole } from './cases.ts'

interface FuzzOptions {
  readonly port: number
  readonly keys: Keys
  /** Whether a balance in USD can be that of an account. */
  readonly mayHave: (account: string, balanceUsd: number) => boolean
  readonly requests: number
  readonly seed: number
}

/** How many answers there were of each status; what was not answered at all is under 0. */
export type Statuses = Readonly<Record<number, number>>

const pipelined = 16
const connections = 8
/** Of so many rounds, one is of broken requests. */
const brokenEvery = 4
const halfOpen = 50

interface Head {
  readonly status: number
  readonly text: string
  readonly bodyBytes: number
}

/** Runs the fuzzer. @throws Error that shows the request whose answer broke a promise. */
export async function fuzz(options: FuzzOptions): Promise<Statuses> {
  const { requests, seed, port, keys } = options
  const cases = new Cases(seed, keys)
  const statuses: Record<number, number> = {}
  const count = (status: number) => {
    statuses[status] = (statuses[status] ?? 0) + 1
  }
  const idle = Array.from({ length: halfOpen }, () => abandoned(port, cases))
  let done = 0
  const line = async () => {
    for (let round = 0; done < requests; round += 1) {
      done += pipelined
      if (round % brokenEvery === 0) {
        const sent = Array.from({ length: pipelined }, () => cases.broken())
        await Promise.all(sent.map((bytes) => sendBroken(options, bytes, count)))
      } else {
        const sent = Array.from({ length: pipelined }, () => cases.whole())
        for (const pipeline of pipelinesOf(sent)) await sendAll(options, pipeline, count)
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, line))
  } finally {
    for (const socket of idle) socket.destroy()
  }
  return statuses
}

/** A connection that begins something and never ends it; the server closes it in its time. */
function abandoned(port: number, cases: Cases): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const bytes = cases.broken()
  socket.write(bytes.subarray(0, Math.ceil(bytes.length / 2)))
  return socket
}

/** Nothing follows a POST on its connection before it is answered (RFC 9112, section 9.3.2). */
function pipelinesOf(sent: readonly Whole[]): Whole[][] {
  const pipelines: Whole[][] = [[]]
  for (const whole of sent) {
    pipelines.at(-1)!.push(whole)
    if (whole.method === 'POST') pipelines.push([])
  }
  return pipelines.filter((pipeline) => pipeline.length > 0)
}

async function sendAll(
  options: FuzzOptions,
  sent: readonly Whole[],
  count: (status: number) => void,
): Promise<void> {
  const answered = await sendWhole(options, sent, count)
  for (const alone of sent.slice(answered)) {
    if ((await sendWhole(options, [alone], count)) === 0)
      throw broken(alone.bytes, 'no answer', 'though it was sent alone')
  }
}

/** @returns how many answers came. */
async function sendWhole(
  options: FuzzOptions,
  sent: readonly Whole[],
  count: (status: number) => void,
): Promise<number> {
  const socket = await opened(options.port)
  let held: Buffer = Buffer.alloc(0)
  let answered = 0
  const read = () => {
    for (let head = headOf(held, sent[answered]); head !== undefined; ) {
      const { bytes, account } = sent[answered]!
      const end = head.text.length + head.bodyBytes
      if (held.length < end) return
      const body = held.toString('latin1', head.text.length, end)
      check(options, bytes, head.status, head.text + body, account)
      count(head.status)
      held = held.subarray(end)
      answered += 1
      head = headOf(held, sent[answered])
    }
  }
  const failure = await new Promise<unknown>((resolve) => {
    socket.on('data', (chunk) => {
      held = Buffer.concat([held, chunk])
      try {
        read()
      } catch (error) {
        resolve(error)
      }
      if (answered === sent.length) resolve(undefined)
    })
    socket.once('close', () => resolve(undefined))
    socket.write(Buffer.concat(sent.map(({ bytes }) => bytes)))
  })
  socket.destroy()
  if (failure !== undefined) throw failure
  return answered
}

async function sendBroken(
  options: FuzzOptions,
  bytes: Buffer,
  count: (status: number) => void,
): Promise<void> {
  const socket = await opened(options.port)
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part
  })
  // The server closes after the end of the input; its answers come before.
  socket.end(bytes)
  await once(socket, 'close')
  const found = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  for (const status of found) {
    count(status)
    check(options, bytes, status, text, ownerIn(options.keys, bytes))
  }
  if (found.length === 0) count(0)
}

async function opened(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  // A reset is followed by 'close', which says all there is to say.
  socket.on('error', () => {})
  return socket
}

function headOf(held: Buffer, asked: Whole | undefined): Head | undefined {
  const end = held.indexOf('\r\n\r\n')
  if (asked === undefined || end < 0) return undefined
  const text = held.toString('latin1', 0, end + 4)
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])
  if (Number.isNaN(status)) throw broken(asked.bytes, 'no status line', text)
  const isBodiless = asked.method === 'HEAD' || status === 304 || status === 204
  const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0)
  return { status, text, bodyBytes: isBodiless ? 0 : length }
}

function ownerIn(keys: Keys, bytes: Buffer): string | undefined {
  const found = Object.entries(keys).filter(([, key]) => bytes.includes(key))
  return found.length === 1 ? found[0]![0] : found.length === 0 ? undefined : 'several'
}

function check(
  { mayHave }: FuzzOptions,
  bytes: Buffer,
  status: number,
  text: string,
  account: string | undefined,
): void {
  if (status >= 500 && status !== 503 && status !== 505) throw broken(bytes, String(status), text)
  if (/^x-injected:/im.test(text)) throw broken(bytes, 'an injected header', text)
  if (account === 'several') return
  const told = /^x-balance-usd: (\S+)/im.exec(text)?.[1] ?? /"balance_usd":([\d.]+)/.exec(text)?.[1]
  if (told === undefined) return
  if (account === undefined) throw broken(bytes, 'a balance without a key', text)
  if (!mayHave(account, Number(told))) throw broken(bytes, `not the balance of ${account}`, text)
}

function broken(bytes: Buffer, what: string, text: string): Error {
  const sent = JSON.stringify(bytes.toString('latin1').slice(0, 4_000))
  return new Error(`${what}: ${text.slice(0, 1_000)}\nafter ${sent}`)
}
