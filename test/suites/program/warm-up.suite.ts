/** A service that practises before it is ready. */
import { expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'
import { startService } from '../../support/program.ts'
import { samplesOf } from '../../support/prometheus.ts'

it('has charged and counted nothing when it is ready, and answers', async () => {
  const words = ['--threads', '2', '--warm-up-ms', '200']
  const service = await startService(temporaryDirectory(), words)
  onTestFinished(() => void service.stop('SIGKILL'))
  const { address, headers } = service
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  const samples = samplesOf(await (await fetch(`${address}/metrics`)).text())
  const counts = [...samples].filter(([name]) => /_(?:charged|cache).*_total/.test(name))
  expect(counts.length).toBeGreaterThan(10)
  expect(counts.filter(([, count]) => count > 0)).toEqual([])
  const answer = await fetch(`${address}/api/v1/index?query=rust&limit=1`, { headers })
  expect(answer.headers.get('x-balance-usd')).toBe('49.999')
})
