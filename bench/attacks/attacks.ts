/**
 * What somebody can buy to stand first in a topic, and what it costs. Every attack is a row: an amount makes a
 * plan of it. The cheapest plan is looked for over all rows, and over mixtures of them.
 */
import { limits } from '../../src/limits.ts'
import type { Member, Tie, Topic } from './topics.ts'

/** What is bought for one client. */
interface Plan {
  /** What the own record, and those of made-up people, claim of weights and followers. */
  readonly weight?: number
  readonly followers?: number
  /** Symmetric ties that the client claims with so many members, the first first. */
  readonly claims?: number
  /** Made-up members who follow the client. */
  readonly fakes?: number
  readonly areVerified?: boolean
  readonly fakeFollowers?: number
  /** Whether the client follows them back. */
  readonly isMutual?: boolean
  /** Whether the client follows every second of them, who follow the others: a circle that nobody closes alone. */
  readonly isRelayed?: boolean
  /** How many other fakes each of them is tied with, as members are. */
  readonly ring?: number
  /** How many members each of them claims a tie with. */
  readonly fakeClaims?: number
  /** Members of the middle, and of the first ten, who follow the client. */
  readonly bought?: number
  readonly boughtFirst?: number
  /** Members, the first first, whose handle the client takes: who named them names the client. */
  readonly stolen?: number
  /** Members, the first first, of whom a source says that they follow the client. */
  readonly lies?: number
}

/** What each thing costs; a record, a made-up person and a claim cost 1. */
const prices = { verified: 10, bought: 100, first: 1_000 }

/** What a plan costs. */
function costOf(plan: Plan): number {
  const { fakes = 0, fakeClaims = 0, bought = 0, boughtFirst = 0, stolen = 0 } = plan
  const { claims = 0, lies = 0 } = plan
  const edit = plan.weight === undefined && plan.followers === undefined ? 0 : 1
  const people = fakes * ((plan.areVerified ? prices.verified : 1) + fakeClaims)
  return (
    edit + claims + lies + people + prices.bought * bought + prices.first * (boughtFirst + stolen)
  )
}

const claim = limits.weightMax

/** The attacks, by what is bought; each makes a plan of an amount. */
export const attacks: Readonly<Record<string, (amount: number) => Plan>> = {
  'own weight': (amount) => ({ weight: 10 ** Math.min(9, amount) }),
  'own followers': (amount) => ({ followers: 10 ** Math.min(9, amount) }),
  'ties claimed': (amount) => ({ claims: amount }),
  'fakes that follow': (amount) => ({ fakes: amount }),
  'fakes, mutual': (amount) => ({ fakes: amount, isMutual: true }),
  'fakes in circles of three': (amount) => ({ fakes: amount, isRelayed: true }),
  'fakes with followers': (amount) => ({ fakes: amount, fakeFollowers: 1e9 }),
  'a farm like a community': (amount) => ({ fakes: amount, ring: 4, isMutual: true }),
  'fakes that claim ties': (amount) => ({ fakes: amount, fakeClaims: 1 }),
  'duplicates with weights': (amount) => ({ fakes: amount, weight: claim, followers: 1e9 }),
  'verified fakes': (amount) => ({ fakes: amount, areVerified: true, fakeFollowers: 1e9 }),
  'endorsements bought': (amount) => ({ bought: amount }),
  'of the first ten': (amount) => ({ boughtFirst: amount }),
  'handles stolen': (amount) => ({ stolen: amount }),
}

/** What a source can do that lies about the others; nobody buys that, so it is in no mixture. */
export const lyingSource = (amount: number): Plan => ({ lies: amount })

/** The most of each attack that is tried. */
const amountMax = 2_000
const claimsFirst = [0, 4, 16]
const boughtFirst = [0, 1, 2, 3, 5, 8]

/** Mixtures: everything that costs nothing more, with some ties claimed and endorsements bought beside the fakes. */
const mixtures: readonly ((amount: number) => Plan)[] = claimsFirst.flatMap((claims) =>
  boughtFirst.flatMap((bought) =>
    [false, true].map((areVerified) => (amount: number) => ({
      ...{ claims, bought, areVerified, fakes: amount, isMutual: true },
      ...{ weight: claim, followers: 1e9, fakeFollowers: 1e9 },
    })),
  ),
)

