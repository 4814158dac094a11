/**
 * The people who were removed for good: a list beside the snapshots that every sync honours. It holds no name: a person
 * stands in it as keyed hashes (HMAC-SHA-256, RFC 2104) of the SDU, also without its leading zeros, the handles and
 * the identifiers, with the reason and the time. The key is the list's own, so that two lists cannot be compared, and
 * lies elsewhere (`removal-key.ts`): without it the list can be kept, merged and served by, but nobody can be found on
 * it. A snapshot names the list that it was made with, so that a list that is lost or is another is noticed.
 */
import { createHash, createHmac } from 'node:crypto'
import { resolve } from 'node:path'
import { allTexts, textAt } from '../../memory/text-table.ts'
import { Refusal } from '../../problems.ts'
import { anyText, formed, ifThere, objectOf, readList } from '../../reading/readers.ts'
import { handleKey, parseHandle } from '../../text/handle.ts'
import type { StoredFacts } from '../facts.ts'
import { Identities } from '../people/identities.ts'
import { forClaims } from '../people/owners.ts'
import { textsOf } from '../text-tables.ts'
import { defaultKeyFile, keyMark, namedFrom, readKeyFile, writeKeyFile } from './removal-key.ts'
import { asJson, required, stateFile, storedIn } from './state-file.ts'

interface Removal {
  readonly sdu: string
  readonly handles: readonly string[]
  readonly reason: string
  /** ISO 8601. */
  readonly at: string
  /** Time when it was undone, ISO 8601. It stays on the list, so that a list that was cut is noticed. */
  readonly undone?: string | undefined
}

interface WrittenList {
  readonly keyed: string
  readonly key_file?: string | undefined
  readonly removals: readonly Removal[]
}

const hash = formed(/^[0-9a-f]{64}$/)
const writtenList = objectOf<WrittenList>({
  keyed: formed(/^[0-9a-f]{8}$/),
  key_file: ifThere(anyText),
  removals: readList(
    objectOf<Removal>({
      sdu: hash,
      handles: readList(hash),
      reason: anyText,
      at: anyText,
      undone: ifThere(anyText),
    }),
  ),
})

const listForm = {
  ...asJson(writtenList, 1),
  fault:
    'is no list of removals: put it back from a backup, or move it away and record each removal anew',
}

export const removalsFile = stateFile('REMOVED', listForm)

interface ListKey {
  /** 64 hexadecimal digits, chosen at random with the first removal; undefined where it is not at hand. */
  readonly secret: string | undefined
  readonly mark: string
  readonly file: string | undefined
}

export function listKey(secret: string, file?: string): ListKey {
  return { secret, mark: keyMark(secret), file }
}

/** A list; never changed, a longer one is another list. */
export class Removals {
  readonly #key: ListKey
  readonly #removals: readonly Removal[]
  readonly #hashes: ReadonlySet<string>

