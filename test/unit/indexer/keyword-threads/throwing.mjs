/** A keyword thread that dies of an error outside its orders. */
import { workerData } from 'node:worker_threads'

workerData.port.on('message', () => {
  throw new Error('a keyword thread that throws')
})
