/**
 * Runs benches, one after the other, and prints their tables: bench/README.md. One that fails does not keep the
 * others from running; the exit code says so.
 */
import { parseArgs } from 'node:util'
import { allBenches, benches } from './benches.ts'
import { type RunFlags, runBench } from './shared/bench.ts'

const text = { type: 'string' } as const
const own = allBenches.flatMap(({ flags = [] }) => flags.map((name) => [name, text] as const))
const { values, positionals } = parseArgs({
  options: { ...Object.fromEntries(own), full: { type: 'boolean' }, record: { type: 'boolean' } },
  allowPositionals: true,
})
const { full, record, ...flags } = values as Record<string, string> & RunFlags
const named = allBenches.filter(({ name }) => positionals.includes(name))
const wanted = positionals.length === 0 ? benches : named
const isKnown = (flag: string) => wanted.every((bench) => bench.flags?.includes(flag) === true)
const unknown = [
  ...positionals.filter((name) => named.every((bench) => bench.name !== name)),
  ...Object.keys(flags)
    .filter((flag) => !isKnown(flag))
    .map((flag) => `--${flag}`),
]
if (unknown.length > 0) {
  const known = allBenches.map(({ name, flags = [] }) =>
    [name, ...flags.map((f) => `--${f}`)].join(' '),
  )
  console.error(`no bench or flag of it: ${unknown.join(' ')}; there are ${known.join(', ')}`)
  process.exitCode = 2
} else {
  if (record && !full) throw new Error('--record wants --full: figures of tiny runs mean nothing')
  for (const bench of wanted) {
    console.log(`## ${bench.name}\n`)
    await runBench(bench, { full, record }, flags).catch((error: Error) => {
      console.error(`${bench.name} failed, and is not recorded: ${error.stack}`)
      process.exitCode = 1
    })
    console.log('')
  }
}
