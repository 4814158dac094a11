/** The connection to a cluster: it follows slots that move, and nothing of it is left when it was closed. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { openRedisTail } from '../../../src/tail/redis-tail.ts'

let server: Server | undefined

afterEach(() => {
  vi.useRealTimers()
  server?.close()
})

/** A node that has all slots of a cluster and no keys. Answers about its slots can be held back. */
class OneNode {
  /** Keys that are said to have moved once, each with its slot. */
  readonly moved = new Map<string, number>()
  readonly #sockets = new Set<Socket>()
  #held: (() => void) | undefined
  #allClosed: (() => void) | undefined
  #onHeld: (() => void) | undefined

  async start(): Promise<number> {
    server = createServer((socket) => this.#serve(socket))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return (server.address() as AddressInfo).port
  }

  /** Holds the next answer about slots back; resolves when it was asked for. */
  hold(): Promise<void> {
    return new Promise((resolve) => {
      this.#onHeld = resolve
    })
  }

  /** Gives the answer that is held back; resolves when every connection is closed. */
  release(): Promise<void> {
    return new Promise((resolve) => {
      this.#allClosed = resolve
      this.#held!()
    })
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#sockets.delete(socket)
      if (this.#sockets.size === 0) this.#allClosed?.()
    })
    socket.on('data', (data) => {
      for (const command of data.toString().matchAll(/\*\d+\r\n((?:\$\d+\r\n[^\r]*\r\n)+)/g)) {
        this.#answer(
          socket,
          command[1]!.split('\r\n').filter((_, index) => index % 2 === 1),
        )
      }
    })
  }

  #get(socket: Socket, key: string): void {
    const slot = this.moved.get(key)
    this.moved.delete(key)
    if (slot === undefined) socket.write(key.includes('people') ? '$1\r\nx\r\n' : '$-1\r\n')
    else socket.write(`-MOVED ${slot} 127.0.0.1:${socket.localPort}\r\n`)
  }

  #answer(socket: Socket, words: readonly string[]): void {
    const name = words.slice(0, 2).join(' ').toLowerCase()
    const slots = `*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:${socket.localPort}\r\n`
    const state = 'cluster_state:ok'
    if (name === 'cluster slots' && this.#onHeld !== undefined) {
      this.#held = () => socket.write(slots)
      this.#onHeld()
    } else if (name === 'cluster slots') socket.write(slots)
    else if (name === 'cluster info') socket.write(`$${state.length}\r\n${state}\r\n`)
    else if (words[0] === 'get') this.#get(socket, words[1]!)
    else socket.write('+OK\r\n')
  }
}

it('leaves no timer when it is closed while it asks a cluster for its slots', async () => {
  const node = new OneNode()
  const place = `127.0.0.1:${await node.start()}`
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const tail = await openRedisTail(`redis://${place},${place}`, { commandMsMax: 30_000 })
  expect(await tail.facts('0')).toBeUndefined()
  const asked = node.hold()
  vi.advanceTimersByTime(30_000)
  await asked
  await tail.close()
  await node.release()
  // Timers of single connections end by themselves.
  vi.advanceTimersByTime(5_000)
  expect(vi.getTimerCount()).toBe(0)
})

it('reads blocks of one node whose slots move one by one', async () => {
  const node = new OneNode()
  const place = `127.0.0.1:${await node.start()}`
  const tail = await openRedisTail(`redis://${place},${place}`, { commandMsMax: 30_000 })
  expect(await tail.facts('0')).toBeUndefined()
  const keys = [1, 2, 3].map((number) => ({ snapshot: '0', kind: 'people', number }) as const)
  expect(new Set(keys.map((key) => tail.nodeOf(key)))).toEqual(new Set([place]))
  node.moved.set('authority-index:0:people:1', 1).set('authority-index:0:people:3', 3)
  const found = await tail.blocks(keys)
  expect(found.map((bytes) => bytes && Buffer.from(bytes).toString())).toEqual(['x', 'x', 'x'])
  expect(node.moved.size).toBe(0)
  await tail.close()
})
