/**
 * Reads a pocket file (`docs/pocket.md`) with nothing but Node.js. The file lies in memory as it is. A handle
 * that is no plain spelling, such as the address of an article, is unknown here: the service reads those.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** Entry of a handle's owner in a pocket file: score, core topic and rank in it. */
export interface PocketEntry {
  /** The authority score, 0 to 100. */
  readonly score: number
  readonly topic: string
  readonly rank: number
}

interface Facts {
  readonly snapshot: string
  readonly platforms: readonly string[]
  readonly topics: readonly string[]
  readonly aliases: Readonly<Record<string, string>>
  readonly cased: Readonly<Record<string, string>>
  readonly hosts: Readonly<Record<string, readonly [string, readonly string[], string]>>
}

type Key = { readonly key: string; readonly platform?: string }

const invisible = /\p{Default_Ignorable_Code_Point}/gu
const prefixed = /^([a-z0-9][a-z0-9_.-]*):(.+)$/is
const orcid = /^\d{4}-?\d{4}-?\d{4}-?\d{3}[\dx]$/i
const address = /^(?:https?:)?\/\/|^[^/\s:]+\.[^/\s:]+\//i

/** Opens a pocket file: reads it, and parses its head. @throws Error if it is none, is cut, or of another version. */
export function openPocket(path: string): Pocket {
  const bytes = readFileSync(path)
  return new Pocket(bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes))
}

/** A pocket file in memory. */
export class Pocket {
  /** The id of the snapshot that the file was made of. */
  readonly snapshot: string
  readonly #bytes: Uint8Array
  readonly #facts: Facts
  readonly #checksum: number
  /** Two words each, the lower first. */
  readonly #hashes: Uint32Array
  readonly #people: Uint32Array
  readonly #platforms: Uint16Array
  readonly #scores: Uint16Array
  readonly #topics: Uint32Array
  readonly #ranks: Uint32Array

  /** @param bytes of the whole file, which begin at a multiple of eight bytes of their memory. */
  constructor(bytes: Uint8Array) {
    const { buffer, byteOffset, byteLength } = bytes
    const head = Buffer.concat([bytes.subarray(0, 32)], 32)
    if (head.toString('latin1', 0, 8) !== 'AIPOCKET') throw new Error('this is no pocket file')
    const version = head.readUInt32LE(8)
    if (version !== 1) throw new Error(`this is a pocket file of version ${version}, not 1`)
    const [jsonBytes, entries, people] = [12, 16, 20].map((at) => head.readUInt32LE(at))
    this.#checksum = head.readUInt32LE(24)
    this.#bytes = bytes
    let at = byteOffset + 32 + jsonBytes!
    const place = (bytesEach: number, count: number) => {
      const start = at
      at += Math.ceil((bytesEach * count) / 8) * 8
      return start
    }
    const ofEntries = [8, 4, 2].map((each) => place(each, entries!))
    const ofPeople = [2, 4, 4].map((each) => place(each, people!))
    if (at !== byteOffset + byteLength) throw new Error('the pocket file is cut or too long')
    try {
      this.#facts = JSON.parse(Buffer.from(buffer, byteOffset + 32, jsonBytes).toString())
    } catch (cause) {
      throw new Error('the pocket file is damaged: its head is not JSON', { cause })
    }
    this.snapshot = this.#facts.snapshot
    this.#hashes = new Uint32Array(buffer, ofEntries[0], 2 * entries!)
    this.#people = new Uint32Array(buffer, ofEntries[1], entries)
    this.#platforms = new Uint16Array(buffer, ofEntries[2], entries)
    this.#scores = new Uint16Array(buffer, ofPeople[0], people)
    this.#topics = new Uint32Array(buffer, ofPeople[1], people)
    this.#ranks = new Uint32Array(buffer, ofPeople[2], people)
  }

