/** Snapshots that are damaged in every way, announced under load: no request fails. */
import { describe, expect, it } from 'vitest'
import {
  announce,
  loadSnapshot,
  pathOf,
  publish,
} from '../../../../src/snapshot/store/directory.ts'
import { dropped, mutations } from '../../../support/mutations.ts'
import {
  askAll,
  newScene,
  oneThread,
  operate,
  readinessOf,
  swapTo,
} from '../../../support/operated.ts'

describe('a damaged snapshot', () => {
  it('of any kind is refused and counted, and the service answers throughout', async () => {
    const scene = newScene()
    const service = await operate(scene.directory, oneThread)
    const { stop } = askAll(service, scene.words, 2)
    const target = loadSnapshot(pathOf(scene.directory, scene.second))
    let refusals = 0
    for (const mutation of mutations(target, 22)) {
      const id = dropped(scene.directory, mutation, refusals)
      announce(scene.directory, id)
      refusals += 1
      await readinessOf(service).toMatchObject({
        snapshot_id: scene.first,
        refusals,
        last_refusal: { message: expect.stringContaining(id) },
      })
    }
    publish(scene.directory, target)
    await swapTo(service, scene, scene.second)
    expect([...(await stop()).keys()].sort()).toEqual([scene.first, scene.second].sort())
    await readinessOf(service).toMatchObject({ refusals, thread_deaths: 0 })
  })
})
