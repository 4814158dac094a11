/** Publishers and mirrors over objects in memory: who wins, what is fetched, what is refused. */
import { createHash, randomFillSync } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../src/limits.ts'
import {
  announce,
  listSnapshots,
  pathOf,
  publish,
} from '../../../../src/snapshot/store/directory.ts'
import { Removals, readRemovals } from '../../../../src/snapshot/store/removals.ts'
import { readPointer } from '../../../../src/snapshot/store/states.ts'
import { announcementKey, partKey } from '../../../../src/sync/remote/layout.ts'
import { Mirror, type MirrorState } from '../../../../src/sync/remote/mirror.ts'
import { Publisher } from '../../../../src/sync/remote/publisher.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { MemoryObjects } from '../../../support/objects/memory-objects.ts'
import { numbered, published } from '../../../support/published.ts'

const hour = 3_600_000
const silent = () => {}

function keyOf(bytes: Uint8Array): string {
  return partKey(createHash('sha256').update(bytes).digest('hex'))
}

const keys = new Map<string, string>()

function partOf(id: string): string {
  return keys.get(id)!
}

function filled(count: number): { directory: string; ids: string[] } {
  const { directory, ids } = published(count)
  for (const id of ids) keys.set(id, keyOf(readFileSync(pathOf(directory, id))))
  return { directory, ids }
}

function steadinessOf(lines: string[] = []) {
  return { sleep: async () => {}, random: () => 0, report: (line: string) => void lines.push(line) }
}

function publisherOf(store: MemoryObjects, directory: string, changes = {}) {
  const common = { keep: 1, graceMs: hour, steadiness: steadinessOf(), clock: () => store.nowMs }
  return new Publisher({ store, directory, ...common, ...changes })
}

/** A publisher of so many snapshots, of which the first ones are announced. */
async function sceneOf(count: number, announced = 1) {
  const store = new MemoryObjects()
  const { directory, ids } = filled(count)
  const publisher = publisherOf(store, directory)
  const push = (index: number, behind?: number) => publisher.announce(ids[index]!, silent, behind)
  for (let index = 0; index < announced; index += 1) await push(index)
  return { store, directory, ids, push }
}

function mirrorOf(store: MemoryObjects, changes = {}) {
  const directory = join(temporaryDirectory(), 'mirror')
  const lines: string[] = []
  const slept: number[] = []
  const states: MirrorState[] = []
  const steadiness = {
    ...steadinessOf(lines),
    sleep: async (milliseconds: number) => void slept.push(milliseconds),
  }
  const mirror = new Mirror({
    ...{ store, directory, steadiness, keep: 2, activateAfterMs: 0, clock: () => store.nowMs },
    holding: (_, work) => work(),
    onChange: (state) => states.push(state),
    ...changes,
  })
  const current = () => readPointer(directory, 'CURRENT')
  return { mirror, directory, lines, slept, states, current }
}

describe('a mirror whose directory', () => {
  async function followed() {
    const { store, ids } = await sceneOf(1)
    const scene = mirrorOf(store)
    await scene.mirror.look()
    expect(await scene.mirror.look()).toBe(false)
    return { ...scene, store, id: ids[0]!, path: pathOf(scene.directory, ids[0]!) }
  }

  it('has lost its snapshot fetches it again', async () => {
    const { mirror, path } = await followed()
    rmSync(path)
    expect(await mirror.look()).toBe(true)
    expect(existsSync(path)).toBe(true)
    expect(await mirror.look()).toBe(false)
  })

  it('has lost its pointer announces the snapshot again', async () => {
    const { mirror, directory, id, current } = await followed()
    rmSync(join(directory, 'CURRENT'))
    expect(await mirror.look()).toBe(true)
    expect(current()).toBe(id)
  })

  it('has a damaged snapshot fetches it again when that was refused', async () => {
    const { mirror, path } = await followed()
    const whole = readFileSync(path)
    writeFileSync(path, whole.subarray(0, -1))
    mirror.distrust()
    expect(await mirror.look()).toBe(true)
    expect(readFileSync(path).equals(whole)).toBe(true)
    expect(await mirror.look()).toBe(false)
  })
})

