/**
 * Reads an object to its end, also when the connection ends before: the rest is requested by
 * Range, and only from the same version of the object.
 */
import type { Readable } from 'node:stream'
import { Refusal } from '../problems.ts'
import type { ObjectFacts, ObjectRange, ReadableObjects } from './object-store.ts'
import { BackOff, type Pace, type Waiting } from './patience.ts'
import { objectDamaged, storageUnreachable } from './storage-refusals.ts'

/** Waiting, pace and reports of a read. */
export interface RetryPolicy extends Waiting {
  /** Limits the bytes a second; no limit without it. */
  readonly pace?: Pace | undefined
  /** Called with a line about every interruption. */
  readonly report: (line: string) => void
}

/** Interruptions in a row, without a byte between them, after which it is given up. */
const triesMax = 5
/** A connection on which nothing comes is none. */
const silenceMs = 30_000

/**
 * Reads an object as a whole; undefined where there is none.
 * @throws Refusal `storage-unreachable` when it was tried in vain; `storage-refused`; `object-damaged` for one of more
 * than `bytesMax` bytes.
 */
export async function readWhole(
  store: ReadableObjects,
  key: string,
  bytesMax: number,
  steadiness: RetryPolicy,
): Promise<{ readonly facts: ObjectFacts; readonly bytes: Buffer } | undefined> {
  const place = `${store.name}/${key}`
  const backOff = new BackOff(steadiness.random)
  const open = (part: ObjectRange) => again(backOff, steadiness, () => store.get(key, part))
  const first = await open({})
  if (first.kind !== 'found') return undefined
  const { facts } = first
  const chunks: Buffer[] = []
  let { body } = first
  let at = 0
  while (at <= bytesMax) {
    try {
      for await (const chunk of untilSilent(body)) {
        at += chunk.length
        if (at > bytesMax) break
        backOff.reset()
        chunks.push(chunk)
        await steadiness.pace?.take(chunk.length)
      }
      if (at >= facts.bytes) break
      throw new Error('the connection ended before the object did')
    } catch (error) {
      await failed(backOff, steadiness, storageUnreachable(place, (error as Error).message))
    } finally {
      body.destroy()
    }
    const next = await open({ from: at, ifMatch: facts.etag })
    if (next.kind !== 'found') throw storageUnreachable(place, 'was replaced while it was read')
    body = next.body
  }
  if (at > bytesMax) throw objectDamaged(place, 'is too large')
  return { facts, bytes: Buffer.concat(chunks) }
}

/** Does something until it is not refused as unreachable any more. */
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

/** Waits before the next try. @throws the refusal after the last try. */
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

/** The chunks of a body; fails if none comes for too long. */
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
