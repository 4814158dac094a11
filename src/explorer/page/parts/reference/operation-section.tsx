/** One operation of the API in words, with its parameters, its answers and its price, and a form to try it. */
import type {
  ReferenceHeader,
  ReferenceOperation,
  ReferenceParameter,
} from '../../model/reference/reference.ts'
import type { ReferenceField } from '../../model/reference/schema-fields.ts'
import { countText, usdText } from '../../model/wording.ts'
import { TryForm } from '../fields/try-form.tsx'

export function OperationSection({ operation }: { operation: ReferenceOperation }) {
  const { id } = operation
  return (
    <section id={id} class="operation" aria-labelledby={`${id}-title ${id}-route`}>
      <OperationText operation={operation} />
      <TryForm operation={operation} />
    </section>
  )
}

function OperationText({ operation }: { operation: ReferenceOperation }) {
  const { id, method, path, summary, text, priceUsd, needsKey, parameters } = operation
  return (
    <div class="told">
      <h2 id={`${id}-title`}>{summary}</h2>
      <p id={`${id}-route`} class="route">
        <span class={`method ${method}`}>{method}</span> <code>{path}</code>
        <span class="muted small">
          {priceUsd === undefined
            ? needsKey
              ? ''
              : 'no key, free'
            : `${usdText(priceUsd)} a query`}
        </span>
      </p>
      <p>{withCode(text)}</p>
      {parameters.length > 0 && <Parameters parameters={parameters} />}
      <Headers headers={operation.headers} of="Headers of the request" />
      {operation.bodyFields.length > 0 && (
        <>
          <h3>Body, JSON</h3>
          <FieldList fields={operation.bodyFields} isSent />
        </>
      )}
      <Answer operation={operation} />
      <Responses operation={operation} />
    </div>
  )
}

function Parameters({ parameters }: { parameters: readonly ReferenceParameter[] }) {
  return (
    <>
      <h3>Parameters</h3>
      <dl class="described">
        {parameters.map(({ name, otherSpellings, isRequired, type, limits, text }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
              {otherSpellings.map((spelling) => (
                <span key={spelling} class="muted small">
                  {' '}
                  or <code>{spelling}</code>
                </span>
              ))}
              <span class="muted small"> {[type, limits].filter(Boolean).join(', ')}</span>
              {isRequired && <span class="needed small"> required</span>}
            </dt>
            <dd>{withCode(text)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** The fields of an answer: of its items, and around them. */
function Answer({ operation }: { operation: ReferenceOperation }) {
  const { itemFields, itemNotes, fields } = operation.answer
  return (
    <>
      <Fields fields={itemFields} notes={itemNotes} of="Each item" />
      <Fields
        fields={fields}
        notes={[]}
        of={itemFields.length > 0 ? 'Around the items' : 'The answer'}
      />
    </>
  )
}

interface FieldsProps {
  readonly fields: readonly ReferenceField[]
  readonly notes: readonly string[]
  readonly of: string
}

function Fields({ fields, notes, of }: FieldsProps) {
  const outer = fields.filter(({ name }) => !/[.[]/.test(name))
  if (outer.length === 0) return null
  return (
    <details>
      <summary>
        {of}: {countText(outer.length, 'field', 'fields')}
      </summary>
      {notes.map((note) => (
        <p key={note} class="muted small">
          {withCode(note)}
        </p>
      ))}
      <FieldList fields={fields} />
    </details>
  )
}

function FieldList({
  fields,
  isSent = false,
}: {
  fields: readonly ReferenceField[]
  isSent?: boolean
}) {
  return (
    <dl class="described">
      {fields.map(({ name, type, text, limits, isRequired }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
            <span class="muted small"> {[type, limits].filter(Boolean).join(', ')}</span>
            {isRequired &&
              (isSent ? (
                <span class="needed small"> required</span>
              ) : (
                <span class="muted small"> · always there</span>
              ))}
          </dt>
          {text !== '' && <dd>{withCode(text)}</dd>}
        </div>
      ))}
    </dl>
  )
}

function Headers({ headers, of }: { headers: readonly ReferenceHeader[]; of: string }) {
  if (headers.length === 0) return null
  return (
    <details>
      <summary>
        {of}: {headers.map(({ name }) => name).join(', ')}
      </summary>
      <dl class="described">
        {headers.map(({ name, text }) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{withCode(text)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

function Responses({ operation: { responses } }: { operation: ReferenceOperation }) {
  return (
    <details>
      <summary>Answered with {responses.map(({ status }) => status).join(', ')}</summary>
      <dl class="described statuses">
        {responses.map(({ status, text, headers }) => (
          <div key={status}>
            <dt class="number">{status}</dt>
            <dd>
              {withCode(text)}
              <Headers headers={headers} of="Headers" />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** Shows text between backticks as code. */
function withCode(text: string) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))
}
