/**
 * Addresses of object storage, as they are typed: `s3://bucket/prefix`, or the `https://` or `http://`
 * address of a web server with the same objects.
 */

/** The place of the bucket's name in a request: the path, the host, or the one that its endpoint most likely needs. */
export type Addressing = 'auto' | 'path' | 'host'

export interface BucketPlace {
  readonly bucket: string
  /** Prefix of every key, without a slash at either end; may be empty. */
  readonly prefix: string
  readonly addressing: Addressing
}

const bucketShape =
  /^s3:\/\/([a-z0-9][a-z0-9._-]{1,61}[a-z0-9])(?:\/([^?#]*))?(?:\?addressing=(path|host))?$/

export function bucketPlaceOf(text: string): BucketPlace | undefined {
  const [, bucket, prefix = '', addressing = 'auto'] = bucketShape.exec(text) ?? []
  if (bucket === undefined) return undefined
  const trimmed = prefix.replace(/^\/+|\/+$/g, '')
  return { bucket, prefix: trimmed, addressing: addressing as Addressing }
}

export function isBucketAddress(text: string): boolean {
  return bucketPlaceOf(text) !== undefined
}

/** Whether a text is the address of a web server, without query and fragment. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { search, hash } = new URL(text)
  return search === '' && hash === ''
}
