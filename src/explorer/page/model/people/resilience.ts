/** Resilience of a rank: the number of strongest endorsers without whom it falls. */
import type { Schemas } from '../../../../client/client.ts'
import { wholeText } from '../wording.ts'

/** The service stops counting at this number. */
const countedMax = 255

/** The resilience of a rank in words; '' if it is unknown or the person has no endorser. */
export function resilienceText({ resilience, components }: Schemas['Explanation']): string {
  const endorsement = components.find(({ name }) => name === 'endorsement')
  if ((endorsement?.value ?? 0) === 0) return ''
  const { by_1: one, by_10: ten } = resilience
  if (one === null) return 'This rank does not fall, even without all of its endorsers.'
  const first = `This rank falls by one place without ${endorsersText(one)}`
  if (ten === null) return `${first}, and never by ten.`
  return ten === one
    ? `${first}, and by ten at once.`
    : `${first}, by ten without ${endorsersText(ten)}.`
}

function endorsersText(count: number): string {
  if (count >= countedMax) return `${countedMax} or more of its strongest endorsers`
  return count === 1 ? 'its strongest endorser' : `its ${wholeText(count)} strongest endorsers`
}
