/** Keywords on a thread beside: what they are, and how a build hears of a thread that fails or dies. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type * as KeywordThreadModule from '../../../src/indexer/keyword-thread.ts'
import { Keywords, type RankedAuthorities } from '../../../src/indexer/keywords.ts'

/** As it was built: a thread cannot be started from TypeScript on every Node.js. */
const built = join(import.meta.dirname, '..', '..', '..', 'dist', 'keyword-thread.js')
const { KeywordThread }: typeof KeywordThreadModule = await import(built)

const none = { starts: Uint32Array.of(0, 0), values: new Uint32Array() }
const ranked: RankedAuthorities = {
  arrivals: Uint32Array.of(0),
  topics: none,
  topicKeys: [],
  placeTerms: [],
}

async function started(name?: string) {
  const path = join(import.meta.dirname, 'keyword-threads', `${name}.mjs`)
  const thread = await KeywordThread.start(...(name === undefined ? [] : [pathToFileURL(path)]))
  onTestFinished(() => thread.close())
  return thread
}

describe('a keyword thread', () => {
  it('makes what is made in place', async () => {
    const [thread, place] = [await started(), new Keywords()]
    for (const keywords of [thread, place]) {
      keywords.add('Ada Lovelace', 'wrote the first program')
      keywords.begin(ranked)
    }
    expect(await thread.sections()).toEqual(place.sections())
  })

  it('that fails at its work ends the wait for its sections with the cause', async () => {
    const thread = await started()
    thread.begin({ ...ranked, topicKeys: undefined as never })
    await expect(thread.sections()).rejects.toThrow(/undefined/)
  })

  it.each([
    ['throwing', 'a keyword thread that throws'],
    ['exiting', 'the keyword thread ended with code 7'],
  ])(
    'that is %s ends the wait for its sections, and the adding of texts: %s',
    async (name, cause) => {
      const [thread, other] = [await started(name), await started(name)]
      thread.begin(ranked)
      await expect(thread.sections()).rejects.toThrow(cause)
      const addAll = async () => {
        for (let count = 0; count < 200_000; count += 1) {
          other.add('name', 'bio')
          await other.ready()
        }
      }
      await expect(addAll()).rejects.toThrow(cause)
    },
  )
})
