/**
 * What the first ten and the first place of a topic cost an attacker, by every attack and by the cheapest mixture,
 * and what each defence takes of the quality. No clock: the same seeds give the same figures on every machine.
 */
import type { Bench, BenchOptions, BenchSize } from '../shared/bench.ts'
import {
  attacked,
  attacks,
  cheapest,
  edgesNeeded,
  leastCost,
  lyingSource,
  type RankWith,
} from './attacks.ts'
import { former, formulas, served } from './defences.ts'
import { type Formula, massesOf, orderOf } from './formulas.ts'
import { qualityIn } from './quality.ts'
import { type AttackResult, type CostRow, type DefenceRow, report } from './report.ts'
import { type Topic, worlds } from './topics.ts'

interface Size {
  readonly people: number
  readonly topicsEach: number
  /** For quality, and how many of these are attacked: one topic of each. */
  readonly seeds: number
  readonly attackedSeeds: number
  readonly worlds: readonly string[]
  readonly defences: readonly string[]
}

const sizes: Readonly<Record<BenchSize, Size>> = {
  tiny: {
    ...{ people: 50, topicsEach: 1, seeds: 1, attackedSeeds: 1 },
    worlds: ['communities'],
    defences: [former, served],
  },
  full: {
    ...{ people: 2_500, topicsEach: 3, seeds: 5, attackedSeeds: 1 },
    worlds: Object.keys(worlds),
    defences: Object.keys(formulas),
  },
}

/** Where the client stands before, and where it wants to be. */
const starts = { last: (count: number) => count - 1, median: (count: number) => count >> 1 }
const goals = [10, 1]

/** The bench, as commands run it. */
export const attacksBench: Bench = {
  name: 'attacks',
  run: async (options) => {
    const result = run(options)
    return { result, lines: report(result) }
  },
}

/** Runs the bench. */
function run({ size, signal, report: tell }: BenchOptions): AttackResult {
  const { seeds, attackedSeeds, worlds: names, defences, ...plan } = sizes[size]
  const numbers = Array.from({ length: seeds }, (_, index) => index + 1)
  const made = names.map((world) => {
    const topics = numbers.map((seed) => worlds[world]!({ ...plan, seed }))
    // One topic of each seed, and not the same in all.
    const chosen = topics.slice(0, attackedSeeds).map((each, at) => each.at(-1 - (at % 2))!)
    return { world, topics: topics.flat(), chosen }
  })
  const costs = made.map(({ world, chosen }) => {
    tell(world)
    signal.throwIfAborted()
    return { world, rows: costRowsOf(chosen) }
  })
  const rows = defences.map((name): DefenceRow => {
    tell(name)
    signal.throwIfAborted()
    const formula = formulas[name]!
    const inWorlds = made.map(({ world, topics, chosen }) => ({
      world,
      qualities: topics.map((topic) => qualityIn(topic, formula)),
      ...soldBy(chosen, formula),
    }))
    return { defence: name, worlds: inWorlds }
  })
  return { costs, defences: rows }
}

/** How a plan ranks the client who stands at a place of the order of a topic. */
export function buyerIn(topic: Topic, formula: Formula, start: keyof typeof starts): RankWith {
  const order = orderOf(massesOf(topic, formula))
  const client = order[starts[start](order.length)]!
  return (plan) =>
    orderOf(massesOf(attacked(topic, client, order, plan), formula)).indexOf(client) + 1
}

/** Of each attack, of the cheapest mixture and of a farm that costs nothing: the costs in each topic. */
function costRowsOf(topics: readonly Topic[]): CostRow[] {
  const columns = (Object.keys(starts) as (keyof typeof starts)[]).flatMap((start) =>
    goals.flatMap((goal) =>
      [former, served].map((name) => {
        const all = topics.map((topic) => costsIn(buyerIn(topic, formulas[name]!, start), goal))
        return { title: `${start} → ${goal}, ${name}`, all }
      }),
    ),
  )
  return Object.keys(columns[0]!.all[0]!).map((attack) => ({
    attack,
    costs: Object.fromEntries(
      columns.map(({ title, all }) => [title, all.map((costs) => costs[attack]!)]),
    ),
  }))
}

/** The least cost of each attack, and of everything. */
export function costsIn(rankWith: RankWith, goal: number): Readonly<Record<string, number>> {
  const costs = Object.entries(attacks).map(
    ([name, planOf]) => [name, leastCost(planOf, rankWith, goal)] as const,
  )
  const least = cheapest(
    rankWith,
    goal,
    costs.map(([, cost]) => cost),
  )
  return { ...Object.fromEntries(costs), 'the cheapest, mixtures too': least }
}

/** What the first ten cost from the last place. */
function soldBy(topics: readonly Topic[], formula: Formula) {
  const buyers = topics.map((topic) => buyerIn(topic, formula, 'last'))
  return {
    least: buyers.map((rankWith) => costsIn(rankWith, 10)['the cheapest, mixtures too']!),
    fakes: buyers.map((rankWith) => leastCost(attacks['fakes, mutual']!, rankWith, 10)),
    verified: buyers.map((rankWith) => leastCost(attacks['verified fakes']!, rankWith, 10)),
    lies: buyers.map((rankWith) => leastCost(lyingSource, rankWith, 10)),
    edges: buyers.map((rankWith) => edgesNeeded(rankWith, 10)),
  }
}
