/** An open index: swaps, views, shares, errors, and what it loads. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { announce, pathOf } from '../../../src/snapshot/store/directory.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { library, libraryEntry, nextSwap, openedIndex } from '../../support/library.ts'
import { MemoryObjects } from '../../support/objects/memory-objects.ts'
import { publisherOf, serveObjects } from '../../support/objects/served-objects.ts'
import { newScene } from '../../support/operated.ts'

const firstName = (index: { detail(sdu: string): { results: unknown[] } }) =>
  (index.detail('1').results[0] as { name: string }).name.split(' ')[0]

describe('an index that follows', () => {
  it('answers from the next snapshot after a swap, and a view from the one it was taken of', async () => {
    const scene = newScene()
    const { swapped, onSwap } = nextSwap()
    const index = await openedIndex(scene.directory, { follow: true, onSwap })
    const view = index.at()
    expect([index.snapshot.id, firstName(index)]).toEqual([scene.first, 'First'])
    announce(scene.directory, scene.second)
    const [next, previous] = await swapped
    expect([next.id, previous.id]).toEqual([scene.second, scene.first])
    expect([index.snapshot.id, firstName(index)]).toEqual([scene.second, 'Second'])
    expect([view.snapshot.id, firstName(view)]).toEqual([scene.first, 'First'])
  })

  it('fetches from a web server and follows it', async () => {
    const scene = newScene()
    const store = new MemoryObjects()
    const publisher = publisherOf(store, scene.directory)
    await publisher.announce(scene.first, () => {})
    const { swapped, onSwap } = nextSwap()
    const steps: string[] = []
    const index = await openedIndex(await serveObjects(store), {
      ...{ follow: true, onSwap },
      onProgress: ({ step, share }) => steps.push(`${step} ${share}`),
    })
    expect(index.snapshot.id).toBe(scene.first)
    expect(steps.at(-1)).toBe('load 1')
    expect(steps.some((each) => each.startsWith('fetch'))).toBe(true)
    await publisher.announce(scene.second, () => {})
    expect((await swapped)[0].id).toBe(scene.second)
  })

  it('reads on where a connection is reset in the middle of a snapshot', async () => {
    const { directory, first } = newScene()
    const store = new MemoryObjects()
    await publisherOf(store, directory).announce(first, () => {})
    const largest = Math.max(...[...store.held.values()].map(({ bytes }) => bytes.length))
    const index = await openedIndex(await serveObjects(store, Math.ceil(largest / 3)))
    expect([index.snapshot.id, firstName(index)]).toEqual([first, 'First'])
  })
})

describe('an index that is shared', () => {
  it('is opened by a worker over the same memory', async () => {
    const { directory, first } = newScene()
    const index = await openedIndex(directory)
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads')
       import(${JSON.stringify(libraryEntry)}).then(async ({ openIndex }) => {
         const index = await openIndex(workerData)
         const [{ name }] = index.detail('1').results
         parentPort.postMessage({ id: index.snapshot.id, name, again: index.share() })
       })`,
      { eval: true, workerData: index.share() },
    )
    const [{ id, name, again }] = await once(worker, 'message')
    await worker.terminate()
    expect([id, name]).toEqual([first, 'First Person1'])
    // What the worker writes there stands here: it is the same memory.
    const scoresOf = (shared: unknown): Uint16Array | Uint32Array =>
      (shared as { snapshot: { sections: Record<string, Uint32Array> } }).snapshot.sections[
        'authority.scores'
      ]!
    const [ours, theirs] = [scoresOf(index.share()), scoresOf(again)]
    theirs[0] = ours[0]! + 1
    expect(ours[0]).toBe(theirs[0])
  })
})

describe('an index', () => {
  it('throws the problems of the API, and the reason why it does not open, as classes', async () => {
    const index = await openedIndex(newScene().directory)
    const thrown = (work: () => unknown) => {
      try {
        work()
      } catch (error) {
        return error as Error & { code: string; status: number }
      }
      throw new Error('nothing was thrown')
    }
    const wrong = thrown(() => index.search(''))
    expect(wrong).toBeInstanceOf(library.InvalidParameter)
    expect([wrong.code, wrong.status]).toEqual(['invalid-parameter', 400])
    const torn = thrown(() => index.search('\ud800'))
    expect(torn).toBeInstanceOf(library.MalformedRequest)
    await index.close()
    expect(thrown(() => index.match('ann'))).toBeInstanceOf(library.IndexClosed)
    const { directory, first, second } = newScene()
    rmSync(pathOf(directory, second))
    writeFileSync(pathOf(directory, first), 'x')
    const damaged = library.openIndex(directory)
    await expect(damaged).rejects.toThrow('is not served')
    const nothing = library.openIndex(temporaryDirectory())
    await expect(nothing).rejects.toMatchObject({ name: 'OpenProblem', code: 'snapshot-missing' })
    for (const wrong of [undefined, 5, '', {}, { kind: 'other' }, 's3://', 'file:///tmp']) {
      const opened = library.openIndex(wrong as string)
      await expect(opened).rejects.toMatchObject({ name: 'OpenProblem', code: 'wrong-usage' })
    }
    const nowhere = library.openIndex('http://127.0.0.1:1/')
    await expect(nowhere).rejects.toMatchObject({ code: 'storage-unreachable' })
  })

  it('ends with its signal, while it opens and later', async () => {
    const { directory } = newScene()
    const opening = new AbortController()
    const opened = library.openIndex(directory, { signal: opening.signal })
    opening.abort(new Error('enough'))
    await expect(opened).rejects.toThrow('enough')
    const later = new AbortController()
    const index = await openedIndex(directory, { follow: true, signal: later.signal })
    later.abort()
    expect(() => index.snapshot).toThrow(library.IndexClosed)
  })

  it('loads no native module, and lets a process end that was given a limit of memory', () => {
    const { directory } = newScene()
    const program = `
      import { openIndex } from ${JSON.stringify(libraryEntry)}
      const index = await openIndex(${JSON.stringify(directory)})
      index.search('person7')
      process.report.excludeNetwork = true
      const { sharedObjects } = process.report.getReport()
      console.log(JSON.stringify(sharedObjects.filter((path) => path.endsWith('.node'))))`
    const words = ['--max-old-space-size=1024', '--input-type=module', '-e', program]
    const printed = execFileSync(process.execPath, words, { encoding: 'utf8' })
    expect(JSON.parse(printed)).toEqual([])
  })
})
