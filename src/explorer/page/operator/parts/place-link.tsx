/** A link to a place of the operator's page. */
import { InPageLink, type LinkLook } from '../../parts/in-page-link.tsx'
import { type OperatorPlace, operatorAddressOf } from '../model/place.ts'
import { useOperator } from '../operator-session.ts'

export function OperatorLink({ to, ...look }: LinkLook & { readonly to: OperatorPlace }) {
  const { go } = useOperator()
  return <InPageLink {...look} href={operatorAddressOf(to)} onGo={() => go(to)} />
}
