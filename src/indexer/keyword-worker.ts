/**
 * What runs in the thread of a `KeywordThread`: obeys its orders one by one, and ends with the sections
 * or with what went wrong.
 */
import { type MessagePort, workerData } from 'node:worker_threads'
import { countUp } from '../process/thread-module.ts'
import type { KeywordOrder, KeywordReport, KeywordThreadStart } from './keyword-thread.ts'
import { Keywords } from './keywords.ts'

const { port, progress } = workerData as KeywordThreadStart
const keywords = new Keywords()

function obey(order: KeywordOrder): KeywordReport | undefined {
  if (order.kind === 'begin') {
    keywords.begin(order.ranked)
    return { sections: keywords.sections() }
  }
  for (let index = 0; index < order.texts.length; index += 2) {
    keywords.add(order.texts[index]!, order.texts[index + 1]!)
  }
  return undefined
}

function reportOn(order: KeywordOrder): KeywordReport | undefined {
  try {
    return obey(order)
  } catch (error) {
    return { error }
  }
}

/** Sections are handed over, not copied. */
function buffersOf(report: KeywordReport): ArrayBuffer[] {
  if (!('sections' in report)) return []
  return Object.values(report.sections).map(({ buffer }) => buffer as ArrayBuffer)
}

function listen(orders: MessagePort): void {
  orders.on('message', (order: KeywordOrder) => {
    const report = reportOn(order)
    if (report !== undefined) {
      orders.postMessage(report, buffersOf(report))
      orders.close()
    }
    countUp(progress)
  })
}

listen(port)
