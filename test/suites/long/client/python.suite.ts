/**
 * The Python client through the fault server, at length: with threads and with asyncio more than 10,000 calls
 * each, every operation, faults at every fifth byte of requests and answers. `CLIENT_STEP=1` takes every
 * byte. Each operation has a service of its own, so that its ledger counts its calls alone. Without httpx it is skipped.
 */
import { expect, test } from 'vitest'
import { findPython, runPythonTests } from '../../../support/python-tests.ts'

const step = process.env.CLIENT_STEP ?? '5'
const operations = [
  'search',
  'detail',
  'detail of a list',
  'peers',
  'match',
  'match of a list',
  'rank',
  'autocomplete',
  'topics',
  'snapshots',
  'snapshot',
  'history',
]

const withHttpx = test.skipIf(findPython() === undefined)

withHttpx(
  'no fault shows: no error, no wrong answer, one charge a call',
  async () => {
    const rows: { kind: string; calls: number; faults: number; extra: number }[] = []
    const left = [...operations]
    const line = async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        const { stdout, stderr } = await runPythonTests(['-k', 'test_every_operation'], {
          AUTHORITY_INDEX_TEST_STEP: step,
          AUTHORITY_INDEX_TEST_OPERATION: name,
        })
        expect(stderr).toMatch(/\nOK\n$/)
        for (const counts of stdout.trim().split('\n')) {
          rows.push({ operation: name, ...JSON.parse(counts) })
        }
      }
    }
    await Promise.all([line(), line(), line(), line()])
    console.table(rows)
    expect(rows.length).toBe(2 * operations.length)
    expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThan(100_000 / Number(step))
  },
  7_200_000,
)

withHttpx('no pause of 0 to 20 s shows, with threads and with asyncio', async () => {
  const words = ['-k', 'test_no_pause']
  const { stderr } = await runPythonTests(words, { AUTHORITY_INDEX_TEST_SOAK: '1' })
  expect(stderr).toMatch(/Ran 1 test [\s\S]*\nOK\n$/)
})
