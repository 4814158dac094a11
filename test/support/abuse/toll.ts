/**
 * What an attack takes of the service: memory above rest, the waits of a bystander, and whether the books hold
 * what the bystander was answered, no more.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Children } from '../processes/children.ts'
import type { Attack, AttackSize, Place, Scene, Seen } from './attack.ts'
import { chargedBy, forgetPeak, memoryOf, startVictim } from './victim.ts'

const tollBytesMax = 256 << 20

/** What one bystander of a hundred may wait at most. */
export const waitMsMax = 1_000

interface Toll {
  readonly aboveRestBytes: number
  /** How long the bystander has waited for each of its answers, the longest last. */
  readonly waitsMs: readonly number[]
  /**
   * What it was answered, and how often; `none` for a connection that was cut, `again` for a kept
   * one that had ended and was asked anew.
   */
  readonly statuses: Readonly<Record<string, number>>
  readonly charged: number
  readonly seen: Seen
}

const answersMin = 50

type Told = Pick<Toll, 'waitsMs' | 'statuses'>

interface TollOptions {
  readonly size: AttackSize
  readonly signal: AbortSignal
}

/**
 * @throws Error when the service is gone, its books do not balance, or the attack is not answered as it should be.
 */
export async function tollOf(attack: Attack, { size, signal }: TollOptions): Promise<Toll> {
  const children = new Children(signal)
  const place = { data: join(children.directory, 'data'), directory: children.directory }
  mkdirSync(place.data)
  const surroundings = attack.prepare?.(place) ?? {}
  try {
    return await exact(attack, place, children, { size, surroundings })
  } finally {
    await children.close()
  }
}

async function exact(
  attack: Attack,
  place: Place,
  children: Children,
  { size, surroundings }: Pick<Scene, 'size'> & { surroundings: object },
): Promise<Toll> {
  const program = new URL('./bystander-program.ts', import.meta.url)
  const bystander = children.startScript('the bystander', program, [])
  const service = await startVictim(children, place.data, surroundings)
  const { port, key } = service
  const tell = (word: string) => bystander.ask<Told>({ tell: word, port, key, answersMin })
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
