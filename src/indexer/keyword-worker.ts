/**
 * What runs in the thread of a `KeywordThread`: obeys its orders one by one, and ends with the sections
 * or with what went wrong.
 */
import { workerData } from 'node:worker_threads'
import { failureOf } from '../process/channel.ts'
import { countToEnd, countUp } from '../process/thread-module.ts'
import type { KeywordOrder, KeywordReport, KeywordThreadStart } from './keyword-thread.ts'
import { Keywords } from './keywords.ts'

const { port, progress } = workerData as KeywordThreadStart
const keywords = new Keywords()

function obey(order: KeywordOrder): void {
  if (order.kind === 'begin') {
    keywords.begin(order.ranked)
    const sections = keywords.sections()
    // Handed over, not copied.
    end(
      { sections },
      Object.values(sections).map(({ buffer }) => buffer as ArrayBuffer),
    )
    return
  }
  for (let index = 0; index < order.texts.length; index += 2) {
    keywords.add(order.texts[index]!, order.texts[index + 1]!)
  }
}

function end(report: KeywordReport, memory: readonly ArrayBuffer[] = []): void {
  port.postMessage(report, memory)
  port.close()
}

port.on('message', (order: KeywordOrder) => {
  try {
    obey(order)
    countUp(progress)
  } catch (error) {
    end({ failure: failureOf(error) })
    countToEnd(progress)
  }
})
