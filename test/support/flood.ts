/** Many calls at once. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { match } from './shop.ts'

const againMs = 50

/**
 * Sends so many GETs on a few connections at once, to some services in turn; returns how often each status came. A node
 * that says that another may hold the money (503) is asked again.
 */
export async function flood(
  addresses: readonly string[],
  key: string,
  calls: number,
  target = match,
): Promise<Map<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const headers = { authorization: `Bearer ${key}` }
  const ask = (address: string) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(`${address}${target}`, { agent, headers }, (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
      })
      sent.on('error', reject)
      sent.end()
    })
  const askOn = async (address: string): Promise<number> => {
    for (;;) {
      const status = await ask(address)
      if (status !== 503) return status
      await sleep(againMs)
    }
  }
  const all = Array.from({ length: calls }, (_, call) => askOn(addresses[call % addresses.length]!))
  const counts = new Map<number, number>()
  for (const status of await Promise.all(all)) counts.set(status, (counts.get(status) ?? 0) + 1)
  agent.destroy()
  return counts
}
