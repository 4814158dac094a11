/** The follower over real files: what it serves, what it refuses, and that it never gives up. */
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ActiveSnapshot, activate } from '../../../src/api/active-snapshot.ts'
import { Refusal } from '../../../src/problems.ts'
import { Follower } from '../../../src/service/follower.ts'
import type * as LoaderModule from '../../../src/service/loader.ts'
import { writeSnapshot } from '../../../src/snapshot/file.ts'
import { announce, loadStored, pathOf, publish } from '../../../src/snapshot/store/directory.ts'
import { heldBack, pointers } from '../../../src/snapshot/store/states.ts'
import { ask, newApi } from '../../support/api-client.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { newScene, targets, until, wordOf } from '../../support/operated.ts'
import { numbered, published } from '../../support/published.ts'
import { contradictory, fixtureSnapshot } from '../../support/snapshot-fixture.ts'

type FollowerOptions = ConstructorParameters<typeof Follower>[0]

class Stage {
  readonly loads: string[] = []
  readonly lines: string[] = []
  served: ActiveSnapshot | undefined
  /** What the next load throws instead of loading. */
  failure: Error | undefined
  afterLoad: () => void = () => {}
  readonly follower: Follower

  constructor(announcing: string, example?: string, changes?: FollowerOptions['changes']) {
    this.follower = new Follower({
      directory: announcing,
      example,
      ...(changes && { changes }),
      load: async (id, directory) => {
        this.loads.push(id)
        if (this.failure !== undefined) throw this.failure
        const loaded = { ...loadStored(directory, id), writtenAtMs: 2_000 }
        this.afterLoad()
        return loaded
      },
      serve: async (snapshot) => {
        this.served = activate(snapshot)
      },
      report: (line) => this.lines.push(line),
      clock: () => 1_000,
    })
    onTestFinished(() => this.follower.stop())
  }
}

/** A directory with so many snapshots of which the first is announced, and their ids. */
function announced(count: number): { directory: string; ids: string[] } {
  const made = published(count)
  announce(made.directory, made.ids[0]!)
  return made
}

/** A follower that serves the first of so many. */
async function started(count: number) {
  const { directory, ids } = announced(count)
  const stage = new Stage(directory)
  await stage.follower.start()
  return { directory, ids, stage }
}

function damage(directory: string, id: string): void {
  const path = pathOf(directory, id)
  writeFileSync(path, readFileSync(path).subarray(0, -1))
}

/** Puts files into a directory that none may serve: cut short, with another bit, and of sections that contradict each other. */
function unservable(directory: string): string[] {
  const [short, flipped] = [1, 2].map((number) => {
    return publish(directory, numbered(number)).snapshot.header.id
  })
  damage(directory, short!)
  const bytes = readFileSync(pathOf(directory, flipped!))
  bytes[bytes.length - 1]! ^= 1
  writeFileSync(pathOf(directory, flipped!), bytes)
  const wrong = contradictory()
  writeSnapshot(pathOf(directory, wrong.header.id), wrong)
  return [short!, flipped!, wrong.header.id]
}

describe('a follower with an example', () => {
  it('serves it while no directory announces anything, and then what is announced', async () => {
    const example = announced(1)
    const directory = join(temporaryDirectory(), 'snapshots')
    const stage = new Stage(directory, example.directory)
    await stage.follower.start()
    stage.follower.follow(1_000)
    await stage.follower.look()
    expect(stage.follower.state).toMatchObject({ served: { id: example.ids[0] }, swaps: 0 })
    const own = numbered(7)
    publish(directory, own)
    announce(directory, own.header.id)
    await stage.follower.look()
    expect(stage.follower.state).toMatchObject({ served: { id: own.header.id }, swaps: 1 })
    expect(stage.lines).toEqual([`serving snapshot ${own.header.id}`])
  })

  it('serves what is announced, where anything is', async () => {
    const { directory, ids } = announced(2)
    const stage = new Stage(directory, announced(1).directory)
    await stage.follower.start()
    expect(stage.follower.state.served?.id).toBe(ids[0])
  })
})

