/**
 * Whether the ledger keeps its word over real connections: a balance is spent to the last query and
 * no further, backups that are taken meanwhile are whole, and a service that is killed at random moments loses no top-up, charges nothing
 * twice, and loses at most one commit window of charges. Measures nothing: it counts violations,
 * shows one table, and fails when there is any. Works on the built service (`npm run build`).
 */
import { join } from 'node:path'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { Children } from '../shared/processes/children.ts'
import { Random } from '../shared/random.ts'
import { table } from '../shared/report.ts'
import { affordableQueries, asksEach, type Race, race, racers } from './balance-race.ts'
import { type HotBackup, hotBackups } from './hot-backup.ts'
import { type Kill, kills } from './kill.ts'

/** One claim: what was found in all rounds, what it allows, and whether that fits. */
export interface Finding {
  readonly claim: string
  readonly rounds: number
  readonly found: string
  readonly allowed: string
  readonly holds: boolean
}

const sizes = {
  tiny: { races: 1, backups: 3, kills: 5, loadMsMax: 300 },
  full: { races: 20, backups: 50, kills: 200, loadMsMax: 1_500 },
} as const

/** Draws the moments of the kills. */
const seed = 1

/** The bench, as commands run it. */
export const ledgerBench: Bench = {
  name: 'ledger-torture',
  run: async (options) => {
    const findings = await run(options)
    const broken = findings.filter(({ holds }) => !holds)
    const problems = broken.map(({ claim, found }) => `does not hold: ${claim} (${found})`)
    return { result: { findings }, lines: report(findings), problems }
  },
}

/**
 * Runs both parts.
 * @throws Error when the books do not balance after a restart.
 */
export async function run({ size, signal }: BenchOptions): Promise<Finding[]> {
  const plan = sizes[size]
  const children = new Children(signal)
  try {
    const races: Race[] = []
    for (let round = 0; round < plan.races; round++) {
      races.push(await race(children, join(children.directory, `race-${round}`)))
    }
    const backedUp = join(children.directory, 'backed-up')
    const backups = await hotBackups(children, backedUp, plan.backups)
    const data = join(children.directory, 'kills')
    const killed = await kills(children, data, plan, new Random(seed, 1))
    return [...raceFindings(races), ...backupFindings(backups), ...killFindings(killed)]
  } finally {
    await children.close()
  }
}

/** What the races say: every number is the same in every round. */
export function raceFindings(races: readonly Race[]): Finding[] {
  const always = (claim: string, expected: number, values: readonly number[]): Finding => ({
    claim,
    rounds: races.length,
    found: rangeOf(values),
    allowed: String(expected),
    holds: values.length > 0 && values.every((value) => value === expected),
  })
  const each = (name: 'served' | 'refused' | 'queriesCharged' | 'bookMicroUsd') =>
    races.map((race) => race[name])
  // A balance that no refusal told is not a balance of 0.
  const live = races.flatMap(({ liveMicroUsd }) => {
    return liveMicroUsd.length === 0 ? [Number.NaN] : liveMicroUsd
  })
  const affordable = `${affordableQueries} affordable queries`
  const refused = racers * asksEach - affordableQueries
  return [
    always(`200s to ${racers} connections for ${affordable}`, affordableQueries, each('served')),
    always('402s to them, everything else', refused, each('refused')),
    always('live balance at the end, micro-USD', 0, live),
    always('balance of the journal at the end, micro-USD', 0, each('bookMicroUsd')),
    always('queries on the statement', affordableQueries, each('queriesCharged')),
  ]
}

/** What the backups say: there was load, and no copy is behind by more than a window. */
export function backupFindings(backups: readonly HotBackup[]): Finding[] {
  const rounds = backups.length
  const behind = backups.map(({ answeredBefore, charged }) => Math.max(0, answeredBefore - charged))
  const late = backups.filter(({ charged, settledBefore }) => charged < settledBefore).length
  const early = backups.filter(
    ({ charged, answeredAfter, inFlightMax }) => charged > answeredAfter + inFlightMax,
  ).length
  const missing = backups.reduce((sum, { topUpsMissing }) => sum + topUpsMissing, 0)
  const isLoaded = backups.every(
    ({ answeredBefore, answeredAfter, topUpsAcknowledged }) =>
      answeredAfter > answeredBefore && topUpsAcknowledged > 0,
  )
  const none = (claim: string, count: number): Finding => ({
    claim,
    rounds,
    found: String(count),
    allowed: '0',
    holds: rounds > 0 && isLoaded && count === 0,
  })
  return [
    none('backups under load that lack more than the window being sold', late),
    none('backups that charge more than was answered and in flight', early),
    none('acknowledged top-ups that a backup lacks', missing),
    {
      claim: 'answers before a backup that it lacks: fewest, most',
      rounds,
      found: rangeOf(behind),
      allowed: 'those of one window and a commit',
      holds: rounds > 0 && late === 0,
    },
  ]
}

/** What the kills say: sums show that there was something to lose, counts of bad rounds are 0. */
export function killFindings(rounds: readonly Kill[]): Finding[] {
  const finding = (claim: string, found: string, allowed: string, holds: boolean): Finding => ({
    claim,
    rounds: rounds.length,
    found,
    allowed,
    holds: rounds.length > 0 && holds,
  })
  const sum = (count: (kill: Kill) => number) =>
    rounds.reduce((total, kill) => total + count(kill), 0)
  const some = (claim: string, count: number) => finding(claim, String(count), 'some', count > 0)
  const none = (claim: string, count: number) => finding(claim, String(count), '0', count === 0)
  const lost = ({ answered, charged }: Kill) => Math.max(0, answered - charged)
  const ages = rounds.map(({ oldestLostMs }) => oldestLostMs).sort((a, b) => a - b)
  const tooMany = rounds.filter((kill) => lost(kill) > kill.losable).length
  const twice = rounds.filter((kill) => kill.charged > kill.answered + kill.inFlightMax).length
  return [
    some(
      'queries answered until the kills',
      sum(({ answered }) => answered),
    ),
    none(
      'answers other than 200',
      sum(({ otherAnswers }) => otherAnswers),
    ),
    some(
      'top-ups acknowledged meanwhile',
      sum(({ topUpsAcknowledged }) => topUpsAcknowledged),
    ),
    none(
      'top-ups lost',
      sum(({ topUpsLost }) => topUpsLost),
    ),
    some(
      'queries charged of them',
      sum(({ charged }) => charged),
    ),
    none('kills with more charged than answered and in flight', twice),
    none('kills that lost what an earlier window had sold', tooMany),
    finding(
      'charges lost, in all',
      String(sum(lost)),
      `at most ${sum(({ losable }) => losable)}`,
      tooMany === 0,
    ),
    finding(
      'age of the oldest lost charge, ms: median, most',
      `${ages[ages.length >> 1]?.toFixed(0)}, ${ages.at(-1)?.toFixed(0)}`,
      'one window and a commit',
      tooMany === 0,
    ),
    none(
      'restarts with another live balance than the books',
      rounds.filter(({ liveErrorMicroUsd }) => liveErrorMicroUsd !== 0).length,
    ),
  ]
}

function rangeOf(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return least === most ? String(least) : `${least} to ${most}`
}

/** The findings as a table. */
export function report(findings: readonly Finding[]): string[] {
  return table(findings, {
    claim: ({ claim }) => claim,
    rounds: ({ rounds }) => rounds,
    found: ({ found }) => found,
    allowed: ({ allowed }) => allowed,
    holds: ({ holds }) => (holds ? 'yes' : 'NO'),
  })
}
