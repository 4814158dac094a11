/** A keyword thread that ends without a word. */
import { workerData } from 'node:worker_threads'

workerData.port.on('message', () => process.exit(7))
