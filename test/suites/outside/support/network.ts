/**
 * An Ethernet for tests: two network namespaces joined by a veth pair with an MTU of 1,500 bytes. Where a namespace
 * cannot be made, a preloaded library has the sockets of clients ask for segments of 1,460 bytes (TCP_MAXSEG) on
 * loopback instead. The next run removes what a killed run left.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './stale.ts'

export interface Ethernet {
  /** The address that a service listens on, and that clients connect to. */
  readonly serviceHost: string
  readonly besideService: readonly string[]
  readonly besideClients: readonly string[]
  readonly notes: readonly string[]
  readonly close: () => void
}

const linkName = 'eth0'
/** No other namespace sees these addresses, so that all runs use the same. */
const serviceHost = '10.213.0.1'
const clientHost = '10.213.0.2'
const nameShape = /^outside-(\d+)-/

/** Makes a new Ethernet. The caller closes it. `OUTSIDE_NETWORK=segments`: the fallback, whatever this machine can do. */
export function openEthernet(): Ethernet {
  if (process.env.OUTSIDE_NETWORK === 'segments') return loopback('namespaces were not asked for')
  removeStale()
  const name = `outside-${process.pid}-${process.hrtime.bigint()}`
  const [service, clients] = [`${name}-s`, `${name}-c`]
  const made: string[] = []
  const close = () => {
    for (const each of made) removeNamespace(each)
  }
  try {
    for (const each of [service, clients]) {
      ip('netns', 'add', each)
      made.push(each)
    }
    const peer = ['peer', 'name', linkName, 'netns', clients]
    ip('link', 'add', linkName, 'mtu', '1500', 'netns', service, 'type', 'veth', ...peer)
    ipIn(clients, 'link', 'set', linkName, 'mtu', '1500')
    bringUp(service, serviceHost)
    bringUp(clients, clientHost)
  } catch (error) {
    close()
    return loopback(error instanceof Error ? error.message.trim() : String(error))
  }
  const notes = ['clients: a network namespace of their own, veth, MTU 1500']
  for (const each of [service, clients]) notes.push(...lackOfOffloads(each))
  return {
    serviceHost,
    besideService: enter(service),
    besideClients: enter(clients),
    notes,
    close,
  }
}

function loopback(reason: string): Ethernet {
  const directory = mkdtempSync(join(tmpdir(), 'outside-segments-'))
  const library = join(directory, 'segments.so')
  const source = join(import.meta.dirname, 'segments.c')
  const words = ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl']
  const isMade = spawnSync('cc', words).status === 0
  const host = '127.0.0.1'
  const what = isMade ? 'TCP_MAXSEG 1460 on loopback' : 'loopback as it is, there is no cc'
  return {
    serviceHost: host,
    besideService: [],
    besideClients: isMade ? ['env', `LD_PRELOAD=${library}`] : [],
    notes: [`clients: ${what} (no namespaces: ${reason})`],
    close: () => rmSync(directory, { recursive: true, force: true }),
  }
}

function ip(...words: string[]): void {
  assertDone(spawnSync(...found('ip', words), { encoding: 'utf8' }), words)
}

/** Not by `ip -n`, which wants to mount and cannot where the root is no mount (chroot). */
function ipIn(namespace: string, ...words: string[]): void {
  assertDone(spawnIn(namespace, 'ip', words), words)
}

function spawnIn(namespace: string, program: string, words: readonly string[]) {
  const [command, ...before] = enter(namespace)
  const [env, args] = found(program, words)
  return spawnSync(command!, [...before, env, ...args], { encoding: 'utf8' })
}

function assertDone(
  { status, stderr, error }: SpawnSyncReturns<string>,
  words: readonly string[],
): void {
  if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${error?.message ?? stderr}`)
}

/** Debian keeps these programs where only root looks. */
function found(program: string, words: readonly string[]): [string, string[]] {
  return ['env', [`PATH=${process.env.PATH}:/usr/sbin:/sbin`, program, ...words]]
}

function enter(namespace: string): string[] {
  return ['nsenter', `--net=/run/netns/${namespace}`]
}

function bringUp(namespace: string, host: string): void {
  ipIn(namespace, 'addr', 'add', `${host}/30`, 'dev', linkName)
  ipIn(namespace, 'link', 'set', linkName, 'up')
  ipIn(namespace, 'link', 'set', 'lo', 'up')
}

/** Has the kernel cut packets before the link, not behind it; says what could not be done. */
function lackOfOffloads(namespace: string): string[] {
  const words = ['-K', linkName, 'tso', 'off', 'gso', 'off', 'gro', 'off']
  const { status, stderr } = spawnIn(namespace, 'ethtool', words)
  if (status === 0) return []
  // Without ethtool, a setting of the link still makes it take one segment at a time.
  const link = ['link', 'set', linkName, 'gso_max_segs', '1']
  const isCut = spawnIn(namespace, 'ip', link).status === 0
  return [`ethtool: ${stderr.trim()}; ${isCut ? 'one segment at a time' : 'offloads are on'}`]
}

/** Ends what still runs in a namespace, and removes the namespace and its link. */
function removeNamespace(name: string): void {
  const pids = spawnSync(...found('ip', ['netns', 'pids', name]), { encoding: 'utf8' }).stdout ?? ''
  for (const pid of pids.split('\n').map(Number)) if (pid > 1) endProcess(pid)
  const { status, stderr } = spawnSync(...found('ip', ['netns', 'delete', name]), {
    encoding: 'utf8',
  })
  // One that was made in another mount namespace can be removed only there.
  if (status !== 0) console.warn(`${name} is left: ${stderr.trim()}`)
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function removeStale(): void {
  for (const name of namespaces()) {
    const owner = nameShape.exec(name)?.[1]
    if (owner !== undefined && !isAlive(Number(owner))) removeNamespace(name)
  }
}

function namespaces(): string[] {
  try {
    return readdirSync('/run/netns')
  } catch {
    // No namespace was ever made here.
    return []
  }
}
