/** Every bench, tiny: each works, and finds nothing wrong. */
import { expect, it } from 'vitest'
import { allBenches } from '../../../bench/benches.ts'
import { tinyOptions } from '../../support/tiny.ts'

// Without another checkout, `against` compares this build with itself.
it.each(allBenches)('the bench $name has tables', async (bench) => {
  const { lines, problems = [] } = await bench.run(tinyOptions())
  expect(lines.filter((line) => /^\| -+/.test(line))).not.toEqual([])
  expect(problems).toEqual([])
})
