/**
 * Ports for programs that cannot be asked to find one by themselves. Nobody else has them between choice and use: they lie
 * below those that Linux gives to outgoing connections, and this process holds an abstract socket with the name of each, so
 * that no other test chooses them while it lives.
 */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'

/** Linux gives ports from 32,768 on to connections and to programs that ask for any. */
const range = [20_000, 32_000] as const

const claims: Server[] = []

export async function freePort(host = '127.0.0.1'): Promise<number> {
  const [port] = await freePorts(1, host)
  return port!
}

/** Ports that follow each other, for a program that takes several. */
export async function freePorts(count: number, host = '127.0.0.1'): Promise<readonly number[]> {
  for (;;) {
    const first = randomInt(...range)
    const ports = Array.from({ length: count }, (_, index) => first + index)
    const areFree = await Promise.all(ports.map((port) => isFree(port, host)))
    if (areFree.every(Boolean)) return ports
  }
}

/** Whether a program listens at a port of this computer. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}

async function isFree(port: number, host: string): Promise<boolean> {
  if (!(await claimed(port))) return false
  const server = await listening(createServer(), { port, host })
  if (server === undefined) return false
  server.close()
  await once(server, 'close')
  return true
}

/** Other systems than Linux have no abstract sockets: there a port is only looked at. */
async function claimed(port: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const path = `\0authority-index-test-port-${port}`
  const claim = await listening(createServer(), { path })
  if (claim !== undefined) claims.push(claim.unref())
  return claim !== undefined
}

async function listening(server: Server, place: object): Promise<Server | undefined> {
  server.listen(place)
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  )
}
