/** Swapping under load, pinning, dying threads and shutdown, as seen from outside the process. */
import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { announce, loadSnapshot, pathOf, publish } from '../../src/snapshot/store/directory.ts'
import { removeHeldBack, writeHeldBack } from '../../src/snapshot/store/held-back.ts'
import { temporaryDirectory } from '../support/built.ts'
import { dropped, mutations } from '../support/mutations.ts'
import {
  askAll,
  newScene,
  type Operated,
  operate,
  peopleNamed,
  type Scene,
  targets,
  until,
  wordOf,
} from '../support/operated.ts'
import { run } from '../support/program.ts'

/** Waits until a service serves a snapshot, as `/readyz` tells. */
async function untilServed({ readiness }: Operated, id: string): Promise<void> {
  await until(async () => (await readiness()).snapshot_id === id)
}

/** What `/readyz` tells in the end: a thread hears of a change a moment after another. */
function readinessOf({ readiness }: Operated) {
  return expect.poll(readiness, { timeout: 20_000, interval: 10 })
}

/** Announces a snapshot and waits until the service serves it. */
async function swapTo(service: Operated, { directory }: Scene, id: string): Promise<void> {
  announce(directory, id)
  await untilServed(service, id)
}

/** For what does not depend on the number of threads: a second thread is a quarter of a start. */
const oneThread = ['--threads', '1']

