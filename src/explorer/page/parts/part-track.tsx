/** A thin bar that shows which part of a whole something is; the number stands beside it in words. */

interface Props {
  /** 0 to 1. */
  readonly part: number
  /** Kind of the number, which sets the colour. */
  readonly of: 'score' | 'facet'
}

export function PartTrack({ part, of }: Props) {
  return (
    <span class={`${of}-track`} aria-hidden="true">
      <span class={`${of}-fill`} style={{ width: `${part * 100}%` }} />
    </span>
  )
}
