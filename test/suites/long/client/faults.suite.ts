/**
 * The client through the fault server, at length: more than 10,000 calls, every operation, faults at every fifth
 * byte of requests and answers. `CLIENT_STEP=1` takes every byte.
 */
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { everyFault, everyOperation, runLane } from '../../../support/faults/matrix.ts'
import { startService } from '../../../support/program.ts'

const step = Number(process.env.CLIENT_STEP ?? 5)

test('no fault shows: no error, no wrong answer, one idempotency key a call', async () => {
  const service = await startService(temporaryDirectory(), ['--lookup-rate-limit', '0'])
  const lanes = await Promise.all(
    everyOperation(service.snapshotId).map((call) =>
      runLane({ service, calls: [call], faultsOf: (lengths) => everyFault(lengths, step) }),
    ),
  )
  await service.stop('SIGTERM')
  console.table(
    lanes.map(({ errors, wrong, ...counts }) => ({
      ...counts,
      errors: errors.length,
      wrong: wrong.length,
    })),
  )
  expect(lanes.flatMap(({ errors }) => errors)).toEqual([])
  expect(lanes.flatMap(({ wrong }) => wrong)).toEqual([])
  expect(lanes.map(({ keys }) => keys)).toEqual(lanes.map(({ pricedCalls }) => pricedCalls))
  expect(lanes.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(50_000 / step)
}, 3_600_000)
