import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changeEntries, readChain } from '../../../src/snapshot/changes/change-directory.ts'
import { loadSnapshot, pathOf } from '../../../src/snapshot/store/directory.ts'
import { readPointer } from '../../../src/snapshot/store/states.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { run, type Surroundings } from '../../support/program.ts'
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

async function attempt(scene: Scene, surroundings: Surroundings) {
  const snapshots = join(temporaryDirectory(), 'snapshots')
  mkdirSync(snapshots)
  cpSync(scene.before, snapshots, { recursive: true })
  return { snapshots, ended: await run(syncWords(scene.source, snapshots), surroundings) }
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
})
