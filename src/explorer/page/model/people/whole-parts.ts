/** The parts of a rank as parts of one whole: a person's share is 100 percent of the bar. */
import type { Schemas } from '../../../../client/client.ts'
import { countText, kindText } from '../wording.ts'

export interface WholePart {
  readonly name: string
  /** Kind of the endorser's connection in words; '' for other parts. */
  readonly detail: string
  /** Fraction of the whole: 0 to 1. */
  readonly part: number
  readonly kind: 'own' | 'endorser' | 'others'
  /** Null for a handle without an owner; absent if the part is not an endorser. */
  readonly sdu?: string | null
}

/** The parts of a rank, which add up to 1: their own, each of the strongest endorsers, all others together. */
export function wholeParts({ components, endorsers, share }: Schemas['Explanation']): WholePart[] {
  const whole = share === 0 ? 1 : share
  const own = components.find(({ name }) => name === 'own')
  const endorsement = components.find(({ name }) => name === 'endorsement')
  const named = endorsers.reduce((sum, { share: part }) => sum + part, 0)
  const othersCount = (endorsement?.value ?? 0) - endorsers.length
  const others: WholePart[] =
    othersCount <= 0
      ? []
      : [
          {
            name: countText(othersCount, 'other endorser', 'other endorsers'),
            detail: '',
            part: Math.max(0, (endorsement?.share ?? 0) - named) / whole,
            kind: 'others',
          },
        ]
  return [
    { name: 'Their own', detail: '', part: (own?.share ?? 0) / whole, kind: 'own' },
    ...endorsers.map(({ sdu, name, kind, share: part }): WholePart => {
      return { name, detail: kindText(kind), part: part / whole, kind: 'endorser', sdu }
    }),
    ...others,
  ]
}

export function percentText(part: number): string {
  const percent = part * 100
  return percent > 0 && percent < 0.5 ? '< 1\u00a0%' : `${Math.round(percent)}\u00a0%`
}
