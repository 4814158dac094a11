/**
 * Objects in a bucket of S3, or of a store that speaks its protocol. The SDK comes with this
 * module, so it is loaded only when a bucket is opened; the SDK finds region, credentials and
 * endpoint (AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL) by itself. Each object is written in one
 * request, where all stores honour conditions and check Content-MD5.
 */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import type { Addressing, BucketPlace } from '../storage-addresses.ts'
import {
  type Got,
  type ObjectFacts,
  type ObjectRange,
  rangeHeaderOf,
  type WritableObjects,
  type Writing,
  wholeBytesOf,
} from './object-store.ts'
import { BackOff, type Waiting } from './patience.ts'
import { storageRefused, storageUnreachable } from './storage-refusals.ts'

const connectMs = 5_000
const silenceMs = 30_000
/** The region for an own endpoint. It has no meaning there, but requests are signed with one. */
const regionElsewhere = 'us-east-1'

const conflictsMax = 6

/**
 * Asks nothing of the store yet. All places share the clients of this thread.
 * @throws Refusal `storage-refused`.
 */
export async function openS3(
  place: BucketPlace,
  waiting: Waiting = { sleep, random: Math.random },
): Promise<WritableObjects> {
  return new S3Objects(await clientOf(place.addressing), place, waiting)
}

/** One for each way of addressing: credentials are found once, and connections are kept. */
const clients = new Map<Addressing, Promise<S3Client>>()

function clientOf(addressing: Addressing): Promise<S3Client> {
  const known = clients.get(addressing)
  if (known !== undefined) return known
  const client = newClient(addressing)
  clients.set(addressing, client)
  // A client that could not be made is tried again.
  client.catch(() => clients.delete(addressing))
  return client
}

async function newClient(addressing: Addressing): Promise<S3Client> {
  const found = new S3Client({}).config
  const endpoint = await found.serviceConfiguredEndpoint?.()
  const isElsewhere = endpoint !== undefined && !isOfAmazon(endpoint)
  const region = await found.region().catch(() => undefined)
  const client = new S3Client({
    ...(region === undefined && isElsewhere && { region: regionElsewhere }),
    forcePathStyle: addressing === 'path' || (addressing === 'auto' && isElsewhere),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: silenceMs },
  })
  keepDates(client)
  return client
}

function isOfAmazon(endpoint: string): boolean {
  return /\.amazonaws\.com(\.cn)?$/.test(new URL(endpoint).hostname)
}

/** `date` is by the clock of the store. */
type Metadata = GetObjectCommandOutput['$metadata'] & { date?: string | undefined }

/** The SDK drops the `Date` of an answer, which is the one clock that all machines share. */
function keepDates(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (request) => {
      const result = await next(request)
      const { headers } = result.response as { headers?: Readonly<Record<string, string>> }
      const metadata: Metadata | undefined = result.output?.$metadata
      if (metadata !== undefined) metadata.date = headers?.date
      return result
    },
    { step: 'deserialize', priority: 'high', name: 'keepDates' },
  )
}

interface SdkError extends Error {
  readonly code?: string
  readonly $metadata?: { readonly httpStatusCode?: number }
}

class S3Objects implements WritableObjects {
  readonly name: string
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string
  readonly #waiting: Waiting