describe('an announcement', () => {
  it('is made when all that it names is there, and found without the hint', async () => {
    const { store, ids, push } = await sceneOf(2)
    const calls = store.calls.filter((call) => /^(create|put)/.test(call))
    expect(calls).toEqual([`put ${partOf(ids[0]!)}`, `create ${announcementKey(1)}`, 'put CURRENT'])
    await push(1)
    store.held.delete('CURRENT')
    const { mirror, current } = mirrorOf(store)
    expect(await mirror.look()).toBe(true)
    expect([current(), mirror.state.number]).toEqual([ids[1], 2])
  })

  it('is not made twice', async () => {
    const { push } = await sceneOf(1, 0)
    expect(await push(0)).toEqual({ number: 1, isNew: true })
    expect(await push(0)).toEqual({ number: 1, isNew: false })
  })

  it('has one winner, whichever step another one comes between', async () => {
    for (let step = 1; step < 12; step += 1) {
      const { store, directory, ids } = await sceneOf(3)
      const rival = publisherOf(store, directory)
      let left = step
      store.before = async () => {
        left -= 1
        if (left === 0) await rival.announce(ids[2]!, silent, 1)
      }
      const end = await publisherOf(store, directory)
        .announce(ids[1]!, silent, 1)
        .catch((error: { code: string; message: string }) => error)
      store.before = silent
      if (left > 0) break
      const { mirror, current } = mirrorOf(store)
      await mirror.look()
      const isOurs = 'isNew' in end
      expect([step, current()]).toEqual([step, isOurs ? ids[1] : ids[2]])
      if (isOurs) continue
      expect(end).toMatchObject({
        code: 'announced-meanwhile',
        message: expect.stringMatching(`snapshot ${ids[2]} as number 2 meanwhile`),
      })
    }
  })

  it('is refused by a store that lets two create one object', async () => {
    const store = new MemoryObjects()
    await publisherOf(store, '').prove()
    expect(store.held.size).toBe(0)
    store.isLax = true
    await expect(publisherOf(store, '').prove()).rejects.toMatchObject({ code: 'storage-refused' })
  })

  it('is refused where it is not the next behind what it was compared with', async () => {
    const { store, push } = await sceneOf(2, 0)
    await push(0, 0)
    const late = push(1, 0)
    await expect(late).rejects.toMatchObject({ code: 'announced-meanwhile' })
    expect(store.held.has(announcementKey(2))).toBe(false)
  })
})

