/** A link to a place of the explorer. */
import { addressOf, type Place } from '../model/address.ts'
import { useSession } from '../page-session.ts'
import { InPageLink, type LinkLook } from './in-page-link.tsx'

export function PlaceLink({ to, ...look }: LinkLook & { readonly to: Place }) {
  const { go } = useSession()
  return (
    <InPageLink {...look} href={addressOf({ place: to, snapshotId: '' })} onGo={() => go(to)} />
  )
}
