/**
 * The fault server as a program, for clients in other languages:
 *
 *     npx tsx test/support/faults/serve.ts http://127.0.0.1:8080
 *
 * It prints one line of JSON: `address` breaks exchanges, `control` takes `POST /` with
 * `{"queue": [fault, …], "otherwise": fault}` (types: fault-server.ts) and answers `GET /` with the counts
 * and the lengths of the last exchange. It ends with its standard input.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FaultServer } from './fault-server.ts'

const [, , target] = process.argv
if (target === undefined) throw new Error('usage: serve.ts ADDRESS')
const faults = await FaultServer.start(target)
const control = createServer(async (request, response) => {
  let text = ''
  for await (const piece of request) text += piece
  if (request.method === 'POST') {
    const { queue = [], otherwise } = JSON.parse(text)
    faults.queue.splice(0, faults.queue.length, ...queue)
    if (otherwise !== undefined) faults.otherwise = otherwise
  }
  response.end(JSON.stringify({ ...faults.counts, lengths: faults.lengths }))
})
control.listen(0, '127.0.0.1')
await once(control, 'listening')
const { port } = control.address() as AddressInfo
console.log(JSON.stringify({ address: faults.address, control: `http://127.0.0.1:${port}` }))
process.stdin.resume()
await once(process.stdin, 'end')
control.close()
control.closeAllConnections()
await faults.stop()
