/** A table that scrolls if it is too wide, by the keyboard too; and the states that stand in it. */
import type { ComponentChildren } from 'preact'
import { ColumnHeads } from '../../parts/column-heads.tsx'

interface Props {
  readonly label: string
  readonly names: readonly string[]
  readonly ofNumbers?: readonly string[]
  readonly children: ComponentChildren
}

export function WideTable({ label, names, ofNumbers = [], children }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section class="wide" tabIndex={0} aria-label={`Table of ${label}`}>
      <table class="facts-table">
        <ColumnHeads names={names} ofNumbers={ofNumbers} />
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

/** A state in short. */
export function StateTag({ state }: { state: string }) {
  const isBad = ['suspended', 'revoked', 'expired', 'paused', 'failing', 'late'].includes(state)
  return <span class={`tag-state ${isBad ? 'is-bad' : ''}`}>{state}</span>
}

/** The button that asks for the next page. */
export function MoreRows({ more }: { more: (() => void) | undefined }) {
  if (more === undefined) return null
  return (
    <button type="button" class="more" onClick={more}>
      Show more
    </button>
  )
}
