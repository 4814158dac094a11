/**
 * Look-ups of many values at once. Each step runs for all values before the next step, so the processor
 * waits for uncached memory once for all values instead of once for each.
 */
import { limits } from '../limits.ts'
import { BatchLookup, type HashedTexts } from '../memory/batch-lookup.ts'
import { uint32Column } from '../memory/columns.ts'
import type { TextTable } from '../memory/text-table.ts'
import type { Snapshot } from '../snapshot/file.ts'
import type { References } from '../snapshot/sections.ts'

/** Keys of handles, each on a platform by its key, or on all its platforms. */
export interface HandleKeys extends HashedTexts {
  readonly platforms: readonly (string | undefined)[]
}

/** Owners: those of handle i are `ordinals` from `starts[i]` to `starts[i + 1]`. */
export interface OwnerLists {
  readonly starts: Uint32Array
  /** By descending authority score, each once for a handle. */
  readonly ordinals: Uint32Array
}

const countMax = limits.batchValuesMax

export class CatalogBatch {
  readonly #handles: TextTable
  readonly #nodeStarts: Uint32Array
  readonly #nodes: Uint32Array
  readonly #nodePlatforms: References
  readonly #platforms: readonly string[]
  readonly #authorities: number
  readonly #lookup = new BatchLookup(countMax)
  readonly #places = new Uint32Array(countMax)
  readonly #starts = new Uint32Array(countMax + 1)
  readonly #owners = new Int32Array(countMax)
  readonly #ordinals = uint32Column()
  readonly #scores: Uint16Array

  /** @param platforms their keys by their numbers. */
  constructor({ header, sections }: Snapshot, handles: TextTable, platforms: readonly string[]) {
    this.#handles = handles
    this.#nodeStarts = sections['handle.node-starts']
    this.#nodes = sections['handle.nodes']
    this.#nodePlatforms = sections['handle.platforms']
    this.#platforms = platforms
    this.#authorities = header.counts.authorities
    this.#scores = sections['authority.scores']
  }

  /** The owners of each handle, as `Catalog.ownersOf` lists them; good until the next call. */
  ownersOf(handles: HandleKeys): OwnerLists {
    const { count, platforms } = handles
    const found = this.#find(handles)
    const ordinals = this.#ordinals
    ordinals.length = 0
    for (let index = 0; index < count; index += 1) {
      if (found[index]! >= 0) this.#addOwners(found[index]!, platforms[index])
      this.#starts[index + 1] = ordinals.length
    }
    return { starts: this.#starts, ordinals: ordinals.view() }
  }

  /** The top owner of each, or -1, with its score read ahead; good until the next call. */
  topOwnersOf(handles: HandleKeys): Int32Array {
    const { starts, ordinals } = this.ownersOf(handles)
    const [owners, places] = [this.#owners, this.#places]
    for (let index = 0; index < handles.count; index += 1) {
      const start = starts[index]!
      owners[index] = start < starts[index + 1]! ? ordinals[start]! : -1
      places[index] = Math.max(0, owners[index]!)
    }
    this.#lookup.fetchShort(this.#scores, places, handles.count)
    return owners
  }

  /** The entry of each handle, or -1, with its nodes read ahead. */
  #find(handles: HandleKeys): Int32Array {
    const { count } = handles
    const [lookup, places, nodeStarts] = [this.#lookup, this.#places, this.#nodeStarts]
    const found = lookup.find(this.#handles, handles)
    for (let index = 0; index < count; index += 1) places[index] = Math.max(0, found[index]!)
    lookup.fetch(nodeStarts, places, count)
    for (let index = 0; index < count; index += 1) places[index] = nodeStarts[places[index]!]!
    lookup.fetch(this.#nodes, places, count)
    return found
  }

  /** Nodes are ascending, authorities before all others. */
  #addOwners(handle: number, platform: string | undefined): void {
    const nodes = this.#nodes
    const end = this.#nodeStarts[handle + 1]!
    let last = -1
    for (let at = this.#nodeStarts[handle]!; at < end; at += 1) {
      const node = nodes[at]!
      if (node >= this.#authorities) break
      const isThere =
        platform === undefined || this.#platforms[this.#nodePlatforms[at]!] === platform
      if (!isThere || node === last) continue
      this.#ordinals.push(node)
      last = node
    }
  }
}
