/** The thread of a `KeywordThread`: it takes texts apart, and ends with the sections. */
import { parentPort } from 'node:worker_threads'
import { garbageCollector } from '../memory/garbage.ts'
import { Channel, type NoCalls, Transferred } from '../process/channel.ts'
import type { KeywordCalls } from './keyword-thread.ts'
import { Keywords } from './keywords.ts'

const port = parentPort
if (port === null) throw new Error('a keyword thread is started by a sync')
const keywords = new Keywords()
const collectGarbage = garbageCollector()
new Channel<KeywordCalls, NoCalls>(port, {
  start: () => {},
  add: (texts) => {
    for (let index = 0; index < texts.length; index += 2) {
      keywords.add(texts[index]!, texts[index + 1]!)
    }
  },
  sections: (ranked) => {
    collectGarbage()
    keywords.begin(ranked)
    const sections = keywords.sections()
    collectGarbage()
    return new Transferred(sections, memoryOf(sections))
  },
})

function memoryOf(arrays: object): ArrayBuffer[] {
  return Object.values(arrays).map(({ buffer }: Uint8Array) => buffer as ArrayBuffer)
}