describe('what is not needed any more', () => {
  it('stays for the grace, then goes', async () => {
    const { store, ids, push } = await sceneOf(4)
    store.nowMs += 10 * hour
    await push(1)
    store.nowMs += hour / 2
    await push(2)
    // Superseded half an hour ago, however old it is.
    expect(store.held.has(partOf(ids[0]!))).toBe(true)
    store.nowMs += 2 * hour
    await push(3)
    expect(store.held.has(partOf(ids[0]!))).toBe(false)
    expect(store.held.has(partOf(ids[2]!))).toBe(true)
  })

  it('is written anew where somebody else may be about to remove it', async () => {
    const { store, ids, push } = await sceneOf(2)
    await push(1)
    store.nowMs += hour / 2
    await push(0)
    expect(store.held.get(partOf(ids[0]!))!.modifiedMs).toBe(store.nowMs)
  })

  it('is not what the last announcement names, which is not written anew', async () => {
    const { store, directory, ids, push } = await sceneOf(2, 0)
    const folder = join(directory, 'changes')
    mkdirSync(folder)
    writeFileSync(join(folder, `00000001-${ids[0]}-0.msgpack`), 'one')
    await push(0)
    store.nowMs += 10 * hour
    writeFileSync(join(folder, `00000002-${ids[1]}-0.msgpack`), 'two')
    store.calls.length = 0
    await push(1)
    const uploads = store.calls.filter((call) => call.startsWith('put parts/'))
    const change = (text: string) => keyOf(Buffer.from(text))
    expect(uploads).toEqual([`put ${change('two')}`, `put ${partOf(ids[1]!)}`])
    expect([store.held.has(change('one')), store.held.has(change('two'))]).toEqual([true, true])
  })

  it('goes at once where somebody in it was removed for good', async () => {
    const { store, directory, ids, push } = await sceneOf(2)
    const removals = new Removals('a'.repeat(64), [])
    removals.with({ sdu: '0', handles: [] }, { reason: 'asked', at: '' }).write(directory)
    await push(1)
    expect([...store.held.keys()].filter((key) => key.startsWith('parts/'))).toEqual([
      partOf(ids[1]!),
    ])
    const { mirror, directory: mirrored } = mirrorOf(store)
    await mirror.look()
    // The list travels, its key does not: a mirror serves without, and finds people with it only.
    const published = [...store.held].filter(([key]) => key.startsWith('removed/'))
    expect(published.map(([, { bytes }]) => bytes.includes('a'.repeat(64)))).toEqual([false])
    const list = readRemovals(mirrored)
    expect([list.length, list.digest]).toEqual([1, readRemovals(directory).digest])
    expect(() => list.has('0')).toThrow(`${mirrored}.removal-key`)
    cpSync(`${directory}.removal-key`, `${mirrored}.removal-key`)
    expect(readRemovals(mirrored).has('0')).toBe(true)
  })

  it('is never more than a thousand announcements', async () => {
    const { store, ids, push } = await sceneOf(1)
    const first = store.held.get(announcementKey(1))!
    const count = limits.announcementsKeptMax
    for (let number = 2; number <= count; number += 1) {
      const said = {
        ...JSON.parse(first.bytes.toString()),
        number,
        id: ids[0],
        parts: ['0'.repeat(64)],
      }
      store.held.set(announcementKey(number), {
        ...first,
        bytes: Buffer.from(JSON.stringify(said)),
      })
    }
    await push(0)
    expect(store.held.has(announcementKey(1))).toBe(false)
    expect(store.held.has(announcementKey(2))).toBe(true)
    expect(store.held.has(announcementKey(count + 1))).toBe(true)
  })
})

