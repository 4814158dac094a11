/** Connections and heads: many, slow, large, and such as nobody should send. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, AttackSize, Scene } from '../attack.ts'
import { deafSocket, deafSockets, sendAll, talk, wireRequest } from '../wire.ts'

const otherFiles = 1_000

/** What is missing to open so many connections; the soft limit is raised by Node. */
function lackOfFiles(count: number): string | undefined {
  const limit = /^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
  const filesMax = Number(limit?.[1] ?? Number.POSITIVE_INFINITY)
  const needed = count + otherFiles
  return filesMax < needed ? `needs ulimit -Hn ${needed}, has ${filesMax}` : undefined
}

/** In the tests as many as any machine lets a process open. */
const idleConnections = { full: 10_000, tiny: 1_000 } as const satisfies Record<AttackSize, number>

const idle: Attack = {
  name: 'idle connections',
  prepare: () => ({ words: ['--connections-max', String(idleConnections.full + otherFiles)] }),
  lack: () => lackOfFiles(idleConnections.tiny),
  run: async (scene) => {
    const lack = lackOfFiles(idleConnections[scene.size])
    if (lack !== undefined) throw new Error(lack)
    await deafSockets(scene, idleConnections[scene.size])
    await sleep(scene.size === 'full' ? 5_000 : 200)
  },
}

const tooMany: Attack = {
  name: 'connections above --connections-max',
  prepare: () => ({ words: ['--connections-max', '100'] }),
  allowsCuts: true,
  run: async (scene) => {
    const rounds = scene.size === 'full' ? 50 : 2
    for (let round = 0; round < rounds; round += 1) {
      const sockets = await deafSockets(scene, 200)
      for (const socket of sockets) socket.destroy()
    }
  },
}

const resets: Attack = {
  name: 'connections opened and reset at once',
  run: async (scene) => {
    const rounds = scene.size === 'full' ? 200 : 5
    for (let round = 0; round < rounds; round += 1) {
      const sockets = await deafSockets(scene, 100)
      for (const socket of sockets) socket.resetAndDestroy()
    }
  },
}

const halfClosed: Attack = {
  name: 'connections whose other half is closed, unread',
  run: async (scene) => {
    const count = scene.size === 'full' ? 2_000 : 200
    const sockets = await deafSockets(scene, count)
    for (const socket of sockets) socket.end(wireRequest('/openapi.json'))
    await sleep(scene.size === 'full' ? 5_000 : 200)
  },
}

const slowHeads: Attack = {
  name: 'slow writers of heads: a byte at a time',
  run: async (scene) => {
    const [count, seconds] = scene.size === 'full' ? [2_000, 35] : [100, 1]
    const sockets = await deafSockets(scene, count)
    for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nX-More: ')
    for (let second = 0; second < seconds; second += 1) {
      for (const socket of sockets) if (!socket.destroyed) socket.write('1')
      await sleep(1_000)
    }
    for (const socket of sockets) socket.resume()
    await sleep(100)
  },
}

/** Each is sent on a connection of its own, over and over, and must be refused. */
async function flood(scene: Scene, head: string, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => talk(scene, head)))
    if (answers.some((answer) => answer.includes('HTTP/1.1 200')))
      throw new Error('a head above the bounds was answered')
  }
}

const largeHeads: Attack = {
  name: 'header floods: 1 MB in one header, and 1,000 headers',
  run: async (scene) => {
    const rounds = scene.size === 'full' ? 50 : 2
    const long = wireRequest('/healthz', { 'X-Long': 'x'.repeat(1 << 20) })
    const headers = Array.from({ length: 1_000 }, (_, n) => [`X-${n}`, 'x'])
    const many = wireRequest('/healthz', Object.fromEntries(headers))
    await flood(scene, long, rounds)
    await flood(scene, many, rounds)
  },
}

const keyGuessing: Attack = {
  name: 'key guessing on 20 connections',
  run: async (scene) => {
    const guesses = scene.size === 'full' ? 5_000 : 100
    const guessOn = async () => {
      for (let left = guesses; left > 0; ) {
        const socket = await deafSocket(scene)
        let text = ''
        socket.setEncoding('latin1').on('data', (part: string) => {
          text += part.match(/HTTP\/1\.1 \d{3}/g)?.join('') ?? ''
        })
        socket.resume()
        for (; left > 0 && !socket.destroyed; left -= 1) await sendAll(socket, guess())
        socket.end()
        if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
        if (text.includes('1.1 200')) throw new Error('a guess was answered')
      }
    }
    await Promise.all(Array.from({ length: 20 }, guessOn))
  },
}

function guess(): string {
  const key = `aik_${randomBytes(27).toString('base64url')}`
  return wireRequest('/api/v1/match?handle=x', { Authorization: `Bearer ${key}` })
}

export const headAttacks: readonly Attack[] = [
  idle,
  tooMany,
  resets,
  halfClosed,
  slowHeads,
  largeHeads,
  keyGuessing,
]
