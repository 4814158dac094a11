/**
 * Addresses of object storage, as they are typed: `s3://bucket/prefix`, or the `https://` or `http://`
 * address that a web server gives the same objects under.
 */

/** How a bucket is named in a request: in the path, in the host, or as its endpoint most likely wants. */
export type Addressing = 'auto' | 'path' | 'host'

/** A place in a bucket. */
export interface BucketPlace {
  readonly bucket: string
  /** Before every key, without a slash at either end; may be empty. */
  readonly prefix: string
  readonly addressing: Addressing
}

const bucketShape =
  /^s3:\/\/([a-z0-9][a-z0-9._-]{1,61}[a-z0-9])(?:\/([^?#]*))?(?:\?addressing=(path|host))?$/

/** The place that a text means; undefined where it means none. */
export function bucketPlaceOf(text: string): BucketPlace | undefined {
  const [, bucket, prefix = '', addressing = 'auto'] = bucketShape.exec(text) ?? []
  if (bucket === undefined) return undefined
  const trimmed = prefix.replace(/^\/+|\/+$/g, '')
  return { bucket, prefix: trimmed, addressing: addressing as Addressing }
}

/** Whether a text is the address of a place in a bucket. */
export function isBucketAddress(text: string): boolean {
  return bucketPlaceOf(text) !== undefined
}

/** Whether a text is the address of a web server, without query and fragment. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { search, hash } = new URL(text)
  return search === '' && hash === ''
}
