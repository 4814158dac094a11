/** The thread of a `KeywordThread`: it takes texts apart, and ends with the sections. */
import { parentPort } from 'node:worker_threads'
import { Channel, type NoCalls, Transferred } from '../process/channel.ts'
import type { KeywordCalls } from './keyword-thread.ts'
import { Keywords } from './keywords.ts'

const port = parentPort
if (port === null) throw new Error('a keyword thread is started by a sync')
const keywords = new Keywords()
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
  words: () => keywords.words(),
  sections: (ranked) => {
    keywords.begin(ranked)
    const sections = keywords.sections()
    const memory = Object.values(sections).map(({ buffer }) => buffer as ArrayBuffer)
    return new Transferred(sections, memory)
  },
})
