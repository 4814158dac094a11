/** Proofs that a handle belongs to a person, in words. */
import type { Schemas } from '../../../../client/client.ts'
import { dayText } from '../wording.ts'

type Profile = Schemas['Profile']

/** Method and day of a handle's verification; without one in the record, those of the person's verification. */
export function handleProof(profile: Profile, platform: string, handle: string): string {
  const bare = (text: string) => text.replace(/^@/, '').toLowerCase()
  const sources = profile.explanation?.sources ?? []
  const own = sources
    .flatMap(({ handles = [] }) => handles)
    .find((each) => each.platform === platform && bare(each.handle) === bare(handle))
  if (own !== undefined) return `Verified by ${own.verified_by}${onDay(own.verified_at)}`
  const person = personProof(profile)
  if (person !== '') return `Person v${person.slice(1)}`
  return sources.some(({ source }) => source !== null) ? 'Listed by the source below' : ''
}

/** Method and day of the person's verification; '' if the record names none. */
export function personProof({ explanation }: Profile): string {
  const record = explanation?.sources.find(({ verified_by: by }) => by !== undefined)
  return record === undefined
    ? ''
    : `Verified by ${record.verified_by}${onDay(record.verified_at ?? null)}`
}

function onDay(at: string | null): string {
  return at === null ? '' : `, ${dayText(at)}`
}
