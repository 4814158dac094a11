/** Objects in memory, with the clock of a test: what a bucket would do, without one. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type {
  Got,
  ObjectFacts,
  ObjectRange,
  WritableObjects,
} from '../../../src/objects/object-store.ts'
import { storageUnreachable } from '../../../src/objects/storage-refusals.ts'

interface Held {
  readonly bytes: Buffer
  readonly modifiedMs: number
}

export class MemoryObjects implements WritableObjects {
  readonly name = 's3://memory'
  readonly held = new Map<string, Held>()
  /** What was asked for: the call and the key. */
  readonly calls: string[] = []
  /** Called before everything that is done; may throw. */
  before: (call: string) => void | Promise<void> = () => {}
  /** A body ends after so many bytes, as a connection that is lost. */
  bodyBytesMax = Number.POSITIVE_INFINITY
  /** Whether an object can be created where one is. */
  isLax = false
  nowMs = 1_000_000

  async head(key: string): Promise<ObjectFacts | undefined> {
    await this.#note(`head ${key}`)
    return this.#factsOf(key)
  }

  async get(key: string, { from = 0, to, ifMatch }: ObjectRange = {}): Promise<Got> {
    await this.#note(`get ${key} ${from}`)
    const facts = this.#factsOf(key)
    if (facts === undefined) return { kind: 'missing' }
    if (ifMatch !== undefined && ifMatch !== facts.etag) return { kind: 'changed' }
    const bytes = this.held.get(key)!.bytes.subarray(0, to)
    const part = bytes.subarray(from, from + this.bodyBytesMax)
    const isCut = from + part.length < bytes.length
    async function* chunks(): AsyncGenerator<Buffer, void> {
      for (let at = 0; at < part.length; at += 65_536) yield part.subarray(at, at + 65_536)
      if (isCut) throw new Error('aborted')
    }
    return { kind: 'found', facts, body: Readable.from(chunks(), { objectMode: false }) }
  }

  async list(start: string): Promise<readonly ObjectFacts[]> {
    await this.#note(`list ${start}`)
    const keys = [...this.held.keys()].filter((key) => key.startsWith(start)).sort()
    return keys.map((key) => this.#factsOf(key)!)
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    await this.#note(`put ${key}`)
    this.held.set(key, { bytes: Buffer.from(bytes), modifiedMs: this.nowMs })
  }

  async create(key: string, bytes: Uint8Array): Promise<boolean> {
    await this.#note(`create ${key}`)
    if (this.held.has(key) && !this.isLax) return false
    this.held.set(key, { bytes: Buffer.from(bytes), modifiedMs: this.nowMs })
    return true
  }

  async remove(key: string): Promise<void> {
    await this.#note(`remove ${key}`)
    this.held.delete(key)
  }

  failNext(times: number): void {
    let left = times
    this.before = () => {
      left -= 1
      if (left >= 0) throw storageUnreachable(this.name, 'no connection')
    }
  }

  async #note(call: string): Promise<void> {
    this.calls.push(call)
    await this.before(call)
  }

  #factsOf(key: string): ObjectFacts | undefined {
    const found = this.held.get(key)
    if (found === undefined) return undefined
    const { bytes, modifiedMs } = found
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
    return { key, bytes: bytes.length, etag, modifiedMs, seenAtMs: this.nowMs }
  }
}
