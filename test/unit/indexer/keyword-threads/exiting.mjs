/** A keyword thread that ends without a word. */
import { parentPort } from 'node:worker_threads'

parentPort.on('message', ({ id, name }) => {
  if (name !== 'start') process.exit(7)
  parentPort.postMessage({ kind: 'returned', id, value: undefined })
})
