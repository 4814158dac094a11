/** Every bench, tiny: each works, and finds nothing wrong. */
import { expect, it } from 'vitest'
import { allBenches } from '../../../bench/benches.ts'
import { temporaryDirectory } from '../../support/built.ts'

// Without another checkout, `against` compares this build with itself.
it.each(allBenches)('the bench $name has tables', async (bench) => {
  const { signal } = new AbortController()
  const options = {
    size: 'tiny',
    directory: temporaryDirectory(),
    signal,
    report: () => {},
  } as const
  const { lines, problems = [] } = await bench.run(options)
  expect(lines.filter((line) => /^\| -+/.test(line))).not.toEqual([])
  expect(problems).toEqual([])
})
