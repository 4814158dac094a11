import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../src/problems.ts'
import { SourceWatch } from '../../../src/sync/watch.ts'

const lookIntervalMs = 500

/** A watch that has just begun to read version 0 of a source. */
async function newScene() {
  const scene = { version: 0, extent: 0, gone: false, nowMs: 0, lines: [] as string[] }
  const stamp = async () => {
    if (scene.gone) throw new Refusal('source-unreadable', 'the folder is gone')
    return { version: `${scene.version} ${scene.extent}`, extent: `${scene.extent}` }
  }
  const report = (line: string) => scene.lines.push(line)
  const watch = new SourceWatch({ source: { stamp }, clock: () => scene.nowMs, report })
  await watch.begin()
  /** Looks for so long, changing something before each look; returns when it was due first. */
  const dueAfter = async (milliseconds: number, change = () => {}) => {
    const startedMs = scene.nowMs
    while (scene.nowMs - startedMs < milliseconds) {
      scene.nowMs += lookIntervalMs
      change()
      if (await watch.isDue()) return scene.nowMs - startedMs
    }
    return undefined
  }
  return { scene, watch, dueAfter }
}

const hourMs = 3_600_000

describe('a watched source is read', () => {
  it('never while nothing changes', async () => {
    const { dueAfter } = await newScene()
    expect(await dueAfter(hourMs)).toBeUndefined()
  })

  it('once it was left alone for a second, and once only', async () => {
    const { scene, watch, dueAfter } = await newScene()
    scene.version = 1
    expect(await dueAfter(hourMs)).toBe(1_500)
    await watch.begin()
    expect(await dueAfter(hourMs)).toBeUndefined()
  })

  it('again when it changed while it was read', async () => {
    const { scene, watch, dueAfter } = await newScene()
    await watch.begin()
    scene.nowMs += 60_000
    scene.version = 1
    expect(await dueAfter(hourMs)).toBe(1_500)
  })

  it('after ten seconds though it is touched all the time', async () => {
    const { scene, dueAfter } = await newScene()
    const touch = () => {
      scene.version += 1
    }
    expect(await dueAfter(hourMs, touch)).toBe(10_500)
  })

  it('never while it grows, which is told once, and when it grows no more', async () => {
    const { scene, dueAfter } = await newScene()
    const grow = () => {
      scene.extent += 1
    }
    expect(await dueAfter(hourMs, grow)).toBeUndefined()
    expect(scene.lines).toEqual([expect.stringContaining('still being written')])
    expect(await dueAfter(hourMs)).toBe(1_000)
  })

  it('when it is there again, and that it is gone is told once each time', async () => {
    const { scene, watch, dueAfter } = await newScene()
    for (const version of [1, 2]) {
      scene.gone = true
      expect(await dueAfter(hourMs)).toBeUndefined()
      scene.gone = false
      scene.version = version
      expect(await dueAfter(hourMs)).toBe(1_500)
      await watch.begin()
    }
    expect(scene.lines).toEqual(Array(2).fill(expect.stringContaining('the folder is gone')))
  })

  it('again after a while when it was not its fault that nothing came of it', async () => {
    const { watch, dueAfter } = await newScene()
    watch.retryLater()
    expect(await dueAfter(hourMs)).toBe(10_000)
    await watch.begin()
    expect(await dueAfter(hourMs)).toBeUndefined()
  })
})
