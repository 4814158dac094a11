/** Swaps with one copy of texts in memory: what is served at each step, and what becomes of a step that fails. */
import { readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { activate } from '../../../src/api/active-snapshot.ts'
import type * as LoaderModule from '../../../src/service/loader.ts'
import type { ServedSnapshot } from '../../../src/service/protocol.ts'
import { swapsOf } from '../../../src/service/swapping/swaps.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { pathOf, publish } from '../../../src/snapshot/store/directory.ts'
import { partsOf } from '../../../src/snapshot/store/removals.ts'
import { TextCache } from '../../../src/snapshot/texts/text-cache.ts'
import { ask, newApi } from '../../support/api-client.ts'
import { newScene, peopleNamed, targets, wordOf } from '../../support/operated.ts'

/** Threads that answer every target from each snapshot that they serve, and note where its texts were. */
class OneThread {
  snapshot: ServedSnapshot | undefined
  readonly served: [word: string, texts: 'memory' | 'file'][] = []
  /** How many more snapshots are served before one cannot be. */
  servesMax = Number.POSITIVE_INFINITY

  async serve(snapshot: ServedSnapshot): Promise<Snapshot | undefined> {
    if (this.served.length === this.servesMax) throw new Error('the serving threads changed')
    const before = this.snapshot
    this.snapshot = snapshot
    this.served.push([this.word(), snapshot.texts === undefined ? 'memory' : 'file'])
    return before
  }

  /** The one word that all answers hold. */
  word(): string {
    const textCache = new TextCache({ bytesMax: 1 << 20 })
    const api = newApi(activate(this.snapshot!, { textCache }))
    const words = new Set(targets.map((target) => wordOf(ask(api, target).text)))
    expect(words.size).toBe(1)
    return [...words][0]!
  }
}

async function newStage() {
  const scene = newScene()
  // As it was built: a thread cannot be started from TypeScript on every Node.js.
  const built = join(import.meta.dirname, '..', '..', '..', 'dist', 'loader.js')
  const { Loader }: typeof LoaderModule = await import(built)
  const loader = new Loader(scene.directory, 0, () => 0, 0, true)
  onTestFinished(() => loader.close())
  const [threads, lines] = [new OneThread(), [] as string[]]
  const swaps = swapsOf(loader, threads, (line) => lines.push(line))
  const swapTo = async (id: string) => swaps.serve(await swaps.load(id, scene.directory))
  return { ...scene, threads, lines, swaps, swapTo }
}

it('reads texts of the served snapshot from its file while the next one takes its place', async () => {
  const { threads, lines, swapTo, first, second } = await newStage()
  await swapTo(first)
  await swapTo(second)
  await swapTo(first)
  expect(threads.served).toEqual([
    ['First', 'memory'],
    ['First', 'file'],
    ['Second', 'file'],
    ['Second', 'memory'],
    ['Second', 'file'],
    ['First', 'file'],
    ['First', 'memory'],
  ])
  expect(lines).toEqual([])
})

it('takes no more memory than one and a half snapshots, however many come', async () => {
  const { directory, threads, swapTo } = await newStage()
  const ends: number[] = []
  for (const word of ['One', 'Two', 'Three', 'Four', 'Five']) {
    const snapshot = peopleNamed(word)
    publish(directory, snapshot)
    await swapTo(snapshot.header.id)
    // One that is refused at its end leaves none behind.
    const refused = peopleNamed(`${word} Again`)
    publish(directory, refused)
    const path = pathOf(directory, refused.header.id)
    const bytes = readFileSync(path)
    bytes[bytes.length - 1]! ^= 1
    writeFileSync(path, bytes)
    await expect(swapTo(refused.header.id)).rejects.toMatchObject({ code: 'snapshot-refused' })
    const spans = Object.values(threads.snapshot!.sections).map(
      ({ byteOffset, byteLength }) => byteOffset + byteLength,
    )
    ends.push(Math.max(...spans))
  }
  expect(Math.max(...ends)).toBeLessThan(1.5 * bytesOf(threads.snapshot!))
})

function bytesOf({ sections }: Snapshot): number {
  return Object.values(sections).reduce((sum, { byteLength }) => sum + byteLength + 64, 0)
}

it('leaves no text of a snapshot of which somebody was removed', async () => {
  const { directory, threads, swaps, swapTo, first, second } = await newStage()
  await swapTo(first)
  const holds = (word: string) =>
    Object.values(threads.snapshot!.sections).some(({ buffer }) =>
      Buffer.from(buffer).includes(word),
    )
  expect(holds('First')).toBe(true)
  const next = await swaps.load(second, directory)
  // As with a list of removals that is another one than before.
  const header = { ...next.header, sourceFingerprint: 'source without 0123456789abcdef' }
  expect(partsOf(header.sourceFingerprint).digest).not.toBe('')
  await swaps.serve({ ...next, header })
  expect([holds('First'), holds('Second')]).toEqual([false, true])
})

it('takes texts back into memory where the next snapshot is refused, or cannot be served', async () => {
  const { directory, threads, lines, swapTo, first, second } = await newStage()
  await swapTo(first)
  truncateSync(pathOf(directory, second), 5_000)
  await expect(swapTo(second)).rejects.toMatchObject({ code: 'snapshot-refused' })
  expect(threads.served.splice(0)).toEqual([
    ['First', 'memory'],
    ['First', 'file'],
    ['First', 'memory'],
  ])
  newScene(directory)
  threads.servesMax = 1
  await expect(swapTo(second)).rejects.toThrow('the serving threads changed')
  expect(threads.word()).toBe('First')
  threads.servesMax = Number.POSITIVE_INFINITY
  await swapTo(second)
  expect(threads.served.slice(1)).toEqual([
    ['Second', 'file'],
    ['Second', 'memory'],
  ])
  expect(lines.splice(0)).toEqual([
    'texts are read from the file until the next swap: the serving threads changed',
  ])
})

it('keeps texts of a snapshot whose file is gone in memory, beside the next ones', async () => {
  const { directory, threads, lines, swapTo, first, second } = await newStage()
  await swapTo(first)
  renameSync(pathOf(directory, first), `${pathOf(directory, first)}.away`)
  await swapTo(second)
  expect(threads.served.slice(1)).toEqual([
    ['Second', 'file'],
    ['Second', 'memory'],
  ])
  expect(lines).toEqual([
    expect.stringContaining('two copies of texts are in memory for this swap'),
  ])
})

it('goes on from the file where the texts cannot be read, and tries again with the next swap', async () => {
  const { directory, threads, lines, swapTo, first, second } = await newStage()
  await swapTo(first)
  const whole = threads.serve.bind(threads)
  threads.serve = async (snapshot) => {
    const before = await whole(snapshot)
    // Behind the columns: what is read next is damaged.
    if (threads.served.length === 3) writeFileSync(pathOf(directory, second), 'no snapshot')
    return before
  }
  const serve = swapTo(second)
  await serve
  expect(threads.served.slice(1)).toEqual([
    ['First', 'file'],
    ['Second', 'file'],
  ])
  expect(lines).toEqual([
    expect.stringContaining('texts are read from the file until the next swap'),
  ])
  threads.serve = whole
  await swapTo(first)
  expect(threads.served.slice(3)).toEqual([
    ['First', 'file'],
    ['First', 'memory'],
  ])
})
