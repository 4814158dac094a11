/** Every bench, tiny: each works, and finds nothing wrong. `abuse/attacks.suite.ts` tries the attacks one by one. */
import { expect, it } from 'vitest'
import { abuseBench } from '../../../bench/abuse/bench.ts'
import { againstBench } from '../../../bench/against/bench.ts'
import { benches } from '../../../bench/benches.ts'
import { tinyOptions } from '../../support/tiny.ts'

// Without another checkout, `against` compares this build with itself.
const tried = [...benches.filter((bench) => bench !== abuseBench), againstBench]

it.each(tried)('the bench $name has tables', async (bench) => {
  const { lines, problems = [] } = await bench.run(tinyOptions())
  expect(lines.filter((line) => /^\| -+/.test(line))).not.toEqual([])
  expect(problems).toEqual([])
})
