/** A port for a program that cannot be asked to find one by itself. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port of this computer that nobody listened at a moment ago. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