describe('a swap', () => {
  it('under load fails no request and mixes no answer', async () => {
    const scene = newScene()
    const service = await operate(scene.directory)
    const { stop, seen } = askAll(service, scene.words, 8)
    for (let swap = 1; swap <= 6; swap += 1) {
      const id = swap % 2 === 1 ? scene.second : scene.first
      await swapTo(service, scene, id)
      const before = seen.get(id) ?? 0
      await until(() => (seen.get(id) ?? 0) > before + 20)
    }
    expect([...(await stop()).keys()].sort()).toEqual([scene.first, scene.second].sort())
    await readinessOf(service).toMatchObject({ swaps: 6, refusals: 0, thread_deaths: 0 })
  })

  it('is followed by no search for what was asked again and again before it', async () => {
    const scene = newScene()
    const service = await operate(scene.directory, oneThread)
    const textOf = async (path: string) => {
      return (await fetch(`${service.address}${path}`, { headers: service.headers })).text()
    }
    const ask = () => textOf('/api/v1/index?query=person7')
    const searches = async () =>
      /^authority_index_cache_misses_total (\d+)$/m.exec(await textOf('/metrics'))?.[1]
    expect([wordOf(await ask()), wordOf(await ask())]).toEqual(['First', 'First'])
    expect(await searches()).toBe('1')
    await swapTo(service, scene, scene.second)
    expect(wordOf(await ask())).toBe('Second')
    expect(await searches()).toBe('1')
  })

  it('is not made twice for one announcement', async () => {
    const scene = newScene()
    const service = await operate(scene.directory, oneThread)
    await swapTo(service, scene, scene.second)
    announce(scene.directory, scene.second)
    await swapTo(service, scene, scene.first)
    await readinessOf(service).toMatchObject({ swaps: 2 })
  })
})

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
    expect(service.errors()).toContain(`${path}: `)
    expect(service.errors()).toContain(`ATTENTION: serving ${scene.second}`)
    expect(await service.readiness()).toMatchObject({ ready: true, refusals: 1 })
  })

  it('and no other one ends the start with 1 and one line', async () => {
    const directory = temporaryDirectory()
    const places = ['--snapshots', directory, '--data', join(temporaryDirectory(), 'data')]
    const { exitCode, stdout, stderr } = await run(['serve', '--port', '0', ...places])
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `${directory}: no snapshot to serve; publish one with: authority-index sync --source DIR\n`,
    )
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

/** A service whose serving threads die when the test says so. */
async function mortal(scene: Scene): Promise<{ service: Operated; order: string }> {
  const order = join(temporaryDirectory(), 'kill')
  const service = await operate(scene.directory, [], {
    nodeWords: ['--import', join(import.meta.dirname, '..', 'support', 'thread-killer.mjs')],
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
    expect(service.errors()).toContain('killed by the test')
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

/** A connection on which a request was answered, so that the service has accepted it. */
async function connected({ port, headers }: Operated): Promise<Line> {
  const line = new Line(connect(port, '127.0.0.1'), headers.authorization ?? '')
  line.ask(1)
  await until(() => line.answers === 1)
  return line
}

/** Counts the answers on a connection by their beginnings. */
class Line {
  answers = 0
  /** What has come of the last answer, behind its first line. */
  lastAnswer = ''
  closed = false
  readonly #socket: Socket
  readonly #request: string

  constructor(socket: Socket, authorization: string) {
    this.#socket = socket
    const lines = ['Host: localhost', `Authorization: ${authorization}`]
    this.#request = `GET ${targets[0]} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
    socket.setNoDelay(true)
    socket.setEncoding('latin1')
    socket.on('error', () => {})
    socket.on('close', () => {
      this.closed = true
    })
    socket.on('data', (text: string) => {
      const pieces = (this.lastAnswer + text).split('HTTP/1.1 200 OK')
      this.answers += pieces.length - 1
      this.lastAnswer = pieces.at(-1)!
    })
  }

  ask(times: number): void {
    this.#socket.write(this.#request.repeat(times))
  }
}

describe('shutdown', () => {
  it('answers what was sent on open connections, and exits with 0 within 5 seconds', async () => {
    const service = await operate(newScene().directory)
    const lines = await Promise.all(Array.from({ length: 20 }, () => connected(service)))
    for (const line of lines) line.ask(40)
    const startedMs = performance.now()
    service.child.kill('SIGTERM')
    const { exitCode, signal } = await service.ended
    expect([exitCode, signal]).toEqual([0, null])
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    await until(() => lines.every(({ closed }) => closed))
    expect(lines.map(({ answers }) => answers)).toEqual(lines.map(() => 41))
  })

  it('asks clients that go on asking to close, and exits with 0', async () => {
    const service = await operate(newScene().directory, oneThread)
    const line = await connected(service)
    service.child.kill('SIGTERM')
    // Each answer is followed by the next question, so that the connection is never idle.
    for (let asked = 2; !line.closed; asked += 1) {
      line.ask(1)
      await until(() => line.answers === asked || line.closed)
    }
    expect(line.lastAnswer).toMatch(/^connection: close\r$/im)
    expect(await service.ended).toMatchObject({ exitCode: 0, signal: null })
  })

  it('exits with 0 although a snapshot is being swapped in', async () => {
    const scene = newScene()
    const service = await operate(scene.directory, oneThread)
    announce(scene.directory, scene.second)
    service.child.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ exitCode: 0, signal: null })
  })

  it('ends at once at a second signal', async () => {
    const service = await operate(newScene().directory, oneThread)
    // Connections that are idle hold it up a little.
    await connected(service)
    service.child.kill('SIGTERM')
    await until(() => fetch(`${service.address}/healthz`).then(isFalse, isTrue))
    service.child.kill('SIGINT')
    const { exitCode, signal, stderr } = await service.ended
    expect([exitCode, signal]).toEqual([null, 'SIGINT'])
    expect(stderr).not.toContain('Assertion')
  })
})

const isTrue = () => true
const isFalse = () => false

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
    const heldBack = { reason: 'names: 99.0 % changed', at: '2026-11-01T00:00:00.000Z' }
    writeHeldBack(scene.directory, { ...heldBack, sourceFingerprint: '' })
    const metric = async () => {
      const text = await (await fetch(`${service.address}/metrics`)).text()
      return /^authority_index_sync_held_back (\d)$/m.exec(text)?.[1]
    }
    await until(async () => (await metric()) === '1')
    await until(async () => JSON.stringify(await service.readiness()).includes(heldBack.at))
    // Either of two threads may answer.
    await expect.poll(() => service.readiness()).toMatchObject({ ready: true, held_back: heldBack })
    expect(service.errors()).toContain('"event":"sync-held-back"')
    removeHeldBack(scene.directory)
    await until(async () => (await metric()) === '0')
  })
})
