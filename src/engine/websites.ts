/**
 * Owners of websites: found by hash, confirmed by the profile; none where many people share one.
 */
import { valuesOf } from '../memory/hash-buckets.ts'
import { hashBytes } from '../memory/text-table.ts'
import { websiteBytesMax, websiteIn } from '../snapshot/people/websites.ts'
import { bucketsOf } from '../snapshot/text-tables.ts'
import type { Catalog } from './catalog.ts'

const ownersMax = 3

/** The people whose website is an address or its host: none where the text is no address or many have it. */
export function ownersOfWebsite(catalog: Catalog, text: string): readonly number[] {
  const address = addressOf(text)
  if (address === undefined) return []
  const owners = findOwners(catalog, address)
  const host = address.slice(0, (address.indexOf('/') + 1 || address.length + 1) - 1)
  return owners.length > 0 || host === address ? owners : findOwners(catalog, host)
}

function findOwners({ profiles, sections }: Catalog, address: string): readonly number[] {
  const bytes = Buffer.from(address)
  const { rests } = profiles
  const isOwner = (ordinal: number) => {
    const { text } = rests.pageOf(ordinal)
    return bytes.equals(websiteIn(text, rests.startOf(ordinal), rests.endOf(ordinal)))
  }
  const hash = hashBytes(bytes, 0, bytes.length)
  const owners = valuesOf(bucketsOf(sections, 'website'), hash).filter(isOwner)
  return owners.length > ownersMax ? [] : owners
}

/** An address as the table has it: in small letters, without scheme, `www.` and a slash at the end. */
function addressOf(text: string): string | undefined {
  const shape = /^(?:https?:\/\/)?(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,24}(?:\/\S*)?)$/i
  const address = shape.exec(text)?.[1]?.toLowerCase().replace(/\/+$/, '')
  return address === undefined || address.length > websiteBytesMax ? undefined : address
}
