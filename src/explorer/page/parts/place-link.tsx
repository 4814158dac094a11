/** A link to a place of the explorer: an address like any other, shown without loading the page again. */
import type { ComponentChildren } from 'preact'
import { addressOf, type Place } from '../model/address.ts'
import { useSession } from '../page-session.ts'

interface Props {
  readonly to: Place
  readonly class?: string
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

/** A plain click shows the place; other clicks are left to the browser. */
export function PlaceLink({ to, class: name, isCurrent, children }: Props) {
  const { go } = useSession()
  const onClick = (event: MouseEvent) => {
    // With such a click the person asks the browser for another tab or window.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    go(to)
  }
  const href = addressOf({ place: to, snapshotId: '' })
  const current = isCurrent === true ? 'page' : undefined
  return (
    <a href={href} class={name} aria-current={current} onClick={onClick}>
      {children}
    </a>
  )
}
