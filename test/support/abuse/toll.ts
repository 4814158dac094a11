/**
 * What an attack takes of the service: memory above rest, the waits of a bystander, and whether the books hold
 * what the bystander was answered, no more.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Children } from '../processes/children.ts'
import { residentBytes } from '../processes/proc.ts'
import type { Attack, AttackSize } from './attack.ts'
import { chargedBy, forgetPeak, startVictim } from './victim.ts'

const tollBytesMax = 256 << 20

/** What one bystander of a hundred may wait at most, on a machine at rest. */
const waitMsMax = 1_000

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
}

const answersMin = 50

type Told = Pick<Toll, 'waitsMs' | 'statuses'>

/**
 * @throws Error when the service is gone, its books do not balance, or the attack is not answered as it should be.
 */
export async function tollOf(attack: Attack, size: AttackSize): Promise<Toll> {
  const children = new Children(new AbortController().signal)
  const { directory } = children
  const data = join(directory, 'data')
  mkdirSync(data)
  const ends: (() => unknown)[] = []
  const endAll = async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    const program = new URL('./bystander-program.ts', import.meta.url)
    const bystander = children.startScript('the bystander', program, [])
    const service = await startVictim(children, data, attack.prepare?.({ data, directory }) ?? {})
    const { port, key, pid } = service
    const tell = (word: string) => bystander.ask<Told>({ tell: word, port, key, answersMin })
    await tell('begin')
    const restBytes = residentBytes(pid).now
    forgetPeak(pid)
    await tell('mark')
    const afterwards = (end: () => unknown) => void ends.push(end)
    await attack.run({ data, directory, service, size, children, afterwards })
    await endAll()
    const { waitsMs, statuses } = await tell('leave')
    const aboveRestBytes = Math.max(0, residentBytes(pid).peak - restBytes)
    const charged = await chargedBy(service, data)
    return { aboveRestBytes, waitsMs: waitsMs.toSorted((a, b) => a - b), statuses, charged }
  } finally {
    await endAll()
    await children.close()
  }
}

/** What is wrong with the books and the answers of the bystander; nothing when all is right. */
export function wrongsOf(attack: Attack, toll: Toll, size: AttackSize): string[] {
  const { 200: served = 0, none: cut = 0, again = 0, free: _, ...refused } = toll.statuses
  const wrongs: string[] = []
  const boughtMax = attack.boughtMax?.(size) ?? 0
  if (served === 0) wrongs.push('the bystander was not served')
  if (toll.charged < served) wrongs.push(`${served} served, ${toll.charged} charged`)
  const chargedMax = served + cut + again + boughtMax
  if (toll.charged > chargedMax) wrongs.push(`${toll.charged} charged, ${chargedMax} sold`)
  const others = Object.keys(refused)
  if (others.length > 0) wrongs.push(`the bystander was answered ${others.join(', ')}`)
  if (cut > 0 && !attack.allowsCuts) wrongs.push(`${cut} connections of it were cut`)
  if (toll.aboveRestBytes > tollBytesMax) wrongs.push('more memory than there may be')
  const waitMs = toll.waitsMs[Math.ceil(toll.waitsMs.length * 0.99) - 1] ?? 0
  if (size === 'full' && waitMs > waitMsMax) wrongs.push(`the bystander waited ${waitMs} ms`)
  return wrongs
}
