/** A Redis cluster of six processes of Debian's redis-server: three masters, each with a replica. Its user stops it. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../operated.ts'
import { freePort } from '../processes/free-port.ts'

/** A node of a cluster. */
export interface RedisNode {
  readonly port: number
  readonly process: ChildProcess
}

/** A cluster that runs. */
export interface RedisCluster {
  readonly nodes: readonly RedisNode[]
  /** The address of a tail in it. */
  readonly uri: string
  /** Runs redis-cli; resolves with its output. */
  readonly ask: (...words: readonly string[]) => Promise<string>
  readonly stop: () => Promise<void>
}

const processes = 6
/** How long a node has to be silent until the others take its replica instead, ms. */
const nodeTimeoutMs = 1_000

const run = promisify(execFile)

/** Whether Debian's package is here. */
export function hasRedis(): boolean {
  const isInstalled = spawnSync('redis-server', ['--version']).status === 0
  if (!isInstalled) console.error('skipped: no Redis (apt-get install redis-server)')
  return isInstalled
}

/** Starts a cluster and waits until it serves all slots. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const directory = mkdtempSync(join(tmpdir(), 'redis-'))
  const nodes: RedisNode[] = []
  for (let number = 0; number < processes; number += 1) nodes.push(await startNode(directory))
  const ask = async (...words: readonly string[]) => (await run('redis-cli', [...words])).stdout
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`)
  await until(() => answers(nodes))
  await ask('--cluster', 'create', ...hosts, '--cluster-replicas', '1', '--cluster-yes')
  await until(async () => {
    const states = await Promise.all(nodes.map((node) => ask(...portOf(node), 'cluster', 'info')))
    const roles = await Promise.all(nodes.map((node) => ask(...portOf(node), 'role')))
    const linked = roles.filter((role) => role.includes('connected')).length
    return states.every((state) => state.includes('cluster_state:ok')) && linked >= processes / 2
  })
  const stop = async () => {
    for (const { process } of nodes) {
      const isRunning = process.exitCode === null && process.signalCode === null
      if (isRunning && process.kill('SIGKILL')) await once(process, 'exit')
    }
    rmSync(directory, { recursive: true, force: true })
  }
  return { nodes, uri: `redis://${hosts.join(',')}`, ask, stop }
}

/** The words of redis-cli that ask a node. */
export function portOf({ port }: RedisNode): string[] {
  return ['-p', String(port)]
}

async function answers(nodes: readonly RedisNode[]): Promise<boolean> {
  const pings = nodes.map((node) =>
    run('redis-cli', [...portOf(node), 'ping']).catch(() => ({ stdout: '' })),
  )
  return (await Promise.all(pings)).every(({ stdout }) => stdout.startsWith('PONG'))
}

async function startNode(directory: string): Promise<RedisNode> {
  const port = await freePort()
  const bus = { 'cluster-enabled': 'yes', 'cluster-port': await freePort() }
  const place = join(directory, String(port))
  mkdirSync(place)
  const settings = { port, bind: '127.0.0.1', ...bus, save: '', appendonly: 'no' }
  const words = Object.entries({ ...settings, 'cluster-node-timeout': nodeTimeoutMs }).flatMap(
    ([name, value]) => [`--${name}`, String(value)],
  )
  const child = spawn('redis-server', words, { cwd: place, stdio: 'ignore' })
  return { port, process: child }
}
