/** The connection to a cluster: nothing of it is left when it was closed. */
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

  #answer(socket: Socket, words: readonly string[]): void {
    const name = words.slice(0, 2).join(' ').toLowerCase()
    const slots = `*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:${socket.localPort}\r\n`
    const state = 'cluster_state:ok'
    if (name === 'cluster slots' && this.#onHeld !== undefined) {
      this.#held = () => socket.write(slots)
      this.#onHeld()
    } else if (name === 'cluster slots') socket.write(slots)
    else if (name === 'cluster info') socket.write(`$${state.length}\r\n${state}\r\n`)
    else if (name.startsWith('get')) socket.write('$-1\r\n')
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
  vi.advanceTimersByTime(2_000)
  await asked
  await tail.close()
  await node.release()
  // Timers of single connections end by themselves.
  vi.advanceTimersByTime(5_000)
  expect(vi.getTimerCount()).toBe(0)
})
