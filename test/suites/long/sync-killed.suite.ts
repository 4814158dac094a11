/** A sync that is killed does no harm, wherever it was. */
import type { ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changeEntries, readChain } from '../../../src/snapshot/changes/change-directory.ts'
import { loadSnapshot, pathOf } from '../../../src/snapshot/store/directory.ts'
import { readPointer } from '../../../src/snapshot/store/states.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { cpuSeconds } from '../../support/processes/proc.ts'
import { endOf, type Surroundings, start } from '../../support/program.ts'
import { sourceOf, sync, syncWords } from '../../support/synced.ts'

const killer = join(import.meta.dirname, '..', '..', 'support', 'kill-at-step.mjs')

/** Before the sync that is killed `first` is current; it would announce `second`. */
interface Scene {
  readonly source: string
  readonly before: string
  readonly first: string
  readonly second: string
}

async function newScene(): Promise<Scene> {
  const source = sourceOf(420)
  const before = temporaryDirectory()
  const first = JSON.parse((await sync(sourceOf(400), before)).stdout).id
  const second = JSON.parse((await sync(source, temporaryDirectory())).stdout).id
  return { source, before, first, second }
}

async function attempt(
  scene: Scene,
  surroundings: Surroundings,
  during: (child: ChildProcess) => void = () => {},
) {
  const snapshots = join(temporaryDirectory(), 'snapshots')
  mkdirSync(snapshots)
  cpSync(scene.before, snapshots, { recursive: true })
  const child = start(syncWords(scene.source, snapshots), surroundings)
  during(child)
  return { snapshots, ended: await endOf(child) }
}

/**
 * `CURRENT` must name one of the two, and that one must be whole, with all changes up to it and none
 * behind. Returns which.
 */
function expectWhole({ first, second }: Scene, snapshots: string): string {
  const current = readPointer(snapshots, 'CURRENT') ?? ''
  expect([first, second]).toContain(current)
  expect(loadSnapshot(pathOf(snapshots, current)).header.id).toBe(current)
  const { files, broken } = readChain(snapshots, current)
  expect(broken).toBeUndefined()
  const ids = current === first ? [first] : [first, second]
  expect(files.map(({ header }) => header.id)).toEqual(ids)
  expect(files.map(({ header }) => header.parent)).toEqual([null, first].slice(0, ids.length))
  return current
}

/** Tells how long a process has worked, until it ends: its life, however busy the machine is. */
function watchWork(child: ChildProcess, onWork: (seconds: number) => void): void {
  const timer = setInterval(() => {
    // A process that has ended is there until this one has heard of it.
    if (existsSync(`/proc/${child.pid}/stat`)) onWork(cpuSeconds(child.pid!).own)
  }, 2)
  child.once('exit', () => clearInterval(timer))
}

async function forEachOf(last: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 1
  const worker = async () => {
    while (next <= last) await work(next++)
  }
  await Promise.all([worker(), worker()])
}

describe('a sync that is killed leaves CURRENT on a whole snapshot', () => {
  it('before whichever step it is killed, and the next sync cleans up', {
    timeout: 900_000,
  }, async () => {
    const scene = await newScene()
    const killedAt = (step: number) => ({
      nodeWords: ['--import', killer],
      variables: { KILL_AT_STEP: String(step) },
    })
    const whole = await attempt(scene, killedAt(0))
    const steps = Number(/steps: (\d+)/.exec(whole.ended.stderr)?.[1])
    expect(steps).toBeGreaterThan(10)
    const moments = new Set<string>()
    await forEachOf(steps, async (step) => {
      const { snapshots, ended } = await attempt(scene, killedAt(step))
      expect(ended.signal).toBe('SIGKILL')
      const current = expectWhole(scene, snapshots)
      if (existsSync(`${pathOf(snapshots, scene.second)}.tmp`)) moments.add('half written')
      if (existsSync(pathOf(snapshots, scene.second))) {
        moments.add(current === scene.first ? 'published, not announced' : 'announced')
      }
      if (step % 8 !== 0) return
      expect((await sync(scene.source, snapshots)).exitCode).toBe(0)
      expect(readPointer(snapshots, 'CURRENT')).toBe(scene.second)
      expectWhole(scene, snapshots)
      const left = readdirSync(snapshots, { recursive: true, encoding: 'utf8' })
      expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([])
      expect(changeEntries(snapshots).length).toBe(2)
    })
    expect([...moments].sort()).toEqual(['announced', 'half written', 'published, not announced'])
  })

  it('at 40 moments spread over its life', { timeout: 900_000 }, async () => {
    const scene = await newScene()
    let life = 0
    await attempt(scene, {}, (child) => {
      watchWork(child, (seconds) => {
        life = seconds
      })
    })
    let killed = 0
    await forEachOf(40, async (number) => {
      const { snapshots, ended } = await attempt(scene, {}, (child) => {
        watchWork(child, (seconds) => seconds >= (life * number) / 36 && child.kill('SIGKILL'))
      })
      if (ended.signal === 'SIGKILL') killed += 1
      expectWhole(scene, snapshots)
    })
    expect(killed).toBeGreaterThan(10)
  })
})
