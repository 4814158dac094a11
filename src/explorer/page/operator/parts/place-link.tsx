/** A link to a place of the operator's page: an address as any other, shown without loading the page anew. */
import type { ComponentChildren } from 'preact'
import { type OperatorPlace, operatorAddressOf } from '../model/place.ts'
import { useOperator } from '../operator-session.ts'

interface Props {
  readonly to: OperatorPlace
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

export function OperatorLink({ to, isCurrent, children }: Props) {
  const { go } = useOperator()
  const onClick = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    go(to)
  }
  const current = isCurrent === true ? 'page' : undefined
  return (
    <a href={operatorAddressOf(to)} aria-current={current} onClick={onClick}>
      {children}
    </a>
  )
}
