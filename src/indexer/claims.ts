/**
 * Claims: which record says that a handle or identifier is its authority's. A handle has one node: its
 * owner, or a number that no authority has. If several records claim one handle, nothing is decided
 * before all authorities were read; then one of them keeps it, or none.
 */
import { uint32Column } from '../memory/columns.ts'
import { Interner } from '../memory/interner.ts'
import type { AuthorityRecord } from '../source/schema.ts'
import {
  type Handle,
  platformKey,
  type ReadHandle,
  readHandle,
  readIdentifier,
} from '../text/handle.ts'
import { Positions } from './positions.ts'

export interface RecordOrigin {
  readonly position: string
  readonly isCorrected: (field: RecordField) => boolean
  /** Whether its name imitates another. */
  readonly isImitation?: boolean
}

type RecordField = 'socials' | 'identifiers'

interface RecordClaim {
  readonly name: RecordField
  /** The platform or scheme, as the record names it. */
  readonly part: string
  /** `platform:handle` or `scheme:value`, as written. */
  readonly text: string
  readonly read: ReadHandle
}

export function claimOfSocial({
  platform,
  handle,
}: AuthorityRecord['socials'][number]): RecordClaim {
  const read = readHandle(platform, handle)
  return { name: 'socials', part: platform, text: `${platform}:${handle}`, read }
}

export function claimOfIdentifier({
  scheme,
  value,
}: AuthorityRecord['identifiers'][number]): RecordClaim {
  const read = readIdentifier(platformKey(scheme), value)
  return { name: 'identifiers', part: scheme, text: `${scheme}:${value}`, read }
}

interface ReadClaims {
  readonly socials: readonly (readonly [AuthorityRecord['socials'][number], RecordClaim])[]
  readonly identifiers: readonly RecordClaim[]
}

export function readClaims({
  socials,
  identifiers,
}: Pick<AuthorityRecord, 'socials' | 'identifiers'>): ReadClaims {
  return {
    socials: socials.filter(({ verified }) => verified).map((each) => [each, claimOfSocial(each)]),
    identifiers: identifiers.map(claimOfIdentifier),
  }
}

interface Claimant {
  readonly authority: number
  /** The field of the record: `socials.github`. */
  readonly field: string
  readonly position: string
}

/** A handle that several records claim, and which of them has it now; undefined where none has. */
interface Contest {
  /** `platform:key`. */
  readonly end: string
  readonly claimants: readonly Claimant[]
  readonly winner: number | undefined
}

/** Says who owned a handle, `platform:key`, before: an authority's number, or undefined. */
export type OwnerBefore = (end: string) => number | undefined

export class Claims {
  readonly platforms = new Interner()
  readonly handles = new Interner()
  /** Of each claim the numbers of its platform and handle, and its node. */
  readonly claimPlatforms = uint32Column()
  readonly claimHandles = uint32Column()
  readonly claimNodes = uint32Column()
  /** `platform:key` of each claim. */
  readonly #ends = new Interner()
  /** By the number of an authority. */
  readonly #positions = new Positions()
  /** By the number of a claim. */
  readonly #contested = new Map<number, Omit<Claimant, 'position'>[]>()
  /** Numbers of the claims of bare keys: a record that loses one has lost the key itself, and is told of that. */
  readonly #bare = new Set<number>()
  /** The field that made each claim first, and its name. */
  readonly #fields = new Interner()
  readonly #claimFields = uint32Column()
  /** Handles that a correction gives to a person, by the number of the claim. */
  readonly #corrected = new Map<number, Set<number>>()

  /** Complains about what is no handle or identifier. @returns the socials that are claimed. */
  claimAll(authority: number, read: ReadClaims, { position, isCorrected }: RecordOrigin) {
    this.#positions.push(position)
    const complaints: {
      readonly field: string
      readonly reason: string
      readonly isLeftOut: true
    }[] = []
    const claim = ({ name, part, text, read: { handle, reason } }: RecordClaim) => {
      const field = `${name}.${part}`
      if (handle === undefined) {
        complaints.push({ field, reason: `${text} ${reason}`, isLeftOut: true })
        return false
      }
      const { platform, key, bareKey } = handle
      this.#claim(authority, { platform, key }, field, isCorrected(name))
      // No query names the platform and this key, so that only a query without a platform finds it.
      if (bareKey !== undefined) {
        const bare = { platform, key: bareKey }
        this.#bare.add(this.#claim(authority, bare, field, isCorrected(name)))
      }
      return true
    }
    const socials = read.socials.flatMap(([each, told]) => (claim(told) ? [each] : []))
    for (const each of read.identifiers) claim(each)
    return { socials, complaints }
  }

  #claim(
    authority: number,
    { platform, key }: Pick<Handle, 'platform' | 'key'>,
    field: string,
    isCorrected: boolean,
  ): number {
    const claim = this.#add(platform, key, authority)
    if (claim === this.#claimFields.length) this.#claimFields.push(this.#fields.intern(field))
    if (isCorrected) {
      const decided = this.#corrected.get(claim) ?? new Set()
      this.#corrected.set(claim, decided.add(authority))
    }
    const first = this.claimNodes.at(claim)
    if (first === authority) return claim
    const others = this.#contested.get(claim) ?? [
      { authority: first, field: this.#fields.textAt(this.#claimFields.at(claim)) },
    ]
    if (others.at(-1)!.authority !== authority) others.push({ authority, field })
    this.#contested.set(claim, others)
    return claim
  }

  addUnowned(platform: string, key: string, node: number): void {
    this.#add(platform, key, node)
  }

  /** The node of `platform:key`; -1 where there is none. */
  nodeOf(end: string): number {
    const claim = this.#ends.find(end)
    return claim < 0 ? -1 : this.claimNodes.at(claim)
  }

  correctedEnds(): Set<string> {
    return new Set([...this.#corrected.keys()].map((claim) => this.#ends.textAt(claim)))
  }

  /**
   * Decides every contest: for the one record to which a correction gives the handle, else for the
   * one that owned it before, else for none.
   */
  settle(ownerBefore: OwnerBefore, newNode: () => number): Contest[] {
    const nodes = this.claimNodes.view()
    const contests = [...this.#contested].flatMap(([claim, claimants]) => {
      const end = this.#ends.textAt(claim)
      const winner = this.#winnerOf(claim, claimants, ownerBefore(end))
      nodes[claim] = winner ?? newNode()
      if (this.#bare.has(claim)) return []
      const placed = claimants.map((each) => ({
        ...each,
        position: this.#positions.textOf(each.authority),
      }))
      return [{ end, claimants: placed, winner }]
    })
    this.#contested.clear()
    this.#positions.clear()
    return contests
  }

  /** Gives back what only further records need. */
  end(): void {
    this.#ends.release()
    this.#claimFields.clear()
  }

  clear(): void {
    for (const column of [this.claimPlatforms, this.claimHandles, this.claimNodes]) column.clear()
  }

  #winnerOf(
    claim: number,
    claimants: readonly { readonly authority: number }[],
    before: number | undefined,
  ): number | undefined {
    const corrected = this.#corrected.get(claim)
    if (corrected !== undefined) return corrected.size === 1 ? [...corrected][0] : undefined
    return claimants.some(({ authority }) => authority === before) ? before : undefined
  }

  #add(platform: string, key: string, node: number): number {
    const claim = this.#ends.intern(`${platform}:${key}`)
    if (claim === this.claimNodes.length) {
      this.claimPlatforms.push(this.platforms.intern(platform))
      this.claimHandles.push(this.handles.intern(key))
      this.claimNodes.push(node)
    }
    return claim
  }
}
