/** Bodies of `/mcp`: in pieces, slow, malformed, nested, in batches, and of clients that hang up. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, AttackSize } from '../attack.ts'
import { askVictim, mcpCall } from '../victim.ts'
import { deafSocket, deafSockets, mcpHead, sendAll, talk } from '../wire.ts'

const chunked = { 'Transfer-Encoding': 'chunked' }

const tinyChunks: Attack = {
  name: 'a million chunks of one byte',
  run: async (scene) => {
    const socket = await deafSocket(scene)
    const head = mcpHead(scene.service.key, chunked)
    await sendAll(socket, head + '1\r\na\r\n'.repeat(1_000_000))
  },
}

/** What no chunk can be; after it nothing that was sent may be taken for a request. */
const malformed = [
  'zz\r\nabc\r\n',
  '-1\r\nabc\r\n',
  'ffffffffffffffffff\r\nabc\r\n',
  '3\r\nabcdef\r\n0\r\n\r\n',
  `3;${'x'.repeat(100_000)}\r\nabc\r\n`,
  '0\r\nX: y\r\n\r\nGET /healthz HTTP/1.1\r\n',
]

const malformedChunks: Attack = {
  name: 'malformed chunks',
  run: async (scene) => {
    const rounds = scene.size === 'full' ? 500 : 10
    const head = mcpHead(scene.service.key, { ...chunked, Connection: 'close' })
    const send = async (body: string) => {
      for (let round = 0; round < rounds; round += 1) {
        const socket = await deafSocket(scene)
        await sendAll(socket, head + body)
        socket.destroy()
      }
      const answer = await Promise.race([talk(scene, head + body), sleep(2_000, 'left open')])
      if (answer.includes('HTTP/1.1 200')) throw new Error('a malformed body was answered')
    }
    await Promise.all(malformed.map(send))
  },
}

const slowBodies: Attack = {
  name: 'slow writers of bodies of 1 MiB',
  run: async (scene) => {
    const [count, seconds] = scene.size === 'full' ? [500, 40] : [100, 1]
    const bytes = 1 << 20
    const head = mcpHead(scene.service.key, { 'Content-Length': String(bytes) })
    const sockets = await deafSockets(scene, count)
    const most = head + 'x'.repeat(bytes - 1_000)
    for (const socket of sockets) socket.write(most)
    for (let second = 0; second < seconds; second += 1) {
      for (const socket of sockets) if (!socket.destroyed) socket.write('x')
      await sleep(1_000)
    }
    for (const socket of sockets) socket.resume()
    await sleep(100)
  },
}

/** More bodies than one account may have under way; another account must have its turn meanwhile. */
const slowBodiesOfOne: Attack = {
  name: '128 slow bodies of one key, /mcp asked with another',
  run: async (scene) => {
    const { service, size, data } = scene
    const words = ['account', 'create', 'slow', '--data', data, '--json']
    const program = scene.children.start({
      name: 'a second account',
      command: process.execPath,
      args: ['dist/main.js', ...words],
    })
    const { key } = JSON.parse(await program.firstLine())
    const head = mcpHead(key, { 'Content-Length': '100000' })
    for (const socket of await deafSockets(scene, 128)) socket.write(`${head}{`)
    for (let asked = 0; asked < (size === 'full' ? 100 : 10); asked += 1) {
      const response = await askVictim(service, '/mcp', mcpCall('{}'))
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`the other key: ${response.status}`)
    }
  },
}

/** JSON so deep that a recursive reader runs out of stack. */
const nesting: Attack = {
  name: 'MCP arguments nested 250,000 deep',
  run: async (scene) => {
    const rounds = scene.size === 'full' ? 200 : 5
    const depth = 250_000
    const shapes = [
      `${'['.repeat(depth)}${']'.repeat(depth)}`,
      `${'{"query":'.repeat(depth / 4)}1${'}'.repeat(depth / 4)}`,
      `{"query":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    ]
    for (let round = 0; round < rounds; round += 1) {
      for (const shape of shapes) {
        const response = await askVictim(scene.service, '/mcp', mcpCall(shape))
        await response.arrayBuffer()
        if (response.status >= 500) throw new Error(`a fault of the service: ${response.status}`)
      }
    }
  },
}

const batches: Attack = {
  name: 'batches of 20 MCP messages, unread',
  run: async (scene) => {
    const count = scene.size === 'full' ? 2_000 : 100
    const message = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    const body = `[${Array.from({ length: 20 }, () => message).join()}]`
    const head = mcpHead(scene.service.key, { 'Content-Length': String(body.length) })
    const sockets = await deafSockets(scene, 3)
    await Promise.all(sockets.map((socket) => sendAll(socket, (head + body).repeat(count))))
    await sleep(scene.size === 'full' ? 5_000 : 500)
  },
}

const hangUps = (size: AttackSize) => (size === 'full' ? 2_000 : 100)

/** What a client that left cannot have read is not charged: see the tests of `/mcp`. */
const hangingUp: Attack = {
  name: 'MCP clients that hang up after 1 ms',
  boughtMax: hangUps,
  run: async (scene) => {
    const { body } = mcpCall('{"query":"rust"}')
    const head = mcpHead(scene.service.key, { 'Content-Length': String(String(body).length) })
    for (let number = 0; number < hangUps(scene.size); number += 1) {
      const socket = await deafSocket(scene)
      socket.write(head + body)
      await sleep(1)
      socket.destroy()
    }
  },
}

export const bodyAttacks: readonly Attack[] = [
  tinyChunks,
  malformedChunks,
  slowBodies,
  slowBodiesOfOne,
  nesting,
  batches,
  hangingUp,
]
