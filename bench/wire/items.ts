/** The items of a snapshot as texts: the alternative answers from the same records and ranks. */
import { type ActiveSnapshot, activate } from '../../src/api/active-snapshot.ts'
import { textAt } from '../../src/memory/text-table.ts'
import { topicKey } from '../../src/text/analyzer.ts'
import { loadAnnounced } from '../shared/data/data.ts'

/** One authority as the alternative keeps it; its place in the order is its ordinal. */
export interface Authority {
  readonly sdu: string
  /** Of its summary item: `{"sdu":…,"rank":`, and from there to the end. */
  readonly summary: readonly [head: string, tail: string]
  readonly profile: string
  readonly text: string
}

export class Items {
  readonly #served: ActiveSnapshot

  constructor(snapshots: string) {
    this.#served = activate(loadAnnounced(snapshots))
  }

  /** By ordinal, so by descending authority score. */
  *authorities(): Iterable<Authority> {
    const { catalog } = this.#served
    const { counts, profiles } = catalog
    const keysByTopic = this.#keysByTopic()
    for (let ordinal = 0; ordinal < counts.authorities; ordinal += 1) {
      const profile = profiles.textAt(ordinal)
      const { name, topics, bio } = JSON.parse(profile) as Profile
      const keys = topics.flatMap((label) => keysByTopic.get(this.#topicOf(label)) ?? [])
      const text = `${name} ${keys.join(' ')} ${bio}`
      yield { sdu: catalog.sduOf(ordinal), summary: this.#summary(ordinal), profile, text }
    }
  }

  *handles(): Iterable<string> {
    const { sections, counts } = this.#served.catalog
    const handles = { text: sections['handle.text'], ends: sections['handle.ends'] }
    for (let entry = 0; entry < counts.handles; entry += 1) yield textAt(handles, entry)
  }

  peersOf(handle: string, count: number): Uint32Array {
    const { catalog } = this.#served
    return catalog.peersIn(catalog.peersOf({ platform: undefined, key: handle }), count).slice()
  }

  ownersOf(handle: string): { ordinal: number; rank: number }[] {
    const { catalog } = this.#served
    const ranks = catalog.sections['authority.core-ranks']
    const owners = catalog.ownersOf({ platform: undefined, key: handle })
    return owners.map((ordinal) => ({ ordinal, rank: ranks[ordinal]! }))
  }

  #topicOf(label: string): number {
    return this.#served.catalog.findTopic(topicKey(label))
  }

  #keysByTopic(): Map<number, string[]> {
    const keys = new Map<number, string[]>()
    for (const { key, topic } of this.#served.catalog.topicKeys()) {
      keys.set(topic, [...(keys.get(topic) ?? []), key])
    }
    return keys
  }

  #summary(ordinal: number): [string, string] {
    const { catalog } = this.#served
    const country = catalog.countryOf(catalog.countryNumberOf(ordinal))
    const topic = catalog.labelOf(catalog.coreTopicOf(ordinal))
    return [
      `${catalog.identities.textAt(ordinal)},"rank":`,
      `,"country_name":${JSON.stringify(country)},"topic":${JSON.stringify(topic)}}`,
    ]
  }
}

interface Profile {
  readonly name: string
  readonly topics: readonly string[]
  readonly bio: string
}
