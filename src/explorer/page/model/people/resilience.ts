/** How firmly a rank stands: how many of the strongest endorsers have to go until it falls. */
import type { RankExplanation } from '../answers.ts'
import { wholeText } from '../wording.ts'

/** From this count on the service stops counting. */
const countedMax = 255

/** The resilience of a rank in words; '' where it is not known, or nobody endorses the person. */
export function resilienceText({ resilience, components }: RankExplanation): string {
  const endorsement = components.find(({ name }) => name === 'endorsement')
  if (resilience === undefined || (endorsement?.value ?? 0) === 0) return ''
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
