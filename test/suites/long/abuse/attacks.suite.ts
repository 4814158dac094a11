/**
 * Every attack and accident, small; `ABUSE=full` runs them as they are meant, on a machine at rest. What one takes of the
 * service: memory above rest, the waits of a bystander, and whether the books hold what the bystander was answered, no more.
 */
import { mkdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Attack } from '../../../support/abuse/attack.ts'
import { accidents } from '../../../support/abuse/attacks/accidents.ts'
import { bodyAttacks } from '../../../support/abuse/attacks/bodies.ts'
import { headAttacks } from '../../../support/abuse/attacks/heads.ts'
import { hostileAttacks } from '../../../support/abuse/attacks/hostile.ts'
import { unreadAttacks } from '../../../support/abuse/attacks/unread.ts'
import { chargedBy, forgetPeak, startVictim } from '../../../support/abuse/victim.ts'
import { Children } from '../../../support/processes/children.ts'
import { residentBytes } from '../../../support/processes/proc.ts'

const size = process.env.ABUSE === 'full' ? 'full' : 'tiny'
const attacks = [...unreadAttacks, ...headAttacks, ...bodyAttacks, ...hostileAttacks, ...accidents]

const tollBytesMax = 256 << 20

/** What one bystander of a hundred may wait at most, on a machine at rest. */
const waitMsMax = 1_000

interface Told {
  /** How long the bystander has waited for each of its answers. */
  readonly waitsMs: readonly number[]
  /**
   * What it was answered, and how often; `none` for a connection that was cut, `again` for a kept
   * one that had ended and was asked anew.
   */
  readonly statuses: Readonly<Record<string, number>>
}

interface Toll extends Told {
  readonly aboveRestBytes: number
  readonly charged: number
}

const answersMin = 50

/** @throws Error when the service is gone, its books do not balance, or the attack is not answered as it should be. */
async function tollOf(attack: Attack): Promise<Toll> {
  const children = new Children(new AbortController().signal)
  onTestFinished(() => children.close())
  const { directory } = children
  const data = join(directory, 'data')
  mkdirSync(data)
  const sockets: Socket[] = []
  const program = new URL('../../../support/abuse/bystander-program.ts', import.meta.url)
  const bystander = children.startScript('the bystander', program, [])
  const service = await startVictim(children, data, attack.prepare?.({ data, directory }) ?? {})
  const { port, key, pid } = service
  const tell = (word: string) => bystander.ask<Told>({ tell: word, port, key, answersMin })
  await tell('begin')
  const restBytes = residentBytes(pid).now
  forgetPeak(pid)
  await tell('mark')
  await attack.run({ data, directory, service, size, children, sockets })
  for (const socket of sockets) socket.destroy()
  const told = await tell('leave')
  const aboveRestBytes = Math.max(0, residentBytes(pid).peak - restBytes)
  return { ...told, aboveRestBytes, charged: await chargedBy(service, data) }
}

/** What is wrong with the books and the answers of the bystander; nothing when all is right. */
function wrongsOf(attack: Attack, toll: Toll): string[] {
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
  const sorted = toll.waitsMs.toSorted((a, b) => a - b)
  const waitMs = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0
  if (size === 'full' && waitMs > waitMsMax) wrongs.push(`the bystander waited ${waitMs} ms`)
  return wrongs
}

it.each(attacks)('the service stands $name', async (attack) => {
  const lack = attack.lack?.()
  // The suite prints which attacks this machine cannot run.
  if (lack !== undefined) return console.warn(`not tried, ${attack.name}: ${lack}`)
  expect(wrongsOf(attack, await tollOf(attack))).toEqual([])
})