describe('a mirror', () => {
  it('goes on where it was, and fetches no byte twice', async () => {
    const { store, ids } = await sceneOf(1)
    const { mirror, current } = mirrorOf(store)
    store.bodyBytesMax = 5_000
    await mirror.look()
    expect(current()).toBe(ids[0])
    expect(mirror.state.bytes).toBe(store.held.get(partOf(ids[0]!))!.bytes.length)
  })

  it('goes on behind the parts that are there, whatever follows them', async () => {
    const { store, directory, ids, push } = await sceneOf(1, 0)
    const folder = join(directory, 'changes')
    const name = `00000001-${ids[0]}-0.msgpack`
    const whole = Buffer.alloc(limits.partBytes + 5_000)
    for (const at of [0, limits.partBytes]) randomFillSync(whole, at, 1_000)
    mkdirSync(folder)
    writeFileSync(join(folder, name), whole)
    await push(0)
    const { mirror, directory: mirrored } = mirrorOf(store)
    mkdirSync(join(mirrored, 'changes'), { recursive: true })
    const partial = join(mirrored, 'changes', `${name}.partial`)
    writeFileSync(partial, whole.subarray(0, limits.partBytes))
    appendFileSync(partial, 'of something else')
    await mirror.look()
    expect(readFileSync(join(mirrored, 'changes', name)).equals(whole)).toBe(true)
    const asked = (part: Buffer) => store.calls.includes(`get ${keyOf(part)} 0`)
    const parts = [whole.subarray(0, limits.partBytes), whole.subarray(limits.partBytes)]
    expect(parts.map(asked)).toEqual([false, true])
  })

  it.each([
    ['cut off', (whole: Buffer) => whole.subarray(0, -1)],
    ['empty', () => Buffer.alloc(0)],
    ['changed', (whole: Buffer) => Buffer.from(whole).fill(7, 200, 300)],
    ['another', () => undefined],
    ['missing', () => null],
  ])(
    'refuses a snapshot that is %s, three times, and takes it once it is whole',
    async (_, damage) => {
      const { store, ids, push } = await sceneOf(3)
      const { mirror, current, directory: mirrored } = mirrorOf(store)
      await mirror.look()
      await push(1)
      const key = partOf(ids[1]!)
      const whole = store.held.get(key)!
      const bytes = damage(whole.bytes)
      if (bytes === null) store.held.delete(key)
      else store.held.set(key, { ...whole, bytes: bytes ?? store.held.get(partOf(ids[0]!))!.bytes })
      for (let look = 0; look < 3; look += 1) {
        await expect(mirror.look()).rejects.toMatchObject({
          code: 'object-damaged',
          message: expect.stringContaining(key),
        })
      }
      const fetches = () => store.calls.filter((call) => call.startsWith(`get ${key}`)).length
      const before = fetches()
      await expect(mirror.look()).rejects.toMatchObject({ code: 'object-damaged' })
      expect([current(), fetches()]).toEqual([ids[0], before])
      expect(readdirSync(mirrored).filter((name) => name.includes(ids[1]!))).toEqual([])
      store.held.set(key, whole)
      expect(await mirror.look()).toBe(true)
      expect(current()).toBe(ids[1])
    },
  )

  it('takes a damaged snapshot that was put right while it was being refused', async () => {
    const { store, ids } = await sceneOf(1)
    const key = partOf(ids[0]!)
    const whole = store.held.get(key)!
    const { mirror, current } = mirrorOf(store)
    store.held.set(key, { ...whole, bytes: whole.bytes.subarray(0, -1) })
    for (let look = 0; look < 2; look += 1) await mirror.look().catch(silent)
    // After the third try, a check finds the object whole.
    store.before = (call) => {
      if (call === `head ${key}`) store.held.set(key, whole)
    }
    await expect(mirror.look()).rejects.toMatchObject({ code: 'object-damaged' })
    expect(await mirror.look()).toBe(true)
    expect(current()).toBe(ids[0])
  })

  it('goes on to the next announcement where one is damaged', async () => {
    const { store, ids, push } = await sceneOf(2)
    await store.put(announcementKey(2), Buffer.from('{"format":"x"}'))
    const { mirror, current } = mirrorOf(store)
    const place = `s3://memory/${announcementKey(2)}: format is no announcement`
    await expect(mirror.look()).rejects.toMatchObject({ message: place })
    await push(1)
    expect(await mirror.look()).toBe(true)
    expect([current(), mirror.state.number]).toEqual([ids[1], 3])
  })

  it('takes no name of a file that leads elsewhere, nor one without its parts', async () => {
    const { store, ids } = await sceneOf(1)
    const said = JSON.parse(store.held.get(announcementKey(1))!.bytes.toString())
    const file = { name: '../../evil.msgpack', bytes: 1, parts: ['0'.repeat(64)] }
    const wrong = [
      { changes: [file] },
      { changes: [{ ...file, name: `00000001-${ids[0]}-0.msgpack`, parts: [] }] },
      { id: '../CURRENT' },
      { removals: '../x' },
      { parts: ['../x'] },
    ]
    for (const changed of wrong) {
      await store.put(announcementKey(1), Buffer.from(JSON.stringify({ ...said, ...changed })))
      await expect(mirrorOf(store).mirror.look()).rejects.toMatchObject({ code: 'object-damaged' })
    }
  })

  it('has the files of changes that were announced, and no others', async () => {
    const { store, directory, ids, push } = await sceneOf(1, 0)
    const { mirror, directory: mirrored, lines } = mirrorOf(store)
    const name = (number: number) => `0000000${number}-${ids[0]}-0.msgpack`
    const folder = join(directory, 'changes')
    mkdirSync(folder)
    for (const number of [1, 2]) writeFileSync(join(folder, name(number)), `file ${number}`)
    mkdirSync(join(mirrored, 'changes'), { recursive: true })
    writeFileSync(join(mirrored, 'changes', name(3)), 'of another history')
    await push(0)
    const said = JSON.parse(store.held.get(announcementKey(1))!.bytes.toString())
    store.held.delete(partKey(said.changes[0].parts[0]))
    await mirror.look()
    expect(readdirSync(join(mirrored, 'changes'))).toEqual([name(2)])
    expect(readFileSync(join(mirrored, 'changes', name(2)), 'utf8')).toBe('file 2')
    expect(lines).toEqual([expect.stringContaining('it is not there')])
  })

  it('waits until a fleet is to switch, and for no longer than asked', async () => {
    const { store } = await sceneOf(2)
    store.nowMs += 3_000
    const { mirror, slept } = mirrorOf(store, { activateAfterMs: 10_000 })
    await mirror.look()
    expect(slept).toEqual([7_000])
    store.nowMs += 60_000
    const late = mirrorOf(store, { activateAfterMs: 10_000 })
    await late.mirror.look()
    expect(late.slept).toEqual([])
  })

  it('keeps as many snapshots as it is to, and what is pinned', async () => {
    const { store, ids, push } = await sceneOf(4, 0)
    const { mirror, directory: mirrored } = mirrorOf(store)
    for (const index of ids.keys()) {
      await push(index)
      await mirror.look()
    }
    expect(listSnapshots(mirrored).map(({ id }) => id)).toEqual([ids[3], ids[2]])
  })

  it('fetches nothing that is here already', async () => {
    const { store, ids } = await sceneOf(1)
    const { mirror, directory: mirrored, current } = mirrorOf(store)
    publish(mirrored, numbered(0))
    await mirror.look()
    expect([current(), mirror.state.bytes]).toEqual([ids[0], 0])
    expect(existsSync(pathOf(mirrored, ids[0]!))).toBe(true)
  })

  it('begins anew behind a bucket that was emptied', async () => {
    const { store, ids, push } = await sceneOf(3, 0)
    const { mirror, current } = mirrorOf(store)
    await push(0)
    await push(1)
    await mirror.look()
    store.held.clear()
    expect(await mirror.look()).toBe(false)
    await push(2)
    expect(await mirror.look()).toBe(true)
    expect([current(), mirror.state.number]).toEqual([ids[2], 1])
  })

  it('does not put two lists of removals together that are not of one key', async () => {
    const { store, directory, ids, push } = await sceneOf(1, 0)
    const listOf = (key: string, sdu: string) =>
      new Removals(key, []).with({ sdu, handles: [] }, { reason: 'asked', at: '' })
    listOf('a'.repeat(64), '7').write(directory)
    announce(directory, ids[0]!)
    await push(0)
    const other = mirrorOf(store)
    const same = mirrorOf(store)
    for (const [{ directory: mirrored }, key] of [
      [other, 'b'],
      [same, 'a'],
    ] as const) {
      publish(mirrored, numbered(1))
      listOf(key.repeat(64), '8').write(mirrored)
    }
    await expect(other.mirror.look()).rejects.toMatchObject({ code: 'storage-refused' })
    await same.mirror.look()
    const merged = readRemovals(same.directory)
    expect(['7', '8', '9'].map((sdu) => merged.has(sdu))).toEqual([true, true, false])
  })
})