describe('a follower refuses', () => {
  it('damaged files, and serves what it had throughout', async () => {
    const { directory, first, words } = newScene()
    const stage = new Stage(directory)
    const { follower } = stage
    await follower.start()
    const api = newApi(stage.served)
    for (const [index, id] of unservable(directory).entries()) {
      announce(directory, id)
      await follower.look()
      expect(follower.state).toMatchObject({ served: { id: first }, refusals: index + 1 })
      expect(follower.state.lastRefusal?.message).toContain(id)
      for (const target of targets) expect(wordOf(ask(api, target).text)).toBe(words[first])
    }
    expect(stage.lines.length).toBe(3)
    const { id } = publish(directory, fixtureSnapshot()).snapshot.header
    announce(directory, id)
    await follower.look()
    expect(follower.state).toMatchObject({ served: { id }, swaps: 1 })
  })

  it('a file once, and tries another file of the same name', async () => {
    const { directory, ids } = announced(2)
    const whole = readFileSync(pathOf(directory, ids[1]!))
    const stage = new Stage(directory)
    await stage.follower.start()
    damage(directory, ids[1]!)
    announce(directory, ids[1]!)
    for (let look = 0; look < 5; look += 1) await stage.follower.look()
    expect(stage.loads).toEqual([ids[0], ids[1]])
    expect(stage.follower.state).toMatchObject({ refusals: 1, served: { id: ids[0] }, swaps: 0 })
    writeFileSync(pathOf(directory, ids[1]!), whole)
    await stage.follower.look()
    expect(stage.follower.state).toMatchObject({ refusals: 1, served: { id: ids[1] }, swaps: 1 })
  })

  it('a file that is not there, until it is', async () => {
    const { directory, ids, stage } = await started(1)
    announce(directory, numbered(7).header.id)
    await stage.follower.look()
    await stage.follower.look()
    expect(stage.follower.state).toMatchObject({ refusals: 1, served: { id: ids[0] } })
    publish(directory, numbered(7))
    await stage.follower.look()
    expect(stage.follower.state.served?.id).toBe(numbered(7).header.id)
  })

  it('nothing for good that failed for another reason than the file', async () => {
    const { directory, ids, stage } = await started(2)
    announce(directory, ids[1]!)
    stage.failure = new Error('the loading thread ended')
    await stage.follower.look()
    expect(stage.follower.state.lastRefusal?.message).toBe('the loading thread ended')
    stage.failure = undefined
    await stage.follower.look()
    expect(stage.follower.state).toMatchObject({ served: { id: ids[1] }, refusals: 1 })
  })
})

describe('a follower starts', () => {
  it('on the newest whole snapshot when the announced one is damaged, and says so', async () => {
    const { directory, ids } = announced(4)
    ids.forEach((id, age) => {
      if (age < 2) damage(directory, id)
      utimesSync(pathOf(directory, id), 1_000 - age, 1_000 - age)
    })
    const stage = new Stage(directory)
    await stage.follower.start()
    expect(stage.follower.state).toMatchObject({ served: { id: ids[2] }, refusals: 2, swaps: 0 })
    expect(stage.lines.at(-1)).toBe(
      `ATTENTION: serving ${ids[2]}, the newest whole snapshot, not what is announced`,
    )
  })

  it('not at all when there is nothing whole', async () => {
    const { directory, ids } = announced(2)
    for (const id of ids) damage(directory, id)
    const starting = new Stage(directory).follower.start()
    await expect(starting).rejects.toThrow(Refusal)
    await expect(starting).rejects.toMatchObject({ code: 'snapshot-missing' })
  })
})

