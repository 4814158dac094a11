/**
 * The handles of a head: those that one of its people owns, with all their nodes, so that nobody else seems to own them
 * alone. Nodes behind its people (people of the tail, and handles without an owner) are numbered anew in their order.
 * Lists of peers hold its people only, which are the first of each list.
 */
import { Lists, uint8Column } from '../../memory/columns.ts'
import { Interner } from '../../memory/interner.ts'
import { textAt } from '../../memory/text-table.ts'
import { writeGaps } from '../../snapshot/gaps.ts'
import { HandlePeers, StoredPeers } from '../../snapshot/people/peer-lists.ts'
import type { Sections } from '../../snapshot/sections.ts'
import { tabled } from '../text-sections.ts'

/** The sections of handles and of peers. */
export function handlesOfHead(sections: Sections, people: number) {
  const kept = keptHandles(sections, people)
  const { texts, rows, platforms } = rowsOf(sections, kept)
  const others = othersOf(rows.values.view(), people)
  const nodes = rows.values.view().map((node) => (node < people ? node : others.get(node)!))
  const starts = rows.starts.view()
  return {
    ...tabled('handle', texts.table()),
    'handle.node-starts': starts,
    'handle.nodes': nodes,
    'handle.platforms': Uint32Array.from(platforms),
    'unowned.places': placesOf(nodes, people, others.size),
    ...peersOf(sections, { people, kept, others, starts, nodes }),
  }
}

/** The handles that one of the first people owns, ascending. */
function keptHandles(sections: Sections, people: number): number[] {
  const [starts, nodes] = [sections['handle.node-starts'], sections['handle.nodes']]
  const kept: number[] = []
  // Nodes of a handle ascend.
  for (let handle = 0; handle + 1 < starts.length; handle += 1) {
    if (nodes[starts[handle]!]! < people) kept.push(handle)
  }
  return kept
}

/** The texts of some handles, with the nodes and platforms of each. */
function rowsOf(sections: Sections, kept: readonly number[]) {
  const table = { text: sections['handle.text'], ends: sections['handle.ends'] }
  const all = sections['handle.node-starts']
  const texts = new Interner()
  const rows = new Lists()
  const platforms: number[] = []
  for (const handle of kept) {
    texts.intern(textAt(table, handle))
    for (let at = all[handle]!; at < all[handle + 1]!; at += 1) {
      rows.values.push(sections['handle.nodes'][at]!)
      platforms.push(sections['handle.platforms'][at]!)
    }
    rows.end()
  }
  return { texts, rows, platforms }
}

/** The new number of each node that is none of the first people, in ascending order. */
function othersOf(nodes: Uint32Array, people: number): ReadonlyMap<number, number> {
  const others = [...new Set(nodes.filter((node) => node >= people))].sort((a, b) => a - b)
  return new Map(others.map((node, index) => [node, people + index]))
}

/** A position of each other node. */
function placesOf(nodes: Uint32Array, people: number, others: number): Uint32Array {
  const places = new Uint32Array(others)
  nodes.forEach((node, place) => {
    if (node >= people) places[node - people] = place
  })
  return places
}

interface HeadHandles {
  readonly people: number
  readonly kept: readonly number[]
  readonly others: ReadonlyMap<number, number>
  readonly starts: Uint32Array
  readonly nodes: Uint32Array
}

/** Lists of the first people, of the other nodes, then of handles with several nodes. */
function peersOf(sections: Sections, { people, kept, others, starts, nodes }: HeadHandles) {
  const whole = new StoredPeers(sections)
  const offsets = new Uint32Array(people + others.size + 1 + kept.length)
  const gaps = uint8Column()
  let lists = 0
  const add = (list: number) => {
    writeGaps(
      whole.of(list).filter((peer) => peer < people),
      (byte) => gaps.push(byte),
    )
    lists += 1
    offsets[lists] = gaps.length
  }
  for (let node = 0; node < people; node += 1) add(node)
  for (const node of others.keys()) add(node)
  const isShared = (index: number) => nodes[starts[index]!] !== nodes[starts[index + 1]! - 1]
  const shared = Array.from(kept.keys()).filter(isShared)
  const wholePeers = new HandlePeers(sections)
  for (const index of shared) add(wholePeers.listOf(kept[index]!))
  return {
    'handle.shared': Uint32Array.from(shared),
    'peer.starts': offsets.slice(0, lists + 1),
    'peer.gaps': gaps.view(),
  }
}
