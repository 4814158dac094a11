/** The bench of tails, tiny: every look-up at every service, with the answers of the whole snapshot. */
import { expect, it } from 'vitest'
import { run } from '../../../../bench/tail/bench.ts'
import { report } from '../../../../bench/tail/rows.ts'
import { hasRedis } from '../../../support/servers/redis-cluster.ts'
import { tinyOptions } from '../../../support/tiny.ts'

it.skipIf(!hasRedis())(
  'has no wrong or failed answer, and asks Redis for the tail only',
  async () => {
    const rows = await run(tinyOptions())
    expect(rows.map(({ lookUp, store }) => `${lookUp}, ${store}`)).toEqual(
      ['match, tail', 'detail, tail', 'match, head'].flatMap((lookUp) =>
        ['whole', 'single', 'cluster'].map((store) => `${lookUp}, ${store}`),
      ),
    )
    for (const { lookUp, store, failed, wrong, problems, serviceUs, p99Us, ...row } of rows) {
      expect({ failed, wrong, problems }).toEqual({ failed: 0, wrong: 0, problems: [] })
      expect([serviceUs, p99Us].every((us) => us > 0)).toBe(true)
      expect(row.redisBytes > 0).toBe(store !== 'whole')
      expect(row.blocks > 0.5).toBe(store !== 'whole' && lookUp !== 'match, head')
    }
    expect(report(rows).join('\n')).toContain('whole by it')
  },
)
