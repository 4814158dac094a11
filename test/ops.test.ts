/** The dashboard and the alert rules name no metric that the service does not have. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from './built.ts'
import { startService } from './program.ts'

const ops = join(import.meta.dirname, '..', 'ops')

/** The metrics that a text names; a histogram by the name that its buckets go by. */
function metricsIn(text: string): string[] {
  return [...new Set(text.match(/\bauthority_index_[a-z_]+/g))].sort()
}

describe('of the metrics of a running service', () => {
  it.each(['grafana-dashboard.json', 'alerts.yaml'])(
    '%s names only what there is',
    async (file) => {
      const named = metricsIn(readFileSync(join(ops, file), 'utf8'))
      expect(named.length).toBeGreaterThan(5)
      const service = await startService(temporaryDirectory())
      const told = metricsIn(await (await fetch(`${service.address}/metrics`)).text())
      await service.stop('SIGKILL')
      expect(named.filter((name) => !told.includes(name))).toEqual([])
    },
  )
})

it('the dashboard is JSON with a query in every panel', () => {
  const { panels } = JSON.parse(readFileSync(join(ops, 'grafana-dashboard.json'), 'utf8'))
  for (const { type, title, targets } of panels) {
    if (type === 'row') continue
    expect(targets.map(({ expr }: { expr: string }) => expr).join(), title).toContain('$job')
  }
})
