/**
 * Calls tools on so many connections until it is interrupted. A program of its own:
 * PORT KEY CONNECTIONS; prints a line once it has begun.
 */
import { untilInterrupted } from '../shared/interrupt.ts'
import { Caller, modern } from './calls.ts'

const [port = '', key = '', connections = ''] = process.argv.slice(2)

await untilInterrupted(async (signal) => {
  const loops = Array.from({ length: Number(connections) }, async () => {
    const caller = new Caller(Number(port), key)
    while (!signal.aborted) await caller.ask(modern)
    caller.close()
  })
  console.log('{}')
  await Promise.all(loops)
})
