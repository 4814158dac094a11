/** No failure of the proxies' own, however long connections have been idle. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { targets } from '../../support/operated.ts'
import {
  isInstalled,
  operateBehind,
  type ProxyName,
  proxyNames,
  statusOf,
} from '../../support/servers/proxy.ts'

/** How often everybody asks at once, and how many seconds after the time before. */
const gapsSeconds = [0, 5, 6, 7, 7.5, 8, 9, 9.5, 11, 15]
const clients = 1_000

/** Many clients with a connection each, which stays open, ask at once after each gap. */
async function statusesAfterGaps(name: ProxyName): Promise<ReadonlyMap<number, number>> {
  const { behind, port } = await operateBehind(name)
  const agents = Array.from(
    { length: clients },
    () => new Agent({ keepAlive: true, maxSockets: 1 }),
  )
  const statuses = new Map<number, number>()
  for (const seconds of gapsSeconds) {
    await sleep(seconds * 1_000)
    const asked = agents.map(async (agent, index) => {
      const path = targets[index % targets.length]!
      const status = await statusOf({ agent, port, path, headers: behind.headers })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    })
    await Promise.all(asked)
  }
  for (const agent of agents) agent.destroy()
  return statuses
}

describe('behind each of them', () => {
  it('10,000 requests with gaps of 5 to 15 s are all answered', async () => {
    const all = await Promise.all(proxyNames.filter(isInstalled).map(statusesAfterGaps))
    for (const statuses of all) {
      expect([...statuses]).toEqual([[200, clients * gapsSeconds.length]])
    }
  })
})
