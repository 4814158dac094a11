/**
 * What attacks and accidents take of the service: memory above rest, the waits of a bystander, and
 * the books afterwards. Works on the built service (`npm run build`), on Linux.
 */
import { type Bench, type BenchOptions, numberOf, type Outcome } from '../shared/bench.ts'
import { announcedIn } from '../shared/data/data.ts'
import { table } from '../shared/report.ts'
import { shareOf } from '../shared/rounds.ts'
import type { Attack } from './attack.ts'
import { accidents } from './attacks/accidents.ts'
import { bodyAttacks } from './attacks/bodies.ts'
import { headAttacks } from './attacks/heads.ts'
import { unreadAttacks } from './attacks/unread.ts'
import { boundsMs, plainName, queryUsd } from './single/requests.ts'
import { singleTolls, singleWrongs, type Toll, tollOf, waitMsMax, wrongsOf } from './toll.ts'

/** All of them. */
export const attacks: readonly Attack[] = [
  ...unreadAttacks,
  ...headAttacks,
  ...bodyAttacks,
  ...accidents,
]

/** One attack, and what came of it; without a toll where it cannot be done here. */
interface Row {
  readonly attack: string
  readonly toll?: Toll
  readonly lack?: string
  readonly wrongs: readonly string[]
}

/** The bench, as commands run it. */
export const abuseBench: Bench = {
  name: 'abuse',
  flags: ['only', 'single', 'snapshots'],
  run: async (options) => {
    if (options.flags?.single !== undefined) return runSingle(options)
    const rows = await run(options)
    const problems = rows.flatMap(({ attack, wrongs }) => wrongs.map((one) => `${attack}: ${one}`))
    return { result: rows.map(withoutWaits), lines: report(rows), problems }
  },
}

/** The processor time of single requests, by a snapshot of so many people. */
async function runSingle(options: BenchOptions): Promise<Outcome> {
  const snapshots = await announcedIn(options, numberOf(options, 'single')!)
  const rounds =
    options.size === 'full' ? { requests: 100, rounds: 5 } : { requests: 20, rounds: 2 }
  const tolls = await singleTolls(snapshots, rounds, options)
  const plainMs = tolls.find(({ name }) => name === plainName)!.ms
  const lines = table(tolls, {
    request: ({ name }) => name,
    'processor time, ms': ({ ms }) => ms.toFixed(3),
    '× plain match': ({ ms }) => (ms / plainMs).toFixed(1),
    'ms for a USD': ({ ms, queries }) =>
      queries === 0 ? '' : (ms / queries / queryUsd).toFixed(0),
    'bound, ms': ({ kind, queries }) => boundsMs[kind] * Math.max(1, queries),
    '': (toll) => (singleWrongs(toll).length === 0 ? '' : 'above, or answered otherwise'),
  })
  return { result: tolls, lines, problems: tolls.flatMap(singleWrongs) }
}

async function run(options: BenchOptions): Promise<Row[]> {
  const rows: Row[] = []
  const { only = '' } = options.flags ?? {}
  for (const attack of attacks.filter(({ name }) => name.includes(only))) {
    options.report(attack.name)
    rows.push(await rowOf(attack, options))
  }
  return rows
}

async function rowOf(attack: Attack, { size, signal }: BenchOptions): Promise<Row> {
  const { name } = attack
  const lack = attack.lack?.()
  if (lack !== undefined) return { attack: name, lack, wrongs: [] }
  try {
    const toll = await tollOf(attack, { size, signal })
    const isLate = size === 'full' && shareOf(toll.waitsMs, 0.99) > waitMsMax
    const late = isLate ? ['a bystander of a hundred waits for too long'] : []
    return { attack: name, toll, wrongs: [...wrongsOf(attack, toll), ...late] }
  } catch (error) {
    signal.throwIfAborted()
    return { attack: name, wrongs: [error instanceof Error ? error.message : String(error)] }
  }
}

/** The rows as a table. */
function report(rows: readonly Row[]): string[] {
  const ms = (of: (waitsMs: readonly number[]) => number) => {
    return ({ toll }: Row) => (toll === undefined ? '' : of(toll.waitsMs).toFixed(0))
  }
  return table(rows, {
    attack: ({ attack }) => attack,
    'MB above rest': ({ toll }) =>
      toll === undefined ? '' : (toll.aboveRestBytes / 2 ** 20).toFixed(0),
    "bystander's p99, ms": ms((waitsMs) => shareOf(waitsMs, 0.99)),
    'longest, ms': ms((waitsMs) => waitsMs.at(-1) ?? 0),
    'it was answered': ({ toll }) => (toll === undefined ? '' : answersOf(toll)),
    seen: ({ toll, lack }) => toll?.seen.seen ?? lack ?? '',
    books: ({ toll, wrongs }) => wrongs.join('; ') || (toll === undefined ? '' : 'right'),
  })
}

function answersOf({ statuses }: Toll): string {
  const texts = Object.entries(statuses).map(([status, count]) => `${status} ×${count}`)
  return texts.join(', ')
}

/** Thousands of numbers are of no use in a result. */
function withoutWaits({ toll, ...row }: Row): object {
  if (toll === undefined) return row
  const { waitsMs, ...rest } = toll
  return { ...row, ...rest, p99Ms: shareOf(waitsMs, 0.99), longestMs: waitsMs.at(-1) }
}