  /** Whether every byte is as it was written. O(bytes). */
  isWhole(): boolean {
    return crc32(this.#bytes.subarray(32)) === this.#checksum
  }

  /** The top owner of a handle; undefined if it has none. */
  lookup(handle: string): PocketEntry | undefined {
    const person = this.#ownerOf(handle)
    if (person < 0) return undefined
    const topic = this.#facts.topics[this.#topics[person]!]!
    return { score: this.#scores[person]! / 100, topic, rank: this.#ranks[person]! }
  }

  /** The authority scores of the top owners of handles, `NaN` for a handle without an owner. */
  scores(handles: readonly string[], out = new Float64Array(handles.length)): Float64Array {
    for (const [place, handle] of handles.entries()) {
      const person = this.#ownerOf(handle)
      out[place] = person < 0 ? Number.NaN : this.#scores[person]! / 100
    }
    return out
  }

  #ownerOf(handle: string): number {
    const { key, platform } = this.#keyOf(handle)
    if (key === '') return -1
    const digest = hash('sha256', key, 'buffer')
    const [low, high] = [digest.readUInt32LE(0), digest.readUInt32LE(4)]
    const number = platform === undefined ? -1 : this.#facts.platforms.indexOf(platform)
    if (platform !== undefined && number < 0) return -1
    const [hashes, people] = [this.#hashes, this.#people]
    for (let at = this.#firstOf(low, high); hashes[2 * at] === low; at += 1) {
      if (hashes[2 * at + 1] !== high) break
      if (number < 0 || this.#platforms[at] === number) return people[at]!
    }
    return -1
  }

  /** The first entry whose hash is at least this one. */
  #firstOf(low: number, high: number): number {
    const hashes = this.#hashes
    let [from, to] = [0, this.#people.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      const [lower, upper] = [hashes[2 * middle]!, hashes[2 * middle + 1]!]
      if (upper < high || (upper === high && lower < low)) from = middle + 1
      else to = middle
    }
    return from
  }

  #keyOf(handle: string): Key {
    const text = folded(handle)
    const bare = text.replace(/^@+/, '')
    if (address.test(bare)) return this.#keyOfAddress(bare)
    const [, name, rest = ''] = prefixed.exec(text) ?? []
    if (name !== undefined) return this.#keyOn(this.#platformOf(folded(name)), rest.trim())
    if (this.#isCased('youtube', text)) return this.#keyOn('youtube', text)
    if (text.includes('-') && orcid.test(text)) return this.#keyOn('orcid', text)
    return /^@[^@]+@[^@]+$/.test(text) ? this.#keyOn('mastodon', text) : { key: keyOf(text) }
  }

  #platformOf(name: string): string {
    const lower = name.toLowerCase()
    const squeezed = lower.replaceAll(/[ ._-]/g, '')
    const { aliases, platforms } = this.#facts
    if (platforms.includes(lower)) return lower
    return aliases[squeezed] ?? (platforms.includes(squeezed) ? squeezed : lower)
  }

  #isCased(platform: string, handle: string): boolean {
    const shape = this.#facts.cased[platform]
    return shape !== undefined && new RegExp(shape).test(handle)
  }

  #keyOn(platform: string, handle: string): Key {
    if (this.#isCased(platform, handle)) return { platform, key: handle }
    const key = keyOf(handle)
    const compact = key.replaceAll(/[ -]/g, '')
    if (platform === 'isni') return { platform, key: compact }
    if (platform !== 'orcid' || !orcid.test(key)) return { platform, key }
    return { platform, key: compact.replace(/(....)(?=.)/g, '$1-') }
  }

  #keyOfAddress(text: string): Key {
    const [host = '', ...path] = text
      .replace(/^(?:https?:)?\/\//i, '')
      .split(/[?#]/, 1)[0]!
      .split('/')
    const site = host.toLowerCase().replace(/:\d+$/, '')
    const { hosts } = this.#facts
    const row = hosts[site] ?? hosts[site.replace(/^(?:www\d?|m|mobile)\./, '')]
    const segments = path.filter(Boolean)
    for (const prefix of row?.[1] ?? []) {
      const words = prefix.split('/').slice(1)
      const last = words.pop()!
      const name = segments[words.length] ?? ''
      const isThere = words.every((word, at) => word === segments[at]?.toLowerCase())
      if (!isThere || !name.startsWith(last) || name === last) continue
      const handle = decodeURIComponent(name.slice(last.length))
      const isKept = row![2].split(' ').includes(handle.toLowerCase())
      if (!isKept) return this.#keyOn(row![0], last === '@' ? name : handle)
    }
    return { key: '' }
  }
}

function folded(text: string): string {
  return text.normalize('NFKC').replace(invisible, '').trim()
}

function keyOf(handle: string): string {
  const name = folded(handle).replace(/^[@\s]+/, '')
  return folded(name.toLowerCase())
}
