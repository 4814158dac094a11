/** The fields of a change. */
import { useId } from 'preact/hooks'
import type { ChangeField, OperatorChange, TypedFields } from '../model/changes.ts'

interface FormProps {
  readonly change: OperatorChange
  readonly typed: TypedFields
  readonly onTyped: (typed: TypedFields) => void
  readonly onDone: () => void
  readonly onCancel: () => void
}

export function ChangeForm({ change, typed, onTyped, onDone, onCancel }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onDone()
      }}
    >
      {change.fields.length === 0 && <p>{change.effect}</p>}
      {change.fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={typed[field.name] ?? ''}
          onValue={(value) => onTyped({ ...typed, [field.name]: value })}
        />
      ))}
      <div class="actions">
        <button type="submit" class="main-action">
          Go on
        </button>
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}

interface FieldProps {
  readonly field: ChangeField
  readonly value: string
  readonly onValue: (value: string) => void
}

function Field({
  field: { label, kind, choices = [], hint, isOptional },
  value,
  onValue,
}: FieldProps) {
  const id = useId()
  return (
    <label class="field" for={id}>
      <span>
        {label}
        {hint !== undefined && ` (${hint})`}
      </span>
      {kind === 'choice' ? (
        <select
          id={id}
          value={value}
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
        >
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          inputMode={kind === 'number' ? 'decimal' : 'text'}
          pattern={kind === 'number' ? '-?[0-9]+([.][0-9]{1,6})?' : undefined}
          title={kind === 'number' ? 'a number with at most six decimals' : undefined}
          autocomplete="off"
          required={isOptional !== true}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </label>
  )
}
