/** How good each order of a community is, against who is planted as an authority. */
import type { Community } from './community.ts'
import { type OrderName, orderNames, type Standings } from './orders.ts'

/** How many of a topic's members are its authorities, and how many of an order are looked at. */
const authoritiesPerTopic = 20
const looked = 10
/** Smaller topics are not measured: nearly all of them would be authorities. */
const membersMin = 3 * authoritiesPerTopic

export type Quality = Readonly<Record<OrderName, number>>

/**
 * NDCG@10 (Järvelin, Kekäläinen 2002) of each order, the mean over the topics: the best member of a
 * topic is worth 20, the next 19, and so on; a person outside the best 20 is worth nothing.
 */
export function qualityOf(community: Community, { orders }: Standings): Quality {
  const gains = gainsOf(community)
  const figures = orderNames.map((name) => {
    const values = gains.flatMap((gain, topic) =>
      gain === undefined ? [] : [ndcg(orders[name][topic]!, gain)],
    )
    return [name, values.reduce((sum, value) => sum + value, 0) / values.length] as const
  })
  return Object.fromEntries(figures) as Quality
}

/** Of each topic what its authorities are worth; undefined where it is too small. */
function gainsOf({ topics, people }: Community): (ReadonlyMap<number, number> | undefined)[] {
  const rows = Array.from({ length: topics }, () => [] as { person: number; skill: number }[])
  for (const [person, each] of people.entries()) {
    for (const { topic, skill } of each.topics) rows[topic]!.push({ person, skill })
  }
  return rows.map((row) => {
    if (row.length < membersMin) return undefined
    row.sort((a, b) => b.skill - a.skill)
    const best = row.slice(0, authoritiesPerTopic)
    return new Map(best.map(({ person }, place) => [person, authoritiesPerTopic - place]))
  })
}

function ndcg(order: readonly number[], gain: ReadonlyMap<number, number>): number {
  const worth = (gains: readonly number[]) =>
    gains.slice(0, looked).reduce((sum, value, place) => sum + value / Math.log2(place + 2), 0)
  const best = [...gain.values()].sort((a, b) => b - a)
  return worth(order.slice(0, looked).map((person) => gain.get(person) ?? 0)) / worth(best)
}