/** The topic with what was bought in it; members keep their numbers. @param order of the members before. */
export function attacked(
  { members, ties }: Topic,
  client: number,
  order: readonly number[],
  plan: Plan,
): Topic {
  const { fakes = 0, ring = 0, fakeClaims = 0 } = plan
  const others = order.filter((number) => number !== client)
  const middle = others.slice(others.length >> 1)
  const fake: Member = {
    followers: plan.fakeFollowers ?? plan.followers ?? 0,
    weight: plan.weight ?? 1,
    lot: plan.areVerified ? 0 : 1,
    worth: 0,
  }
  const own = members[client]!
  const isStolen = new Set(others.slice(0, plan.stolen ?? 0))
  const taken = (end: number) => (isStolen.has(end) ? client : end)
  const kept = ties
    .map((tie) => ({ ...tie, from: taken(tie.from), to: taken(tie.to) }))
    .filter(({ from, to }) => from !== to)
  const directed = (from: number, to: number): Tie => ({ from, to, weight: 1, isSymmetric: false })
  const claimed = (from: number, to: number): Tie => ({
    ...{ from, to },
    ...{ weight: claim, isSymmetric: true },
  })
  const numbers = Array.from({ length: fakes }, (_, index) => members.length + index)
  const more = [
    ...others.slice(0, plan.claims ?? 0).map((to) => claimed(client, to)),
    ...others.slice(0, plan.lies ?? 0).map((from): Tie => {
      return { from, to: client, weight: claim, isSymmetric: false, isLie: true }
    }),
    ...middle.slice(0, plan.bought ?? 0).map((from) => directed(from, client)),
    ...others.slice(0, Math.min(10, plan.boughtFirst ?? 0)).map((from) => directed(from, client)),
    ...numbers.flatMap((number, index) => [
      ...(plan.isRelayed && index % 2 === 0 && index + 1 < fakes
        ? [directed(client, number), directed(number, number + 1)]
        : [directed(number, client)]),
      ...(plan.isMutual ? [directed(client, number)] : []),
      ...Array.from({ length: ring }, (_, step) =>
        directed(number, numbers[(index + step + 1) % fakes]!),
      ).filter(({ from, to }) => from !== to),
      ...Array.from({ length: fakeClaims }, (_, step) =>
        claimed(number, others[(index * fakeClaims + step) % others.length]!),
      ),
    ]),
  ]
  const raised = {
    ...own,
    // An attacker is in no register.
    lot: 1,
    weight: plan.weight ?? own.weight,
    followers: plan.followers ?? own.followers,
  }
  return {
    members: [...members.with(client, raised), ...numbers.map(() => fake)],
    ties: [...kept, ...more],
  }
}

/** The rank of the client when a plan is carried out. */
export type RankWith = (plan: Plan) => number

/** What it costs to get to a rank by a row; Infinity where no amount does. O(log amount) rankings. */
export function leastCost(
  planOf: (amount: number) => Plan,
  rankWith: RankWith,
  goal: number,
  costMax = Infinity,
): number {
  const reaches = (amount: number) => rankWith(planOf(amount)) <= goal
  if (costOf(planOf(0)) >= costMax) return Infinity
  if (reaches(0)) return costOf(planOf(0))
  let [low, high] = [0, 1]
  while (!reaches(high)) {
    if (high === amountMax || costOf(planOf(high)) >= costMax) return Infinity
    ;[low, high] = [high, Math.min(amountMax, 2 * high)]
  }
  while (high - low > 1) {
    const between = (low + high) >> 1
    if (reaches(between)) high = between
    else low = between
  }
  return costOf(planOf(high))
}

/** The least that anything costs: of every row, and of mixtures that cost less than the best so far. */
export function cheapest(rankWith: RankWith, goal: number, costs: readonly number[]): number {
  return mixtures.reduce(
    (least, planOf) => Math.min(least, leastCost(planOf, rankWith, goal, least)),
    Math.min(...costs),
  )
}

/** How many endorsements have to be bought beside a thousand fakes of the best kind, of which each is free. */
export function edgesNeeded(rankWith: RankWith, goal: number): number {
  const kinds: Plan[] = [
    { isMutual: true },
    { isRelayed: true },
    { isMutual: true, ring: 4 },
    { fakeClaims: 1, claims: 16 },
  ]
  const farm = { fakes: 1_000, fakeFollowers: 1e9, weight: claim, followers: 1e9 }
  const edges = kinds.map((kind) => {
    const planOf = (bought: number) => ({ ...farm, ...kind, bought })
    const cost = leastCost(planOf, rankWith, goal, costOf(planOf(100)))
    return (cost - costOf(planOf(0))) / prices.bought
  })
  return Math.min(...edges)
}