describe('a follower follows', () => {
  it('what is announced, as soon as an event comes of it', async () => {
    const { directory, ids, stage } = await started(3)
    stage.follower.follow(3_600_000)
    for (const id of [ids[1]!, ids[2]!, ids[0]!]) {
      announce(directory, id)
      await until(() => stage.follower.state.served?.id === id)
    }
    expect(stage.follower.state.swaps).toBe(3)
  })

  it('by looking every so often where there is nothing to watch', async () => {
    const { directory, ids, stage } = await started(2)
    renameSync(directory, `${directory}-elsewhere`)
    stage.follower.follow(5)
    expect(stage.lines).toEqual([expect.stringMatching(/^looking only every 5 ms: .*ENOENT/)])
    mkdirSync(directory)
    copyFileSync(pathOf(`${directory}-elsewhere`, ids[1]!), pathOf(directory, ids[1]!))
    announce(directory, ids[1]!)
    await until(() => stage.follower.state.served?.id === ids[1])
  })

  it('the pinned one as long as there is a pin', async () => {
    const { directory, ids } = announced(3)
    const { follower } = new Stage(directory)
    await follower.start()
    pointers.PINNED.write(directory, ids[1]!)
    announce(directory, ids[2]!)
    await follower.look()
    expect(follower.state).toMatchObject({ served: { id: ids[1] }, pinned: true })
    pointers.PINNED.remove(directory)
    await follower.look()
    expect(follower.state).toMatchObject({ served: { id: ids[2] }, pinned: false, swaps: 2 })
  })

  it('on after a directory that could not be read, and reports it once', async () => {
    const { directory, ids, stage } = await started(2)
    renameSync(directory, `${directory}-before`)
    writeFileSync(directory, 'not a directory')
    for (let look = 0; look < 3; look += 1) await stage.follower.look()
    expect(stage.lines).toEqual([expect.stringContaining(`${directory} cannot be read: `)])
    rmSync(directory)
    renameSync(`${directory}-before`, directory)
    announce(directory, ids[1]!)
    await stage.follower.look()
    expect(stage.follower.state.served?.id).toBe(ids[1])
  })

  it('the last of many announcements, however many come while it loads', async () => {
    const { directory, ids, stage } = await started(5)
    const looks = ids.map((id) => {
      announce(directory, id)
      return stage.follower.look()
    })
    await Promise.all(looks)
    await until(() => stage.follower.state.served?.id === ids[4])
    expect(stage.loads.length).toBeLessThan(5)
  })

  it('nothing any more once it is stopped', async () => {
    const { directory, ids, stage } = await started(2)
    stage.follower.follow(1)
    await stage.follower.stop()
    announce(directory, ids[1]!)
    await new Promise((resolve) => setImmediate(resolve))
    expect(stage.loads).toEqual([ids[0]])
  })
})

/** As it was built: a thread cannot be started from TypeScript on every Node.js. */
async function builtLoader(directory: string): Promise<LoaderModule.Loader> {
  const built = join(import.meta.dirname, '..', '..', '..', 'dist', 'loader.js')
  const { Loader }: typeof LoaderModule = await import(built)
  return new Loader(directory, 0, () => 0, false)
}

describe('the loader', () => {
  it('reads a snapshot into the memory of one that is served no more, section by section', async () => {
    const { directory, first, second, words } = newScene()
    const loader = await builtLoader(directory)
    const before = await loader.load(first)
    const served = await loader.load(second)
    await loader.recycle(before, false)
    const after = await loader.load(first)
    const [columns, columnsBefore] = [after, before].map(({ sections }) => Object.entries(sections))
    for (const [index, [name, now]] of columns!.entries()) {
      const [, old] = columnsBefore![index]!
      if (now.length === 0) continue
      now[0]! ^= 1
      expect([name, old[0]]).toEqual([name, now[0]])
      now[0]! ^= 1
    }
    for (const [id, snapshot] of [
      [second, served],
      [first, after],
    ] as const) {
      const api = newApi(activate(snapshot))
      for (const target of targets) expect(wordOf(ask(api, target).text)).toBe(words[id])
    }
  })

  it('leaves no byte of a snapshot of which somebody was removed', async () => {
    const { directory, first } = newScene()
    const loader = await builtLoader(directory)
    const before = await loader.load(first)
    const columns = Object.values(before.sections).map(({ buffer }) => new Uint8Array(buffer))
    const bytes = () => columns.flatMap((column) => [...column])
    expect(bytes().some((byte) => byte !== 0)).toBe(true)
    await loader.recycle(before, true)
    expect(bytes().every((byte) => byte === 0)).toBe(true)
  })

  it('takes no harm, nor does what is served, from files that are refused', async () => {
    const { directory, first, second, words } = newScene()
    const loader = await builtLoader(directory)
    const served = await loader.load(first)
    await loader.recycle(await loader.load(second), false)
    for (const id of unservable(directory)) {
      await expect(loader.load(id)).rejects.toMatchObject({ code: 'snapshot-refused' })
    }
    const api = newApi(activate(served))
    for (const target of targets) expect(wordOf(ask(api, target).text)).toBe(words[first])
    expect((await loader.load(second)).header.id).toBe(second)
  })
})

