/** Signals and syncs that were held back, as seen from outside the process. */

import { renameSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { announce } from '../../../../src/snapshot/store/directory.ts'
import { heldBack, syncedAtMs } from '../../../../src/snapshot/store/states.ts'
import { newScene, oneThread, operate, until, untilServed } from '../../../support/operated.ts'
import { metricOf } from '../../../support/prometheus.ts'

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

describe('a sync that was held back', () => {
  it('is told in /readyz, in the metrics and in the log, until it is no more', async () => {
    const scene = newScene()
    const service = await operate(scene.directory, [...oneThread, '--poll-interval', '1'])
    expect(await service.readiness()).toMatchObject({ held_back: null })
    const held = { reason: 'names: 99.0 % changed', at: '2026-11-01T00:00:00.000Z' }
    heldBack.write(scene.directory, { ...held, sourceFingerprint: '' })
    const metric = (name: string) => metricOf(service, `sync_${name}`)
    syncedAtMs.write(scene.directory, Date.parse(held.at))
    await until(async () => (await metric('held_back')) === 1)
    await expect.poll(() => service.readiness()).toMatchObject({ last_sync: held.at })
    expect(await metric('age_seconds')).toBeGreaterThanOrEqual(0)
    await until(async () => JSON.stringify(await service.readiness()).includes(held.at))
    // Either of two threads may answer.
    await expect.poll(() => service.readiness()).toMatchObject({ ready: true, held_back: held })
    await until(() => service.errors().includes('"event":"sync-held-back"'))
    heldBack.remove(scene.directory)
    await until(async () => (await metric('held_back')) === 0)
  })
})