  constructor(client: S3Client, { bucket, prefix }: BucketPlace, waiting: Waiting) {
    this.#waiting = waiting
    this.name = prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`
    this.#client = client
    this.#bucket = bucket
    this.#prefix = prefix === '' ? '' : `${prefix}/`
  }

  async head(key: string): Promise<ObjectFacts | undefined> {
    const command = new HeadObjectCommand(this.#place(key))
    const head = await this.#unless([404], key, () => this.#client.send(command))
    if (typeof head === 'number') return undefined
    return factsOf(key, head.ContentLength, head.ETag, head.LastModified, head.$metadata)
  }

  async get(key: string, wanted: ObjectRange = {}): Promise<Got> {
    const { from = 0, ifMatch } = wanted
    const range = rangeHeaderOf(wanted)
    const command = new GetObjectCommand({
      ...this.#place(key),
      ...(range !== undefined && { Range: range }),
      ...(ifMatch !== undefined && { IfMatch: ifMatch }),
    })
    const got = await this.#unless([404, 412, 416], key, () => this.#client.send(command))
    if (got === 404) return { kind: 'missing' }
    if (typeof got === 'number') return { kind: 'changed' }
    const bytes = wholeBytesOf(got.ContentRange) ?? from + (got.ContentLength ?? 0)
    const facts = factsOf(key, bytes, got.ETag, got.LastModified, got.$metadata)
    return { kind: 'found', facts, body: got.Body as Readable }
  }

  async list(start: string): Promise<readonly ObjectFacts[]> {
    const found: ObjectFacts[] = []
    let token: string | undefined
    do {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: `${this.#prefix}${start}`,
        ...(token !== undefined && { ContinuationToken: token }),
      })
      const page = await this.#orRefused(start, () => this.#client.send(command))
      for (const { Key = '', Size, ETag, LastModified } of page.Contents ?? []) {
        const key = Key.slice(this.#prefix.length)
        found.push(factsOf(key, Size, ETag, LastModified, page.$metadata))
      }
      token = page.IsTruncated === true ? page.NextContinuationToken : undefined
    } while (token !== undefined)
    return found
  }

  async put(key: string, bytes: Uint8Array, { isImmutable }: Writing): Promise<void> {
    const command = new PutObjectCommand(this.#written(key, bytes, isImmutable))
    await this.#orRefused(key, () => this.#client.send(command))
  }

  async create(key: string, bytes: Uint8Array): Promise<boolean> {
    const written = { ...this.#written(key, bytes, true), IfNoneMatch: '*' }
    const command = new PutObjectCommand(written)
    const backOff = new BackOff(this.#waiting.random)
    while (backOff.failures < conflictsMax) {
      const made = await this.#unless([409, 412], key, () => this.#client.send(command))
      if (typeof made !== 'number') return true
      if (made === 412) return this.#holds(key, bytes)
      // Two at once: the next try learns which was first.
      await this.#waiting.sleep(backOff.nextMs())
    }
    throw storageUnreachable(`${this.name}/${key}`, 'others create it at the same time (409)')
  }

  /** Whether an object holds the bytes to be written: the answer to the first try may have been lost. */
  async #holds(key: string, bytes: Uint8Array): Promise<boolean> {
    const got = await this.get(key)
    if (got.kind !== 'found') return false
    const there = await this.#orRefused(key, () => got.body.toArray() as Promise<Uint8Array[]>)
    return Buffer.concat(there).equals(bytes)
  }

  async remove(key: string): Promise<void> {
    const command = new DeleteObjectCommand(this.#place(key))
    await this.#orRefused(key, () => this.#client.send(command))
  }

  #place(key: string) {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${key}` }
  }

  #written(key: string, bytes: Uint8Array, isImmutable: boolean) {
    return {
      ...this.#place(key),
      CacheControl: isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      Body: bytes,
      ContentMD5: createHash('md5').update(bytes).digest('base64'),
    }
  }

  #orRefused<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#unless([], key, work) as Promise<T>
  }

  /** Returns a failure's status if it is one of `statuses`, and refuses every other. */
  async #unless<T, S extends number>(
    statuses: readonly S[],
    key: string,
    work: () => Promise<T>,
  ): Promise<T | S> {
    try {
      return await work()
    } catch (error) {
      const { name, $metadata } = error as SdkError
      const status = $metadata?.httpStatusCode
      const expected = statuses.find((each) => each === status)
      if (expected !== undefined && name !== 'NoSuchBucket') return expected
      throw this.#refusalOf(error as SdkError, key)
    }
  }

  #refusalOf(error: SdkError, key: string) {
    const { name, message } = error
    const status = error.$metadata?.httpStatusCode
    const place = `${this.name}/${key}`
    const reason = message === '' || message === 'UnknownError' ? name : message
    if (isTransient(error)) return storageUnreachable(place, reason)
    return storageRefused(place, status === undefined ? reason : `${status} ${reason}`)
  }
}

/** No answer at all, for want of a connection, or one that says to come again. */
function isTransient({ name, code, $metadata }: SdkError): boolean {
  const status = $metadata?.httpStatusCode
  if (status === undefined) return code !== undefined || name === 'TimeoutError'
  return status >= 500 || status === 429 || status === 408
}

function factsOf(
  key: string,
  bytes = 0,
  etag = '',
  modified: Date | undefined,
  { date }: Metadata,
): ObjectFacts {
  const seenAtMs = date === undefined ? undefined : Date.parse(date)
  return { key, bytes, etag, modifiedMs: modified?.getTime(), seenAtMs }
}
