/**
 * The names that a head asks its tail for, each with numbers: an SDU with its ordinal, a handle with its owners, and a
 * handle with its peers. Names of the three kinds are apart by their first character, which no key of a handle has.
 */
import { textAt } from '../../memory/text-table.ts'
import { Identities } from '../../snapshot/people/identities.ts'
import { HandlePeers, StoredPeers } from '../../snapshot/people/peer-lists.ts'
import type { Sections } from '../../snapshot/sections.ts'

/** The name of an SDU; its numbers are the ordinal. */
export function nameOfSdu(sdu: string): string {
  return `#${sdu}`
}

/** The name of a handle; its numbers are ordinals of owners in ascending order, each with the number of a platform. */
export function nameOfHandle(key: string): string {
  return `=${key}`
}

/** The name of the peers of a handle, on one platform or on all of them; its numbers are ordinals in ascending order. */
export function nameOfPeers(key: string, platform: string | undefined): string {
  return `~${platform ?? ''}:${key}`
}

/** A name and its numbers; of a handle also the owners behind the head, ascending, each once. */
export type NameBehind = readonly [
  name: string,
  numbers: ArrayLike<number>,
  owners?: readonly number[],
]

/** Every name that a head of so many people lacks. O(people and handles of the snapshot). */
export function* namesBehind(sections: Sections, people: number): Iterable<NameBehind> {
  const identities = new Identities({ sections })
  for (let ordinal = people; ordinal < sections['authority.scores'].length; ordinal += 1) {
    yield [nameOfSdu(identities.sduOf(ordinal)), [ordinal]]
  }
  const handles = { text: sections['handle.text'], ends: sections['handle.ends'] }
  const peers = new PeersBehind(sections, people)
  for (let handle = 0; handle < handles.ends.length; handle += 1) {
    const key = textAt(handles, handle)
    const numbers = ownersBehind(sections, handle, people)
    const owners = numbers.filter((_, index) => index % 2 === 0)
    if (owners.length > 0) yield [nameOfHandle(key), numbers, [...new Set(owners)]]
    yield* peers.of(handle, key)
  }
}

/** The owners of a handle behind the head, each with its platform. */
function ownersBehind(sections: Sections, handle: number, people: number): number[] {
  const [starts, nodes] = [sections['handle.node-starts'], sections['handle.nodes']]
  const authorities = sections['authority.scores'].length
  const owners: number[] = []
  for (let at = starts[handle]!; at < starts[handle + 1]!; at += 1) {
    const node = nodes[at]!
    if (node >= people && node < authorities) owners.push(node, sections['handle.platforms'][at]!)
  }
  return owners
}

/** Peers that a head does not have all of. */
class PeersBehind {
  readonly #sections: Sections
  readonly #people: number
  readonly #peers: StoredPeers
  readonly #handlePeers: HandlePeers
  readonly #platforms: readonly string[]

  constructor(sections: Sections, people: number) {
    this.#sections = sections
    this.#people = people
    this.#peers = new StoredPeers(sections)
    this.#handlePeers = new HandlePeers(sections)
    const platforms = { text: sections['platform.text'], ends: sections['platform.ends'] }
    this.#platforms = Array.from(platforms.ends, (_, platform) => textAt(platforms, platform))
  }

  /** Those of a handle on all its platforms and on each, as `Catalog.peersOf` finds them. */
  *of(handle: number, key: string): Iterable<NameBehind> {
    const [starts, nodes] = [this.#sections['handle.node-starts'], this.#sections['handle.nodes']]
    const [start, end] = [starts[handle]!, starts[handle + 1]!]
    const isKept = nodes[start]! < this.#people
    const ofAll = this.#handlePeers.listOf(handle)
    yield* this.#named(key, undefined, ofAll, isKept)
    const byPlatform = new Map<number, Set<number>>()
    for (let at = start; at < end; at += 1) {
      const platform = this.#sections['handle.platforms'][at]!
      byPlatform.set(platform, (byPlatform.get(platform) ?? new Set()).add(nodes[at]!))
    }
    for (const [platform, own] of byPlatform) {
      const [first] = own
      yield* this.#named(key, this.#platforms[platform], own.size > 1 ? ofAll : first!, isKept)
    }
  }

  /** A list, unless the head has all of it. */
  *#named(
    key: string,
    platform: string | undefined,
    list: number,
    isKept: boolean,
  ): Iterable<NameBehind> {
    const peers = this.#peers.of(list)
    if (isKept && (peers.length === 0 || peers[peers.length - 1]! < this.#people)) return
    if (peers.length > 0) yield [nameOfPeers(key, platform), peers.slice()]
  }
}