describe('a sync that was held back', () => {
  const held = { reason: 'names: 100 % changed', at: 'today', sourceFingerprint: '' }

  it('is told of once for each reason, until it is no more', async () => {
    const { directory } = announced(1)
    const stage = new Stage(directory)
    await stage.follower.start()
    expect(stage.follower.state.heldBack).toBeUndefined()
    for (const at of ['today', 'today', 'tomorrow']) {
      heldBack.write(directory, { ...held, at })
      await stage.follower.look()
    }
    expect(stage.follower.state.heldBack).toMatchObject({ reason: held.reason, at: 'tomorrow' })
    expect(stage.lines).toEqual([`a sync was held back: ${held.reason}`])
    heldBack.write(directory, { ...held, reason: 'another' })
    await stage.follower.look()
    expect(stage.lines.length).toBe(2)
    heldBack.remove(directory)
    await stage.follower.look()
    expect(stage.follower.state.heldBack).toBeUndefined()
  })
})

describe('a directory that is taken away', () => {
  it('is reported once, and what it announces when it is back is served', async () => {
    const scene = newScene()
    const stage = new Stage(scene.directory)
    await stage.follower.start()
    renameSync(scene.directory, `${scene.directory}-away`)
    await stage.follower.look()
    await stage.follower.look()
    expect(stage.lines).toEqual([`${scene.directory} is not there: going on with ${scene.first}`])
    expect(stage.follower.state.served?.id).toBe(scene.first)
    mkdirSync(scene.directory)
    await stage.follower.look()
    expect(stage.lines[1]).toBe(
      `${scene.directory} announces no snapshot: going on with ${scene.first}`,
    )
    rmSync(scene.directory, { recursive: true })
    renameSync(`${scene.directory}-away`, scene.directory)
    announce(scene.directory, scene.second)
    await stage.follower.look()
    expect(stage.follower.state.served?.id).toBe(scene.second)
    expect(stage.lines.slice(2)).toEqual([`serving snapshot ${scene.second}`])
  })
})

describe('what a follower tells', () => {
  it('is of the very snapshot that it serves, though its file is gone meanwhile', async () => {
    const { directory, ids, stage } = await started(2)
    stage.afterLoad = () => rmSync(pathOf(directory, ids[1]!))
    announce(directory, ids[1]!)
    const bytes = readFileSync(pathOf(directory, ids[1]!)).length
    await stage.follower.look()
    expect(stage.served?.catalog.id).toBe(ids[1])
    expect(stage.follower.state.served).toMatchObject({ id: ids[1], bytes, madeAtMs: 2_000 })
    expect(stage.follower.state.refusals).toBe(0)
  })
})

describe('files of changes beside the snapshot that is served', () => {
  /** A follower of a directory with two of them, whose first load `meanwhile` comes in between. */
  async function followed(meanwhile: (first: string) => void) {
    const { directory } = announced(1)
    mkdirSync(join(directory, 'changes'))
    const paths = [1, 2].map((n) =>
      join(directory, 'changes', `0000000${n}-${String(n).repeat(32)}-0.msgpack`),
    )
    for (const path of paths) writeFileSync(path, 'x')
    let loads = 0
    const load = async () => {
      loads += 1
      if (loads === 1) meanwhile(paths[0]!)
      return { files: [], broken: loads === 1 ? 'no such file of changes' : undefined } as never
    }
    const take = vi.fn()
    const stage = new Stage(directory, undefined, { load, take })
    await stage.follower.start()
    await stage.follower.look()
    const told = () => [stage.lines.length, take.mock.calls.length]
    return { follower: stage.follower, told }
  }

  it('are not at fault where one expires while it is read: the next look reads those that are left', async () => {
    const { follower, told } = await followed((path) => rmSync(path))
    expect(told()).toEqual([0, 0])
    await follower.look()
    expect(told()).toEqual([0, 1])
  })

  it('are told of, once, where one is there and at fault, and the others are served', async () => {
    const { follower, told } = await followed(() => {})
    await follower.look()
    expect(told()).toEqual([1, 1])
  })
})
