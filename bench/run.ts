/**
 * All benches, one after the other: prints their tables and writes their results as JSON.
 *
 *     npm run bench                    tiny: seconds, to see that every bench works
 *     npm run bench -- --full          the real thing: an hour and more, on a machine at rest
 *     npm run bench -- --full search   only the benches that are named
 */
import { parseArgs } from 'node:util'
import * as charging from './charging.ts'
import type { BenchSize } from './data.ts'
import * as guard from './guard.ts'
import { untilInterrupted } from './interrupt.ts'
import * as torture from './ledger-torture.ts'
import * as mcp from './mcp.ts'
import * as relevanceFigures from './relevance/figures.ts'
import * as relevance from './relevance.ts'
import { isMain } from './report.ts'
import { writeResult } from './results.ts'
import * as search from './search.ts'
import * as swapRows from './swap/rows.ts'
import * as swap from './swap.ts'
import * as wire from './wire.ts'

/** Runs a bench; answers what goes into its JSON, and the lines that show it. */
type RunBench = (
  size: BenchSize,
) => Promise<{ readonly result: unknown; readonly lines: readonly string[] }>

const benches: Readonly<Record<string, RunBench>> = {
  search: async (size) => {
    const rows = await search.run(size)
    return { result: { rows }, lines: search.report(rows) }
  },
  relevance: async (size) => {
    const result = await relevance.run(relevance.sizes[size])
    return { result, lines: relevanceFigures.report(result.kinds, result.scripts) }
  },
  charging: async (size) => {
    const rows = await untilInterrupted((signal) => charging.run({ size, signal }))
    return { result: { rows }, lines: charging.report(rows) }
  },
  'ledger-torture': async (size) => {
    const findings = await untilInterrupted((signal) => torture.run({ size, signal }))
    return { result: { findings }, lines: torture.report(findings) }
  },
  guard: async (size) => {
    const rows = await untilInterrupted((signal) => guard.run({ size, signal }))
    return { result: { rows }, lines: guard.report(rows) }
  },
  mcp: async (size) => {
    const rows = await untilInterrupted((signal) => mcp.run(size, signal))
    return { result: { rows }, lines: mcp.report(rows) }
  },
  swap: async (size) => {
    const rows = await untilInterrupted((signal) =>
      swap.run({ size, signal, report: console.error }),
    )
    return { result: { rows }, lines: swapRows.report(rows) }
  },
  wire: async (size) => {
    const result = await untilInterrupted((signal) =>
      wire.run({ size, signal, report: console.error }),
    )
    return { result, lines: wire.report(result) }
  },
}

async function runAll(names: readonly string[], size: BenchSize): Promise<void> {
  for (const name of names) {
    const startedAt = new Date()
    const { result, lines } = await benches[name]!(size)
    console.log([`## ${name}`, '', ...lines, ''].join('\n'))
    console.error(`written to ${writeResult({ bench: name, size, startedAt, result })}`)
  }
}

if (isMain(import.meta.url)) {
  const options = { full: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const names = positionals.length === 0 ? Object.keys(benches) : positionals
  const unknown = names.filter((name) => !Object.hasOwn(benches, name))
  if (unknown.length > 0) {
    console.error(`no bench '${unknown[0]}'; there are ${Object.keys(benches).join(', ')}`)
    process.exitCode = 2
  } else {
    await runAll(names, values.full ? 'full' : 'tiny')
  }
}
