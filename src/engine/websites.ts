/**
 * Owners of websites: found by hash, confirmed by the profile; none where many people share one.
 */
import { type HashBuckets, valuesOf } from '../memory/hash-buckets.ts'
import type { PagedTexts } from '../memory/paged-texts.ts'
import { hashBytes } from '../memory/text-table.ts'
import { websiteBytesMax, websiteIn } from '../snapshot/people/websites.ts'

const ownersMax = 3

export class Websites {
  readonly #profiles: PagedTexts
  readonly #table: HashBuckets

  constructor(profiles: PagedTexts, table: HashBuckets) {
    this.#profiles = profiles
    this.#table = table
  }

  /** The people whose website is an address or its host: none where the text is no address or many have it. */
  ownersOf(text: string): readonly number[] {
    const address = addressOf(text)
    if (address === undefined) return []
    const owners = this.#find(address)
    const host = address.slice(0, (address.indexOf('/') + 1 || address.length + 1) - 1)
    return owners.length > 0 || host === address ? owners : this.#find(host)
  }

  #find(address: string): readonly number[] {
    const bytes = Buffer.from(address)
    const owners = valuesOf(this.#table, hashBytes(bytes, 0, bytes.length)).filter((ordinal) =>
      bytes.equals(this.#websiteOf(ordinal)),
    )
    return owners.length > ownersMax ? [] : owners
  }

  #websiteOf(ordinal: number): Uint8Array {
    const { text } = this.#profiles.pageOf(ordinal)
    return websiteIn(text, this.#profiles.startOf(ordinal), this.#profiles.endOf(ordinal))
  }
}

/** An address as the table has it: in small letters, without scheme, `www.` and a slash at the end. */
function addressOf(text: string): string | undefined {
  const shape = /^(?:https?:\/\/)?(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,24}(?:\/\S*)?)$/i
  const address = shape.exec(text)?.[1]?.toLowerCase().replace(/\/+$/, '')
  return address === undefined || address.length > websiteBytesMax ? undefined : address
}
