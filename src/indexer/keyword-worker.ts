/** The thread of a `KeywordThread`: it takes texts apart, and ends with the sections. */
import { parentPort } from 'node:worker_threads'
import { garbageCollector } from '../memory/freed/garbage.ts'
import { Channel, type NoCalls, Transferred } from '../process/channel.ts'
import type { KeywordCalls } from './keyword-thread.ts'
import { Keywords } from './keywords.ts'
import type { ListView } from './posting-sections.ts'

const port = parentPort
if (port === null) throw new Error('a keyword thread is started by a sync')
const keywords = new Keywords()
const collectGarbage = garbageCollector()
new Channel<KeywordCalls, NoCalls>(port, {
  start: () => {},
  knows: (words) => keywords.knows(words),
  add: (texts) => {
    for (let index = 0; index < texts.length; index += 2) {
      const [first, second] = [texts[index]!, texts[index + 1]!]
      if (typeof first === 'string') keywords.add(first, String(second))
      else for (let person = first; person < Number(second); person += 1) keywords.addAgain(person)
    }
  },
  words: () => {
    const { terms, names, bios } = keywords.words()
    const words = { terms, names: exactLists(names), bios: exactLists(bios) }
    return new Transferred(words, Object.values(words).flatMap(memoryOf))
  },
  sections: (ranked) => {
    collectGarbage()
    keywords.begin(ranked)
    const sections = keywords.sections()
    collectGarbage()
    return new Transferred(sections, memoryOf(sections))
  },
})

/** The same lists without the memory that columns have for more. */
function exactLists({ starts, values }: ListView): ListView {
  return { starts: starts.slice(), values: values.slice() }
}

function memoryOf(arrays: object): ArrayBuffer[] {
  return Object.values(arrays).map(({ buffer }: Uint8Array) => buffer as ArrayBuffer)
}
