/** A keyword thread that dies of an error outside its orders. */
import { parentPort } from 'node:worker_threads'

parentPort.on('message', ({ id, name }) => {
  if (name !== 'start') throw new Error('a keyword thread that throws')
  parentPort.postMessage({ kind: 'returned', id, value: undefined })
})
