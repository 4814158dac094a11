/**
 * The client through the fault server, at length: more than 10,000 calls, every operation, faults at every fifth
 * byte of requests and answers. `CLIENT_STEP=1` takes every byte.
 */
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { everyFault, everyOperation, runLane } from '../../../support/faults/matrix.ts'
import { startService } from '../../../support/program.ts'

const step = Number(process.env.CLIENT_STEP ?? 5)

test('no fault shows: no error, no wrong answer, one key and one charge a call', async () => {
  const service = await startService(temporaryDirectory(), ['--lookup-rate-limit', '0'])
  const match = async () => {
    const { headers } = await fetch(`${service.address}/api/v1/match?handle=ann`, {
      headers: service.headers,
    })
    return {
      balance: Number(headers.get('x-balance-usd')),
      cost: Number(headers.get('x-cost-usd')),
    }
  }
  const before = await match()
  const lanes = await Promise.all(
    everyOperation(service.snapshotId).map((call) =>
      runLane({
        service,
        calls: [call],
        faultsOf: (lengths) => everyFault(lengths, step),
      }),
    ),
  )
  const after = await match()
  await service.stop('SIGTERM')
  console.table(
    lanes.map(({ errors, wrong, ...counts }) => ({
      ...counts,
      errors: errors.length,
      wrong: wrong.length,
    })),
  )
  const errors = lanes.flatMap((lane) => lane.errors)
  if (errors.length > 0) console.error(errors.join('\n'))
  expect(errors).toEqual([])
  expect(lanes.flatMap(({ wrong }) => wrong)).toEqual([])
  expect(lanes.map(({ keys }) => keys)).toEqual(lanes.map(({ pricedCalls }) => pricedCalls))
  const priceUsd = lanes.reduce((sum, lane) => sum + lane.priceUsd, 0)
  expect(before.balance - after.balance - after.cost).toBeCloseTo(priceUsd, 6)
  expect(lanes.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(50_000 / step)
}, 3_600_000)
