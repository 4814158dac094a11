/** Answers that are not read, or hardly: what is kept of them is bounded. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, Scene } from '../attack.ts'
import type { Victim } from '../victim.ts'
import { deafSockets, sendAll, wireRequest } from '../wire.ts'

const search = '/api/v1/index?query=us+politics&limit=50'

const keyed = ({ key }: Victim) => ({ Authorization: `Bearer ${key}` })

function pipelined(
  name: string,
  count: number,
  requestOf: (service: Victim) => string,
  isPaid = false,
): Attack {
  const run = async (scene: Scene) => {
    const text = requestOf(scene.service).repeat(count)
    const sockets = await deafSockets(scene, 3)
    await Promise.all(sockets.map((socket) => sendAll(socket, text)))
  }
  const boughtMax = () => (isPaid ? 3 * count : 0)
  return { name: `${count} ${name} on each of 3 connections, unread`, boughtMax, run }
}

const asked = 10
const readers = { full: { count: 500, seconds: 20 }, tiny: { count: 50, seconds: 1 } } as const

const slowReaders: Attack = {
  name: 'slow readers: 1 KB of a page of 50 at a time',
  boughtMax: (size) => readers[size].count * asked,
  run: async (scene) => {
    const { count, seconds } = readers[scene.size]
    const text = wireRequest(search, keyed(scene.service)).repeat(asked)
    const sockets = await deafSockets(scene, count)
    for (const socket of sockets) socket.write(text)
    for (let turn = 0; turn < seconds * 10; turn += 1) {
      for (const socket of sockets) socket.read(1_024)
      await sleep(100)
    }
  },
}

/** Each of them once took hundreds of megabytes, or gigabytes. */
export const unreadAttacks: readonly Attack[] = [
  pipelined('requests for /openapi.json', 20_000, () => wireRequest('/openapi.json')),
  pipelined('requests for /metrics', 20_000, () => wireRequest('/metrics')),
  pipelined('requests without a key', 400_000, () => wireRequest('/api/v1/match')),
  pipelined('HEAD requests', 400_000, () => wireRequest('/healthz', {}, 'HEAD')),
  pipelined('searches', 30_000, (service) => wireRequest(search, keyed(service)), true),
  slowReaders,
]
