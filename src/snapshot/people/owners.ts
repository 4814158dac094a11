/** Looks up people and handles of the current snapshot for a sync; keeps only these tables. */
import { allTexts, findText, Scratch, type TextTable } from '../../memory/text-table.ts'
import type { StoredFacts } from '../facts.ts'
import type { References, Sections } from '../sections.ts'
import { tableOf, textsOf } from '../text-tables.ts'
import { Identities } from './identities.ts'

type ClaimSections = Pick<Sections, 'handle.node-starts' | 'handle.nodes' | 'handle.platforms'>

export function forClaims(
  { sections }: { readonly sections: ClaimSections },
  visit: (handle: number, node: number, platform: number) => void,
): void {
  const starts = sections['handle.node-starts']
  const nodes = sections['handle.nodes']
  const platforms = sections['handle.platforms']
  for (let handle = 0; handle + 1 < starts.length; handle += 1) {
    for (let at = starts[handle]!; at < starts[handle + 1]!; at += 1) {
      visit(handle, nodes[at]!, platforms[at]!)
    }
  }
}

export class Owners {
  readonly #people: Identities
  readonly #handles: TextTable
  readonly #starts: Uint32Array
  readonly #nodes: Uint32Array
  readonly #platforms: References
  readonly #platformNumbers: ReadonlyMap<string, number>
  readonly #authorities: number
  readonly #scratch = new Scratch()

  constructor(snapshot: StoredFacts) {
    const { sections, header } = snapshot
    this.#people = new Identities(snapshot)
    this.#handles = tableOf(snapshot, 'handle')
    this.#starts = sections['handle.node-starts']
    this.#nodes = sections['handle.nodes']
    this.#platforms = sections['handle.platforms']
    this.#platformNumbers = new Map(
      allTexts(textsOf(snapshot, 'platform')).map((platform, number) => [platform, number]),
    )
    this.#authorities = header.counts.authorities
  }

  has(sdu: string): boolean {
    return this.#people.find(sdu) >= 0
  }

  /** The SDU of the owner of a handle, `platform:key`; undefined where it has none. */
  ownerOf(end: string): string | undefined {
    const ordinal = this.ordinalOf(end)
    return ordinal === undefined ? undefined : this.#people.sduOf(ordinal)
  }

  ordinalOf(end: string): number | undefined {
    const colon = end.indexOf(':')
    const platform = this.#platformNumbers.get(end.slice(0, colon))
    if (platform === undefined) return undefined
    const handle = findText(this.#handles, end.slice(colon + 1), this.#scratch)
    if (handle < 0) return undefined
    for (let at = this.#starts[handle]!; at < this.#starts[handle + 1]!; at += 1) {
      const node = this.#nodes[at]!
      if (node < this.#authorities && this.#platforms[at] === platform) return node
    }
    return undefined
  }
}
