/**
 * A client with manners beside an attack, in a process of its own, so that what it waits for is the service: it
 * asks paid questions with pauses, on a kept connection and on a new one by turns. Its parent tells it when.
 */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const pauseMs = 2
const kept = new Agent({ keepAlive: true, maxSockets: 1 })
const statuses: Record<string, number> = {}
let waitsMs: number[] = []
let asked = 0
let answered = 0
let isLeaving = false

async function ask({ port, key }: Message, agent: Agent | false): Promise<string> {
  const headers = { authorization: `Bearer ${key}` }
  const path = '/api/v1/index?query=rust&limit=1'
  const asking = request({ agent, host: '127.0.0.1', port, path, headers }).end()
  try {
    const [response] = await once(asking, 'response')
    await response.resume().toArray()
    const isFree = response.headers['idempotent-replay'] !== undefined
    return isFree ? 'free' : String(response.statusCode)
  } catch {
    // A kept connection may end while it idles; who is sent there asks again (Node's documents).
    return asking.reusedSocket ? 'again' : 'none'
  }
}

async function askOn(message: Message): Promise<void> {
  while (!isLeaving) {
    const startedMs = performance.now()
    let status = await ask(message, asked % 2 === 0 ? kept : false)
    if (status === 'again') {
      statuses.again = (statuses.again ?? 0) + 1
      status = await ask(message, false)
    }
    waitsMs.push(performance.now() - startedMs)
    statuses[status] = (statuses[status] ?? 0) + 1
    asked += 1
    if (status !== 'none') answered += 1
    await sleep(pauseMs)
  }
  kept.destroy()
}

async function answeredMore(count: number): Promise<void> {
  const enough = answered + count
  while (answered < enough) await sleep(pauseMs)
}

interface Message {
  readonly tell: 'begin' | 'mark' | 'leave'
  readonly port: number
  readonly key: string
  readonly answersMin: number
}

let asking: Promise<void> | undefined
process.on('message', async (message: Message) => {
  const { tell, answersMin } = message
  asking ??= askOn(message)
  if (tell === 'mark') waitsMs = []
  else await answeredMore(answersMin)
  if (tell === 'leave') {
    isLeaving = true
    await asking
  }
  process.send!({ waitsMs, statuses }, () => {
    if (tell === 'leave') process.disconnect()
  })
})
