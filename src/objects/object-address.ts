/**
 * Where objects lie, as it is typed: `s3://bucket/prefix`, or the `https://` or `http://` address that a
 * web server gives the same objects under, which can be read only.
 */
import { Refusal } from '../problems.ts'
import type { ReadableObjects, WritableObjects } from './object-store.ts'
import { type Addressing, openS3 } from './s3-objects.ts'
import { openWebObjects } from './web-objects.ts'

/** A place in a bucket. */
interface BucketAddress {
  readonly bucket: string
  /** Before every key, without a slash at either end; may be empty. */
  readonly prefix: string
  readonly addressing: Addressing
}

const bucketShape =
  /^s3:\/\/([a-z0-9][a-z0-9._-]{1,61}[a-z0-9])(?:\/([^?#]*))?(?:\?addressing=(path|host))?$/

/** Whether a text is the address of a place in a bucket. */
export function isBucketAddress(text: string): boolean {
  return bucketAddressOf(text) !== undefined
}

/** Whether a text is the address of objects that can be read. */
export function isObjectAddress(text: string): boolean {
  return isBucketAddress(text) || isWebAddress(text)
}

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { search, hash } = new URL(text)
  return search === '' && hash === ''
}

function bucketAddressOf(text: string): BucketAddress | undefined {
  const [, bucket, prefix = '', addressing] = bucketShape.exec(text) ?? []
  if (bucket === undefined) return undefined
  const trimmed = prefix.replace(/^\/+|\/+$/g, '')
  return { bucket, prefix: trimmed, addressing: (addressing as Addressing | undefined) ?? 'auto' }
}

/** Opens the objects at an address for reading. @throws Refusal `wrong-usage`, `storage-refused`. */
export async function openObjects(address: string): Promise<ReadableObjects> {
  return isWebAddress(address) ? openWebObjects(address) : openBucket(address)
}

/** Opens a place in a bucket. @throws Refusal `wrong-usage`, `storage-refused`. */
export async function openBucket(address: string): Promise<WritableObjects> {
  const place = bucketAddressOf(address)
  if (place === undefined) {
    throw new Refusal('wrong-usage', `${address}: is no address such as s3://bucket/prefix`)
  }
  return openS3(place)
}
