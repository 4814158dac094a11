/** How a handle was found to belong to a person, in words. */
import type { Profile } from '../answers.ts'
import { dayText } from '../wording.ts'

/** How and when a handle was verified; what the record says of the whole person where it says nothing of the handle. */
export function handleProof({ explanation }: Profile, platform: string, handle: string): string {
  const bare = (text: string) => text.replace(/^@/, '').toLowerCase()
  const sources = explanation?.sources ?? []
  const own = sources
    .flatMap(({ handles = [] }) => handles)
    .find((each) => each.platform === platform && bare(each.handle) === bare(handle))
  if (own !== undefined) return `Verified by ${own.verified_by}${onDay(own.verified_at)}`
  const record = sources.find(({ verified_by: by }) => by !== undefined)
  if (record !== undefined) {
    return `Person verified by ${record.verified_by}${onDay(record.verified_at ?? null)}`
  }
  return sources.some(({ source }) => source !== null) ? 'Listed by the source below' : ''
}

function onDay(at: string | null): string {
  return at === null ? '' : `, ${dayText(at)}`
}
