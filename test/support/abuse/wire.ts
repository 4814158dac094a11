/** Clients without manners: sockets that send what they like, and read when they like. */
import type { Socket } from 'node:net'
import { openSocket } from '../processes/connection.ts'
import type { Scene } from './attack.ts'
import { mcpHeaders } from './victim.ts'

export function wireRequest(
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`
}

export function mcpHead(key: string, headers: Readonly<Record<string, string>>): string {
  const keyed = { ...mcpHeaders, Authorization: `Bearer ${key}` }
  return wireRequest('/mcp', { ...keyed, ...headers }, 'POST')
}

/** A connection that does not read; it ends with the attack. @throws Error when it is refused. */
export async function deafSocket({ service, sockets }: Scene): Promise<Socket> {
  const socket = await openSocket(service.port)
  sockets.push(socket)
  return socket.pause()
}

/** So many of them; a few hundred connect at a time, as many as wait to be accepted. */
export async function deafSockets(scene: Scene, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const next = Math.min(256, count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length: next }, () => deafSocket(scene)))))
  }
  return sockets
}

/** The other end may take no more until its answers are read, which nobody does here. */
const sendMsMax = 60_000

export async function sendAll(socket: Socket, bytes: string | Buffer): Promise<void> {
  if (socket.destroyed) return
  await new Promise<void>((resolve) => {
    const onOver = () => {
      clearTimeout(timer)
      socket.off('close', onOver)
      resolve()
    }
    const timer = setTimeout(onOver, sendMsMax)
    socket.once('close', onOver)
    socket.write(bytes, onOver)
  })
}

/** Sends and reads until the other end closes; answers what came. @param isLast whether this end says that no more comes. */
export async function talk(scene: Scene, bytes: string | Buffer, isLast = false): Promise<string> {
  const socket = await deafSocket(scene)
  let answer = ''
  socket.setEncoding('latin1').on('data', (part: string) => {
    answer += part
  })
  socket.resume()
  if (isLast) socket.end(bytes)
  else socket.write(bytes)
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
  return answer
}
