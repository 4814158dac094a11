/**
 * The ceiling: a uWebSockets.js app that answers every request with the same headers and body, from a constant: no
 * look-up, no key, no charge, no id. A program; it takes the answer as a message and acknowledges it.
 */
import { loadWireLibrary } from '../../src/http/wire-library.ts'
import type { Answer } from './answer.ts'

const wire = await loadWireLibrary()
if (wire === undefined) throw new Error('no build of uWebSockets.js loads here')
const { App, us_socket_local_port } = wire.library

/** What uWebSockets.js writes by itself. */
const own = new Set(['date', 'uwebsockets', 'content-length', 'connection'])

let firstName = Buffer.alloc(0)
let rest = Buffer.alloc(0)
let body = Buffer.alloc(0)

process.on('message', (answer: Answer) => {
  const headers = answer.headers.filter(([name]) => !own.has(name.toLowerCase()))
  const [first = ['', ''], ...others] = headers
  // One call instead of one for each header, and no text to encode: it is the least that it costs.
  firstName = Buffer.from(first[0])
  rest = Buffer.from([first[1], ...others.map((header) => header.join(': '))].join('\r\n'))
  body = Buffer.from(answer.body)
  process.send!('taken')
})
process.on('disconnect', () => process.exit())

App()
  .any('/*', (response) => {
    response.writeHeader(firstName, rest)
    response.end(body)
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (socket === false) throw new Error('the ceiling cannot listen')
    console.log(JSON.stringify({ port: us_socket_local_port(socket) }))
  })
