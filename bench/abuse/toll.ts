/**
 * What an attack takes of the service: memory above rest, the waits of a bystander, and whether the
 * books are right afterwards: they balance, and hold what the bystander was answered, no more.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Children } from '../../test/support/processes/children.ts'
import type { BenchOptions, BenchSize } from '../shared/bench.ts'
import type { Attack, Place, Scene, Seen } from './attack.ts'
import { type Rounds, type SingleToll, singleTollOf } from './single/processor.ts'
import { boundsMs, singleRequests } from './single/requests.ts'
import {
  askVictim,
  besideAttackers,
  chargedBy,
  forgetPeak,
  memoryOf,
  type Site,
  startVictim,
} from './victim.ts'

/** What no attack may take above rest. */
const tollBytesMax = 256 << 20

/** What one bystander of a hundred may wait at most. */
export const waitMsMax = 1_000

/** What an attack has taken. */
export interface Toll {
  readonly aboveRestBytes: number
  /** How long the bystander has waited for each of its answers, the longest last. */
  readonly waitsMs: readonly number[]
  /**
   * What it was answered, and how often; `none` for a connection that was cut, `again` for a kept
   * one that had ended and was asked anew.
   */
  readonly statuses: Readonly<Record<string, number>>
  /** Queries that the books charge. */
  readonly charged: number
  readonly seen: Seen
}

/** How often the bystander is answered before an attack begins, and after it. */
const answersMin = 50

type Told = Pick<Toll, 'waitsMs' | 'statuses'>

/** How an attack is made. */
interface TollOptions {
  readonly size: BenchSize
  readonly signal: AbortSignal
  readonly site?: Site
}

/**
 * Starts a service, attacks it, and ends it.
 * @throws Error when the service is gone, its books do not balance, or the attack is not answered
 * as it should be.
 */
export async function tollOf(
  attack: Attack,
  { size, signal, site = besideAttackers }: TollOptions,
): Promise<Toll> {
  const children = new Children(signal)
  const place = { data: join(children.directory, 'data'), directory: children.directory }
  mkdirSync(place.data)
  const surroundings = attack.prepare?.(place) ?? {}
  try {
    return await exact(attack, place, children, { size, surroundings, site })
  } finally {
    attack.restore?.(place)
    await children.close()
  }
}

/** Of each single request what it costs a service with so many people: see `single/requests.ts`. */
export async function singleTolls(
  snapshots: string,
  rounds: Rounds,
  { signal, report }: Pick<BenchOptions, 'signal' | 'report'>,
): Promise<SingleToll[]> {
  const children = new Children(signal)
  const data = join(children.directory, 'data')
  mkdirSync(data)
  try {
    const surroundings = { snapshots, words: dearWords }
    const victim = await startVictim(children, data, surroundings, besideAttackers)
    const { key } = victim
    const get = async (target: string) => (await askVictim(victim, target)).text()
    const tolls: SingleToll[] = []
    for (const request of await singleRequests({ key, snapshots, get })) {
      report(request.name)
      tolls.push(await singleTollOf(victim, request, rounds))
    }
    return tolls
  } finally {
    await children.close()
  }
}

/** No limit of another kind answers first, and a batch of a thousand different ones costs more than there is. */
const dearWords = [
  ...['--failed-key-limit', '0', '--lookup-rate-limit', '0'],
  ...['peers', 'history', 'changes'].flatMap((route) => ['--price', `${route}=0.000001`]),
  ...['rank', 'detail'].flatMap((route) => ['--price', `${route}=0.055`]),
]

/** What is wrong with a request that costs so much; nothing when all is right. */
export function singleWrongs(toll: SingleToll): string[] {
  const { name, kind, queries, ms, otherStatuses } = toll
  const wrongs: string[] = []
  const maxMs = boundsMs[kind] * Math.max(1, queries)
  if (ms > maxMs) wrongs.push(`${name} costs ${ms.toFixed(2)} ms, more than ${maxMs}`)
  if (otherStatuses.length > 0) wrongs.push(`${name} was answered ${otherStatuses.join(', ')}`)
  return wrongs
}

async function exact(
  attack: Attack,
  place: Place,
  children: Children,
  { size, surroundings, site }: Pick<Scene, 'size'> & { surroundings: object; site: Site },
): Promise<Toll> {
  const program = new URL('./bystander-program.ts', import.meta.url)
  const bystander = children.startScript('the bystander', program, [])
  const service = await startVictim(children, place.data, surroundings, site)
  const { host, port, key } = service
  const tell = (word: string) => bystander.ask<Told>({ tell: word, host, port, key, answersMin })
  await tell('begin')
  const restBytes = memoryOf(service, 'VmRSS')
  forgetPeak(service)
  await tell('mark')
  const seen = await during(attack, { ...place, service, size, children })
  const { waitsMs, statuses } = await tell('leave')
  const aboveRestBytes = Math.max(0, memoryOf(service, 'VmHWM') - restBytes)
  const charged = await chargedBy(service, place.data)
  return {
    aboveRestBytes,
    waitsMs: waitsMs.toSorted((a, b) => a - b),
    statuses,
    charged,
    seen,
  }
}

/** Runs it, and ends whatever it has opened. */
async function during(attack: Attack, scene: Omit<Scene, 'afterwards'>): Promise<Seen> {
  const ends: (() => unknown)[] = []
  try {
    return await attack.run({ ...scene, afterwards: (end) => void ends.push(end) })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

/** What is wrong with the books and the answers of the bystander; nothing when all is right. */
export function wrongsOf({ allows = 'nothing' }: Attack, toll: Toll): string[] {
  const { 200: served = 0, none: cut = 0, again = 0, free: _, ...refused } = toll.statuses
  const wrongs: string[] = []
  const { boughtMax = 0 } = toll.seen
  if (served === 0) wrongs.push('the bystander was not served')
  if (toll.charged < served) wrongs.push(`${served} served, ${toll.charged} charged`)
  const chargedMax = served + cut + again + boughtMax
  if (toll.charged > chargedMax) wrongs.push(`${toll.charged} charged, ${chargedMax} sold`)
  const allowed = allows === 'refusals' ? ['503'] : []
  const others = Object.keys(refused).filter((status) => !allowed.includes(status))
  if (others.length > 0) wrongs.push(`the bystander was answered ${others.join(', ')}`)
  if (cut > 0 && allows !== 'cut connections') wrongs.push(`${cut} connections of it were cut`)
  if (toll.aboveRestBytes > tollBytesMax) wrongs.push('more memory than there may be')
  return wrongs
}
