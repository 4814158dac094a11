/** A link of a page to a view of its own: an address like any other, shown without loading the page again. */
import type { ComponentChildren } from 'preact'

/** Appearance of a link, and its text. */
export interface LinkLook {
  readonly class?: string
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

interface Props extends LinkLook {
  readonly href: string
  readonly onGo: () => void
}

/** A plain click calls `onGo`; other clicks are left to the browser. */
export function InPageLink({ href, onGo, class: name, isCurrent, children }: Props) {
  const onClick = (event: MouseEvent) => {
    // With such a click the person asks the browser for another tab or window.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onGo()
  }
  const current = isCurrent === true ? 'page' : undefined
  return (
    <a href={href} class={name} aria-current={current} onClick={onClick}>
      {children}
    </a>
  )
}
