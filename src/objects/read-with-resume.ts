/**
 * Reads an object to its end, also when the connection ends before: the rest is requested by Range,
 * and only from the same version of the object.
 */
import type { Readable } from 'node:stream'
import { Refusal } from '../problems.ts'
import type { Got, ObjectFacts, ObjectRange, ReadableObjects } from './object-store.ts'
import { BackOff, type Pace, type Waiting } from './patience.ts'
import { objectDamaged, storageUnreachable } from './storage-refusals.ts'

export interface RetryPolicy extends Waiting {
  readonly pace?: Pace | undefined
  /** Called with a line about every interruption. */
  readonly report: (line: string) => void
}

type Opened =
  | { readonly kind: 'found'; readonly facts: ObjectFacts; readonly chunks: Chunks }
  | Exclude<Got, { kind: 'found' }>

type Chunks = AsyncGenerator<Buffer, void, undefined>

/** Interruptions in a row, without a byte between them, after which it is given up. */
const triesMax = 5
/** A connection on which nothing comes is none. */
const silenceMs = 30_000

/** @throws Refusal `storage-unreachable`, now or while it is read; `storage-refused`. */
export async function readWithResume(
  store: ReadableObjects,
  key: string,
  wanted: ObjectRange,
  steadiness: RetryPolicy,
): Promise<Opened> {
  const backOff = new BackOff(steadiness.random)
  const open = (part: ObjectRange) => again(backOff, steadiness, () => store.get(key, part))
  const got = await open(wanted)
  if (got.kind !== 'found') return got
  return { kind: 'found', facts: got.facts, chunks: chunksOf(got) }

  async function* chunksOf(first: Extract<Got, { kind: 'found' }>): Chunks {
    const { facts } = first
    let { body } = first
    const { from = 0, to = facts.bytes } = wanted
    const end = Math.min(to, facts.bytes)
    let at = from
    while (at <= end) {
      try {
        for await (const chunk of untilSilent(body)) {
          at += chunk.length
          backOff.reset()
          yield chunk
          await steadiness.pace?.take(chunk.length)
        }
        if (at >= end) return
        throw new Error('the connection ended before the object did')
      } catch (error) {
        const place = `${store.name}/${key}`
        await failed(backOff, steadiness, storageUnreachable(place, (error as Error).message))
      } finally {
        body.destroy()
      }
      const next = await open({ from: at, to: wanted.to, ifMatch: facts.etag })
      if (next.kind !== 'found') {
        throw storageUnreachable(`${store.name}/${key}`, 'was replaced while it was read')
      }
      body = next.body
    }
  }
}

/** @throws Refusal as `readWithResume`; `object-damaged` for more than `bytesMax` bytes. */
export async function readWhole(
  store: ReadableObjects,
  key: string,
  bytesMax: number,
  steadiness: RetryPolicy,
): Promise<{ readonly facts: ObjectFacts; readonly bytes: Buffer } | undefined> {
  const opened = await readWithResume(store, key, {}, steadiness)
  if (opened.kind !== 'found') return undefined
  const chunks: Buffer[] = []
  let left = bytesMax
  for await (const chunk of opened.chunks) {
    left -= chunk.length
    if (left < 0) throw objectDamaged(`${store.name}/${key}`, 'is too large')
    chunks.push(chunk)
  }
  return { facts: opened.facts, bytes: Buffer.concat(chunks) }
}

async function again<T>(
  backOff: BackOff,
  steadiness: RetryPolicy,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'storage-unreachable') throw error
    await failed(backOff, steadiness, error)
  }
  return again(backOff, steadiness, work)
}

async function failed(
  backOff: BackOff,
  { sleep, report }: RetryPolicy,
  refusal: Refusal,
): Promise<void> {
  const waitMs = backOff.nextMs()
  if (backOff.failures >= triesMax) throw refusal
  report(`${refusal.message}; trying again`)
  await sleep(waitMs)
}

async function* untilSilent(body: Readable): AsyncGenerator<Buffer, void, undefined> {
  const chunks = body[Symbol.asyncIterator]()
  const nextChunk = () => {
    const timer = setTimeout(() => body.destroy(new Error('nothing came for 30 s')), silenceMs)
    return chunks.next().finally(() => clearTimeout(timer))
  }
  for (let next = await nextChunk(); next.done !== true; next = await nextChunk()) {
    yield Buffer.from(next.value)
  }
}
