/** A link to a place: shown without loading the page anew, and an address as any other. */
import type { ComponentChildren } from 'preact'
import { addressOf, type Place } from '../model/address.ts'
import { useSession } from '../page-session.ts'

interface Props {
  readonly to: Place
  readonly class?: string
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

export function PlaceLink({ to, class: name, isCurrent, children }: Props) {
  const { go } = useSession()
  const onClick = (event: MouseEvent) => {
    // The browser opens another tab or window where the person asks for it.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    go(to)
  }
  const current = isCurrent === true ? 'page' : undefined
  return (
    <a
      href={addressOf({ place: to, snapshotId: '' })}
      class={name}
      aria-current={current}
      onClick={onClick}
    >
      {children}
    </a>
  )
}
