/**
 * autocannon, for where wrk is not installed: a program that carries out each message as an order. It needs more
 * time for a request than a fast server does, so its figures are lower bounds.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import type { Measured, Order } from './load.ts'

const answerSecondsMax = 30
const sampleMs = 10

/** Runs an order for its time, or until the first answer where that takes longer. */
async function fire(order: Order): Promise<Measured> {
  const { port, key, file, offset, connections, seconds } = order
  const paths = readFileSync(file, 'utf8').trimEnd().split('\n')
  let next = offset
  const options: autocannon.Options = {
    url: `http://127.0.0.1:${port}`,
    headers: { authorization: `Bearer ${key}` },
    // All connections share the paths: each takes the next one when it asks.
    requests: [
      { setupRequest: (request) => ({ ...request, path: paths[next++ % paths.length]! }) },
    ],
    connections,
    duration: answerSecondsMax,
    timeout: answerSecondsMax,
    sampleInt: sampleMs,
  }
  const run = autocannon(options, (error) => {
    if (error) throw error
  })
  const latenciesUs: number[] = []
  let refused = 0
  run.on('response', (_client, status, _bytes, milliseconds) => {
    latenciesUs.push(milliseconds * 1000)
    if (status !== 200) refused += 1
  })
  const startedMs = performance.now()
  setTimeout(() => {
    if (latenciesUs.length > 0) run.stop()
    else run.once('response', () => run.stop())
  }, seconds * 1000)
  const [{ errors }] = await once(run, 'done')
  const sorted = Float64Array.from(latenciesUs).sort()
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return {
    requests: sorted.length,
    seconds: (performance.now() - startedMs) / 1000,
    failed: refused + errors,
    p50Us: at(0.5),
    p99Us: at(0.99),
    p999Us: at(0.999),
  }
}

process.on('message', async (order: Order) => process.send!(await fire(order)))
process.on('disconnect', () => process.exit())
