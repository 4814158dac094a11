import { expect } from 'vitest'
import { askAll, newScene, operate, readinessOf, swapTo, until } from './operated.ts'

/** Expects that six swaps under load fail no request and mix no answer, with these words of `serve`. */
export async function expectSixSwapsUnderLoad(words: readonly string[]): Promise<void> {
  const scene = newScene()
  const service = await operate(scene.directory, words)
  const { stop, seen } = askAll(service, scene.words, 8)
  for (let swap = 1; swap <= 6; swap += 1) {
    const id = swap % 2 === 1 ? scene.second : scene.first
    await swapTo(service, scene, id)
    const before = seen.get(id) ?? 0
    await until(() => (seen.get(id) ?? 0) > before + 20)
  }
  expect([...(await stop()).keys()].sort()).toEqual([scene.first, scene.second].sort())
  await readinessOf(service).toMatchObject({ swaps: 6, refusals: 0, thread_deaths: 0 })
}
