/** One operation of the API, with a form to try it. */
import type { ReferenceOperation } from '../../model/reference/reference.ts'
import { TryForm } from '../fields/try-form.tsx'
import { OperationText } from './operation-text.tsx'

export function OperationSection({ operation }: { operation: ReferenceOperation }) {
  const { id } = operation
  return (
    <section id={id} class="operation" aria-labelledby={`${id}-title ${id}-route`}>
      <OperationText operation={operation} />
      <TryForm operation={operation} />
    </section>
  )
}