  constructor(key: string | ListKey, removals: readonly Removal[]) {
    this.#key = typeof key === 'string' ? listKey(key) : key
    this.#removals = removals
    this.#hashes = new Set(
      removals
        .filter(({ undone }) => undone === undefined)
        .flatMap(({ sdu, handles }) => [sdu, ...handles]),
    )
  }

  get length(): number {
    return this.#removals.length
  }

  get key(): ListKey {
    return this.#key
  }

  keyed(key: ListKey): Removals {
    return new Removals(key, this.#removals)
  }

  /** Every removal, also those that were undone, in no order that says anything. */
  get entries(): readonly ListedRemoval[] {
    return this.#removals.map(({ sdu, reason, at, undone }) => {
      return { id: sdu.slice(0, idDigits), reason, at, undone: undone ?? null }
    })
  }

  idOf(sdu: string): string {
    return this.#hashOf(sdu).slice(0, idDigits)
  }

  /** The list without a removal and its handles; undefined if there is none or it was undone. */
  without(id: string, at: string): Removals | undefined {
    const holds = (each: Removal) => each.sdu.startsWith(id) && each.undone === undefined
    if (id.length !== idDigits || !this.#removals.some(holds)) return undefined
    const removals = this.#removals.map((each) =>
      holds(each) ? { ...each, handles: [], undone: at } : each,
    )
    return new Removals(this.#key, removals)
  }

  /** A digest of this list that says nothing about the people in it; empty for the empty list. */
  get digest(): string {
    if (this.length === 0) return ''
    return removalsDigest(this.text)
  }

  /** Identifies this list in the fingerprints of snapshots: digest, length and key; '' for an empty list. */
  get mark(): string {
    return this.length === 0 ? '' : `${this.digest} of ${this.length} keyed ${this.#key.mark}`
  }

  /** `end`: an SDU or `platform:key`. Leading zeros of an SDU make no other person. */
  has(end: string): boolean {
    if (this.length === 0) return false
    const bare = withoutZeros(end)
    return (
      this.#hashes.has(this.#hashOf(end)) || (bare !== end && this.#hashes.has(this.#hashOf(bare)))
    )
  }

  isNamedIn(text: string): boolean {
    if (this.length === 0) return false
    const words = text.split(/["'\s,{}[\]]+/)
    const handles = words.flatMap((word) => {
      const { platform, key } = parseHandle(word)
      return [handleKey(word), bareHandle(handleKey(word)), `${platform ?? ''}:${key}`]
    })
    return [...(text.match(/\d+/g) ?? []), ...handles].some((each) => this.has(each))
  }

  with(person: { readonly sdu: string; readonly handles: readonly string[] }, why: Why): Removals {
    const sdu = this.#hashOf(person.sdu)
    const known = this.#removals.find((removal) => removal.sdu === sdu)
    const ends = person.handles.flatMap((end) => [end, bareHandle(end.slice(end.indexOf(':') + 1))])
    const bare = withoutZeros(person.sdu)
    if (bare !== person.sdu) ends.push(bare)
    const handles = new Set([...(known?.handles ?? []), ...ends.map((end) => this.#hashOf(end))])
    // One that was undone begins anew.
    const { reason, at } = known === undefined || known.undone !== undefined ? why : known
    const removal = { sdu, handles: [...handles].sort(), reason, at }
    const others = this.#removals.filter((each) => each !== known)
    return new Removals(
      this.#key,
      [...others, removal].sort((a, b) => (a.sdu < b.sdu ? -1 : 1)),
    )
  }

  /** Everybody of both lists; undefined where they are not of one list, and cannot be compared. */
  merged(other: Removals): Removals | undefined {
    if (other.length === 0) return this
    if (this.length === 0) return other
    if (this.#key.mark !== other.#key.mark) return undefined
    const bySdu = new Map(this.#removals.map((removal) => [removal.sdu, removal]))
    for (const removal of other.#removals) {
      bySdu.set(removal.sdu, mergedRemoval(bySdu.get(removal.sdu) ?? removal, removal))
    }
    const sorted = [...bySdu.values()].sort((a, b) => (a.sdu < b.sdu ? -1 : 1))
    return new Removals(this.#key, sorted)
  }

  /** Durably, the key to its own file first. @throws Refusal `store-refused` if that fails. */
  write(directory: string): void {
    const { secret, mark, file = defaultKeyFile(directory) } = this.#key
    if (secret !== undefined) writeKeyFile(file, secret)
    const list = { keyed: mark, key_file: namedFrom(directory, file), removals: this.#removals }
    removalsFile.write(directory, list)
  }

  /** The list as it is published: with neither the key nor its place. */
  get text(): string {
    return listForm.encode({ keyed: this.#key.mark, removals: this.#removals })
  }

  #hashOf(text: string): string {
    const { secret, file } = this.#key
    if (secret !== undefined) return createHmac('sha256', secret).update(text).digest('hex')
    const where = file === undefined ? '' : ` at ${file}`
    const hint = 'put it there, or name its file with --removal-key'
    throw new Refusal(
      'snapshot-refused',
      `the key of the list of removals is not there${where}: ${hint}`,
    )
  }
}

interface ListedRemoval {
  readonly id: string
  readonly reason: string
  readonly at: string
  readonly undone: string | null
}

const idDigits = 16

/** Of one that was undone in one list and not in the other, what was done last counts. */
function mergedRemoval(own: Removal, other: Removal): Removal {
  if (own.undone === undefined && other.undone === undefined) {
    return { ...own, handles: [...new Set([...own.handles, ...other.handles])].sort() }
  }
  return (own.undone ?? own.at) >= (other.undone ?? other.at) ? own : other
}

type Why = Pick<Removal, 'reason' | 'at'>

export function withoutZeros(end: string): string {
  return /^0\d+$/.test(end) ? end.replace(/^0+(?=\d)/, '') : end
}

/** A handle on whatever platform, as no end of a connection is written. */
function bareHandle(key: string): string {
  return `:${key}`
}

/**
 * The list of a directory; an empty one where there is none.
 * @throws Refusal `snapshot-refused` when it cannot be read, so that no person on it comes back.
 */
export function readRemovals(directory: string): Removals {
  const stored = required(removalsFile.read(directory))
  if (stored === undefined) return new Removals('0'.repeat(64), [])
  const list = listOf(stored)
  const { file: name } = list.key
  if (name === undefined) return list
  const file = resolve(directory, name)
  const secret = keyIfReadable(file)
  const isRight = secret !== undefined && keyMark(secret) === list.key.mark
  return list.keyed({ ...list.key, file, secret: isRight ? secret : undefined })
}

/** A service may run as another user than the sync that made the key: it serves without. */
function keyIfReadable(file: string): string | undefined {
  const key = readKeyFile(file)
  const { code } = (key.fault ?? {}) as NodeJS.ErrnoException
  return code === 'EACCES' ? undefined : required(key)
}

export function removalsIn(text: string, place: string): Removals {
  return listOf(required(storedIn(text, place, listForm))!)
}

function listOf({ keyed: mark, key_file: file, removals }: WrittenList): Removals {
  return new Removals({ secret: undefined, mark, file }, removals)
}

export function removalsDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

const separator = ' without '

/** @param trust what the source is trusted for: other trust makes another snapshot. */
export function fingerprintWithout(
  source: string,
  { mark }: Removals,
  trust: readonly string[] = [],
): string {
  const trusted = trust.length === 0 ? source : `${source} trusted for ${trust.join(', ')}`
  return mark === '' ? trusted : `${trusted}${separator}${mark}`
}

/** The two parts of such a fingerprint: the source's own, whatever was corrected here, and the digest of the list. */
export function partsOf(fingerprint: string): { readonly source: string; readonly digest: string } {
  const [made = '', mark = ''] = fingerprint.split(separator)
  // A correction that an operator recorded is meant.
  const source = made.replace(/ corrected by [0-9a-f]{16}/, '')
  return { source, digest: mark.split(' ')[0]! }
}

/** How a list falls short of the one that a snapshot was made with; undefined if it does not. */
export function listLost(fingerprint: string, list: Removals): string | undefined {
  const [, mark = ''] = fingerprint.split(separator)
  if (mark === '' || mark === list.mark) return undefined
  const [, count = '1', key] = /^\S+ of (\d+) keyed (\w+)$/.exec(mark) ?? []
  if (list.length === 0)
    return `a snapshot was made without ${count} removed people, but the list is gone`
  if (key !== undefined && !list.mark.endsWith(key))
    return 'the list is not the one that a snapshot was made with'
  if (list.length >= Number(count)) return undefined
  return `the list has ${list.length} people, and a snapshot was made without ${count}`
}

/** Whether a snapshot holds a removed person. O(people and handles). @param rest called often. */
export function holdsRemoved(
  { header, sections }: StoredFacts,
  removals: Removals,
  rest: () => void = () => {},
): boolean {
  if (removals.length === 0) return false
  const people = new Identities({ sections })
  for (let ordinal = 0; ordinal < header.counts.authorities; ordinal += 1) {
    if (removals.has(people.sduOf(ordinal))) return true
    rest()
  }
  const handles = textsOf({ sections }, 'handle')
  const platforms = allTexts(textsOf({ sections }, 'platform'))
  let isHeld = false
  forClaims({ sections }, (handle, node, platform) => {
    rest()
    // A handle belongs to its current owner, also if a removed person had it before.
    if (isHeld || node < header.counts.authorities) return
    isHeld = removals.has(`${platforms[platform]}:${textAt(handles, handle)}`)
  })
  return isHeld
}
