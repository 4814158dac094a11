/**
 * What an explanation costs: the latency of the same requests plain and with `explain=true`, on one
 * connection, one after the other by turns. And whether all that a snapshot says of ranks is true: parts that add up, and
 * ranks that follow from the shares.
 */
import { Catalog } from '../../src/engine/catalog.ts'
import { getRequest } from '../../test/support/processes/answer-reader.ts'
import { Children } from '../../test/support/processes/children.ts'
import { Connection } from '../../test/support/processes/connection.ts'
import { startRichService } from '../../test/support/processes/service.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { benchData, loadAnnounced } from '../shared/data/data.ts'
import { makeWorkloads, mixedNames, type Workload } from '../shared/data/workloads.ts'
import { table } from '../shared/report.ts'
import { median, type Ratios, type Round, ratiosOf, shareOf } from '../shared/rounds.ts'

/** What explanations cost on one route; latencies are the 99th percentiles, medians of the rounds. */
export interface ExplainRow extends Ratios {
  readonly route: string
  readonly plainP99Us: number
  readonly explainedP99Us: number
}

/** All that came of a run. */
interface ExplainResult {
  readonly rows: readonly ExplainRow[]
  /** Ranks of members in topics that were added up. */
  readonly ranks: number
  readonly wrong: readonly string[]
}

type Manner = 'plain' | 'explained'

/** The most that an explained request may take of a plain one. */
const ratioTarget = 2

const sizes = {
  tiny: { authorities: 300, rounds: 1, pairs: 50, routes: 1, pathsMax: 100 },
  full: { authorities: 100_000, rounds: 10, pairs: 3_000, routes: 4, pathsMax: 10_000 },
} as const

/** The bench, as commands run it. */
export const explainBench: Bench = {
  name: 'explain',
  run: async (options) => {
    const result = await run(options)
    return { result, lines: report(result), problems: result.wrong }
  },
}

/** Runs the bench. */
export async function run({ size, signal, directory }: BenchOptions): Promise<ExplainResult> {
  const { authorities, routes, pathsMax } = sizes[size]
  const children = new Children(signal)
  try {
    const { snapshots } = await benchData(authorities, directory)
    const snapshot = loadAnnounced(snapshots)
    const workloads = makeWorkloads(snapshot, children.directory, pathsMax)
    const { port, key } = await startRichService(children, { snapshots, threads: 1 })
    const connection = await Connection.open(port)
    const rows: ExplainRow[] = []
    for (const name of mixedNames.slice(0, routes)) {
      const workload = workloads.find((each) => each.name === name)!
      const rounds = await roundsFor(workload, { connection, key, ...sizes[size] })
      rows.push(rowOf(workload.route, rounds))
    }
    connection.close()
    return { rows, ...addUp(new Catalog(snapshot)) }
  } finally {
    await children.close()
  }
}

interface Asking {
  readonly connection: Connection
  readonly key: string
  readonly rounds: number
  /** Requests of each manner in each round. */
  readonly pairs: number
}

/** The 99th percentiles of each round, in microseconds; one round before warms up. */
async function roundsFor(
  { paths }: Workload,
  { rounds, pairs, ...asking }: Asking,
): Promise<Round<Manner>[]> {
  const measured: Round<Manner>[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const plain = new Float64Array(pairs)
    const explained = new Float64Array(pairs)
    for (let pair = 0; pair < pairs; pair += 1) {
      const path = paths[(round * pairs + pair) % paths.length]!
      plain[pair] = await latencyOf(path, asking)
      explained[pair] = await latencyOf(`${path}&explain=true`, asking)
    }
    const figures = {
      plain: shareOf(plain.sort(), 0.99),
      explained: shareOf(explained.sort(), 0.99),
    }
    if (round > 0) measured.push(figures)
  }
  return measured
}

/** Microseconds from the sending of a request to its answer. @throws Error for any answer but 200. */
async function latencyOf(
  path: string,
  { connection, key }: Pick<Asking, 'connection' | 'key'>,
): Promise<number> {
  const request = getRequest(path, key)
  const startedMs = performance.now()
  const answer = await connection.ask(request)
  const latencyUs = (performance.now() - startedMs) * 1_000
  if (answer?.status !== 200) throw new Error(`${path} was answered with ${answer?.status}`)
  return latencyUs
}

/** What the rounds of one route say. */
export function rowOf(route: string, rounds: readonly Round<Manner>[]): ExplainRow {
  return {
    route,
    plainP99Us: median(rounds.map(({ plain }) => plain)),
    explainedP99Us: median(rounds.map(({ explained }) => explained)),
    ...ratiosOf(rounds, 'explained', 'plain'),
  }
}

/** Adds up the parts of every rank in every topic, and sorts by the shares. */
export function addUp(catalog: Catalog): {
  readonly ranks: number
  readonly wrong: readonly string[]
} {
  const { counts, sections, evidence } = catalog
  const wrong: string[] = []
  let ranks = 0
  for (let topic = 0; topic < counts.topics; topic += 1) {
    const { start, end } = catalog.membersOf(topic)
    const ranking = Array.from(sections['topic.members'].subarray(start, end), (ordinal) =>
      evidence.ofMember(topic, ordinal),
    )
    ranking.sort((a, b) => b.share - a.share || a.ordinal - b.ordinal)
    ranking.forEach(({ rank, share, ownShare, endorserCount }, index) => {
      ranks += 1
      const endorsement = share - ownShare
      const isMade = endorsement >= 0 && (endorsement <= 1 || endorserCount > 0)
      if (rank !== index + 1 || !isMade) wrong.push(`topic ${topic}, rank ${rank} does not add up`)
    })
  }
  return { ranks, wrong }
}

/** The result as a table and a sentence. */
export function report({ rows, ranks, wrong }: ExplainResult): string[] {
  return [
    ...table(rows, {
      route: ({ route }) => route,
      'plain p99 µs': ({ plainP99Us }) => plainP99Us.toFixed(0),
      'explained p99 µs': ({ explainedP99Us }) => explainedP99Us.toFixed(0),
      ratio: ({ ratioMedian }) => ratioMedian.toFixed(2),
      least: ({ ratioLeast }) => ratioLeast.toFixed(2),
      most: ({ ratioMost }) => ratioMost.toFixed(2),
      target: () => ratioTarget.toFixed(2),
    }),
    '',
    `${ranks - wrong.length} of ${ranks} ranks in topics are what their parts add up to.`,
  ]
}
