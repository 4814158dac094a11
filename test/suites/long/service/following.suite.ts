/** Pins, signals, damaged starts, dying threads and directories that go, as seen from outside the process. */

import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { announce, pathOf, publish } from '../../../../src/snapshot/store/directory.ts'
import { heldBack, syncedAtMs } from '../../../../src/snapshot/store/states.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import {
  newScene,
  type Operated,
  oneThread,
  operate,
  peopleNamed,
  readinessOf,
  type Scene,
  swapTo,
  targets,
  until,
  untilServed,
} from '../../../support/operated.ts'
import { run } from '../../../support/program.ts'

describe('a damaged snapshot', () => {
  it('that is announced at the start is passed over for the last whole one before, loudly', async () => {
    const scene = newScene()
    announce(scene.directory, scene.second)
    utimesSync(pathOf(scene.directory, scene.first), 2_000, 2_000)
    utimesSync(pathOf(scene.directory, scene.second), 1_000, 1_000)
    const damaged = peopleNamed('Third')
    publish(scene.directory, damaged)
    const path = pathOf(scene.directory, damaged.header.id)
    writeFileSync(path, readFileSync(path).subarray(0, -1))
    announce(scene.directory, damaged.header.id)
    const service = await operate(scene.directory, oneThread)
    expect(service.snapshotId).toBe(scene.second)
    // What it says on stderr may arrive behind what it says on stdout or by HTTP, here and below.
    await until(() => service.errors().includes(`ATTENTION: serving ${scene.second}`))
    expect(service.errors()).toContain(`${path}: `)
    expect(await service.readiness()).toMatchObject({ ready: true, refusals: 1 })
  })
})

describe('a pin', () => {
  it('holds a running service, and lets it go', async () => {
    const scene = newScene()
    const { directory, first, second } = scene
    const service = await operate(directory, oneThread)
    const snapshot = (...words: string[]) => run(['snapshot', ...words, '--snapshots', directory])
    expect((await snapshot('pin', first)).exitCode).toBe(0)
    await until(async () => (await service.readiness()).pinned)
    announce(directory, second)
    // A hold cannot be waited for, but what comes after it can: the service has looked by then.
    expect((await snapshot('pin', second)).exitCode).toBe(0)
    await untilServed(service, second)
    expect((await snapshot('pin', first)).exitCode).toBe(0)
    await untilServed(service, first)
    await readinessOf(service).toMatchObject({ swaps: 2 })
    expect((await snapshot('unpin')).exitCode).toBe(0)
    await untilServed(service, second)
    await readinessOf(service).toMatchObject({ pinned: false, swaps: 3 })
  })
})

describe('SIGHUP', () => {
  it('makes the service look at once where no event tells of a change', async () => {
    const scene = newScene()
    const service = await operate(scene.directory, [...oneThread, '--poll-interval', '3600'])
    // Events come from the directory that was there at the start, not from one put in its place.
    renameSync(scene.directory, `${scene.directory}-before`)
    const other = newScene(scene.directory)
    announce(other.directory, other.second)
    expect((await service.readiness()).snapshot_id).toBe(scene.first)
    service.child.kill('SIGHUP')
    await untilServed(service, scene.second)
  })
})

async function mortal(scene: Scene): Promise<{ service: Operated; order: string }> {
  const order = join(temporaryDirectory(), 'kill')
  const service = await operate(scene.directory, [], {
    nodeWords: [
      '--import',
      join(import.meta.dirname, '..', '..', '..', 'support', 'thread-killer.mjs'),
    ],
    variables: { KILL_THREADS: order },
  })
  return { service, order }
}

describe('a serving thread that dies', () => {
  it('is logged, counted and replaced, and every new connection is answered', async () => {
    const scene = newScene()
    const { service, order } = await mortal(scene)
    for (let deaths = 1; deaths <= 3; deaths += 1) {
      writeFileSync(`${order}.one`, '')
      await until(async () => {
        // The connection of this question may be the one that dies.
        const readiness = await service.readiness().catch(() => undefined)
        return readiness?.thread_deaths === deaths
      })
    }
    await until(() => service.errors().includes('killed by the test'))
    await swapTo(service, scene, scene.second)
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const headers = { ...service.headers, connection: 'close' }
        const target = targets[index % targets.length]
        const { status, headers: answered } = await fetch(`${service.address}${target}`, {
          headers,
        })
        return [status, answered.get('x-snapshot-id')]
      }),
    )
    expect(answers).toEqual(answers.map(() => [200, scene.second]))
    await readinessOf(service).toMatchObject({ threads: 2, thread_deaths: 3 })
  })

  it('again and again ends the service with 1', async () => {
    const { service, order } = await mortal(newScene())
    writeFileSync(`${order}.all`, '')
    const { exitCode, signal, stderr } = await service.ended
    expect([exitCode, signal]).toEqual([1, null])
    expect(stderr).toContain('more than 5 serving threads died within 60 s')
  })
})

describe('a snapshot directory that is gone', () => {
  it('ends nothing: the service goes on and follows when it is back', async () => {
    const scene = newScene()
    const service = await operate(scene.directory, [...oneThread, '--poll-interval', '1'])
    renameSync(scene.directory, `${scene.directory}-before`)
    writeFileSync(scene.directory, 'not a directory')
    await until(() => service.errors().includes('cannot be read'))
    expect((await service.readiness()).snapshot_id).toBe(scene.first)
    rmSync(scene.directory)
    const other = newScene(scene.directory)
    await swapTo(service, other, other.second)
  })
})

describe('a sync that was held back', () => {
  it('is told in /readyz, in the metrics and in the log, until it is no more', async () => {
    const scene = newScene()
    const service = await operate(scene.directory, [...oneThread, '--poll-interval', '1'])
    expect(await service.readiness()).toMatchObject({ held_back: null })
    const held = { reason: 'names: 99.0 % changed', at: '2026-11-01T00:00:00.000Z' }
    heldBack.write(scene.directory, { ...held, sourceFingerprint: '' })
    const figures = async () => (await fetch(`${service.address}/metrics`)).text()
    const metric = async () => /^authority_index_sync_held_back (\d)$/m.exec(await figures())?.[1]
    syncedAtMs.write(scene.directory, Date.parse(held.at))
    await until(async () => (await metric()) === '1')
    await expect.poll(() => service.readiness()).toMatchObject({ last_sync: held.at })
    expect(await figures()).toMatch(/^authority_index_sync_age_seconds \d/m)
    await until(async () => JSON.stringify(await service.readiness()).includes(held.at))
    // Either of two threads may answer.
    await expect.poll(() => service.readiness()).toMatchObject({ ready: true, held_back: held })
    await until(() => service.errors().includes('"event":"sync-held-back"'))
    heldBack.remove(scene.directory)
    await until(async () => (await metric()) === '0')
  })
})
