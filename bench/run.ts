/**
 * All benches, one after the other: prints their tables and writes their results as JSON. One that fails
 * does not keep the others from running; the exit code says so.
 *
 *     npm run bench                    tiny: seconds, to see that every bench works
 *     npm run bench -- --full          the real thing: an hour and more, on a machine at rest
 *     npm run bench -- --full search   only the benches that are named
 *     npm run bench -- --full --record   and their tables become the record, bench/record.json
 */
import { parseArgs } from 'node:util'
import { benches } from './benches.ts'
import { commonFlags, refuseTinyRecords, runBench } from './shared/bench.ts'

const { values, positionals } = parseArgs({ options: commonFlags, allowPositionals: true })
const names = benches.map(({ name }) => name)
const unknown = positionals.find((name) => !names.includes(name))
if (unknown !== undefined) {
  console.error(`no bench '${unknown}'; there are ${names.join(', ')}`)
  process.exitCode = 2
} else {
  refuseTinyRecords(values)
  const wanted = positionals.length === 0 ? names : positionals
  for (const bench of benches.filter(({ name }) => wanted.includes(name))) {
    console.log(`## ${bench.name}\n`)
    await runBench(bench, values).catch((error: Error) => {
      console.error(`${bench.name} failed, and is not recorded: ${error.stack}`)
      process.exitCode = 1
    })
    console.log('')
  }
}
