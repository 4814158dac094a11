/** The objects at an address, opened to read or to write them. */
import { Refusal } from '../problems.ts'
import { bucketPlaceOf, isWebAddress } from '../storage-addresses.ts'
import type { ReadableObjects, WritableObjects } from './object-store.ts'
import { openWebObjects } from './web-objects.ts'

/** Opens the objects at an address for reading. @throws Refusal `wrong-usage`, `storage-refused`. */
export async function openObjects(address: string): Promise<ReadableObjects> {
  return isWebAddress(address) ? openWebObjects(address) : openBucket(address)
}

/** Opens a place in a bucket. @throws Refusal `wrong-usage`, `storage-refused`. */
export async function openBucket(address: string): Promise<WritableObjects> {
  const place = bucketPlaceOf(address)
  if (place === undefined) {
    throw new Refusal('wrong-usage', `${address}: is no address such as s3://bucket/prefix`)
  }
  const { openS3 } = await import('./s3-objects.ts')
  return openS3(place)
}
