/** The service under attack, on one thread: the attacked thread is the one that answers. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Child, Children } from '../processes/children.ts'
import { booksOf } from '../processes/ledger-books.ts'
import { endBy } from '../processes/service.ts'
import { readStarted } from '../started.ts'

export interface Surroundings {
  readonly words?: readonly string[]
  readonly variables?: Readonly<Record<string, string>>
  /** The directory of the snapshot; the sample where absent. */
  readonly snapshots?: string
}

export interface Victim {
  readonly child: Child
  readonly pid: number
  readonly port: number
  /** Of the account `default`, whose 50 USD last for all attacks. */
  readonly key: string
}

const program = resolve('dist/main.js')

/** What is loaded and compiled at the first requests belongs to rest. */
const warmUps = 20

export async function startVictim(
  children: Children,
  data: string,
  { words = [], variables = {}, snapshots = 'snapshots' }: Surroundings,
): Promise<Victim> {
  const pairs = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const places = ['--data', data, '--snapshots', resolve(snapshots)]
  const cheap = ['search', 'match'].flatMap((route) => ['--price', `${route}=0.000001`])
  const fixed = ['serve', '--port', '0', '--threads', '1', '--json', ...places, ...cheap]
  const args = [...pairs, process.execPath, program, ...fixed, ...words]
  const child = children.start({ name: 'the service', command: '/usr/bin/env', args })
  const { port, key = '' } = readStarted(await child.firstLine())
  await warmUp({ port, key })
  return { child, pid: child.process.pid!, port, key }
}

export function askVictim(
  { port, key }: Pick<Victim, 'port' | 'key'>,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, ...init.headers }
  return fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers })
}

export const mcpHeaders = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
}

/** A tool call; one without a query costs nothing. */
export function mcpCall(argumentsJson: string): RequestInit {
  const params = `{"name":"search_authorities","arguments":${argumentsJson}}`
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
  return { method: 'POST', headers: mcpHeaders, body }
}

async function warmUp(victim: Pick<Victim, 'port' | 'key'>): Promise<void> {
  for (let count = 0; count < warmUps; count += 1) {
    for (const path of ['/healthz', '/openapi.json', '/metrics']) {
      await (await askVictim(victim, path)).arrayBuffer()
    }
    await (await askVictim(victim, '/mcp', mcpCall('{}'))).arrayBuffer()
  }
}

export async function untilReady(victim: Victim): Promise<void> {
  await victim.child.until(async () => (await askVictim(victim, '/readyz')).ok)
}

/** From now on its peak is counted anew. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** Ends it in order. @throws Error when its books do not balance. */
export async function chargedBy({ child }: Victim, data: string): Promise<number> {
  await endBy('SIGTERM', child)
  return (await booksOf(data)).queriesCharged
}
