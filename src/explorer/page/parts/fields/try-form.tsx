/** A form that sends a request as it is filled in, and shows the answer. */
import { useId, useState } from 'preact/hooks'
import type { Outcome } from '../../model/asking.ts'
import {
  queryOf,
  type ReferenceOperation,
  type ReferenceParameter,
} from '../../model/reference/reference.ts'
import { requestTargetOf } from '../../model/requests.ts'
import { requestText } from '../../model/snippets.ts'
import { type AnswerState, useOwnAsk, useSession } from '../../page-session.ts'
import { ScrollingText } from '../copy-button.tsx'
import { FactList, Snippets } from '../request-panel.tsx'
import { State, Trouble } from '../states.tsx'

/** Paths that cannot be tried here: their answers are for programs. */
const untried: ReadonlySet<string> = new Set(['/mcp'])

type Values = Readonly<Record<string, string>>

export function TryForm({ operation }: { operation: ReferenceOperation }) {
  const { key } = useSession()
  const ask = useOwnAsk()
  const [values, setValues] = useState<Values>(() => firstValues(operation))
  const [body, setBody] = useState(operation.bodyExample ?? '')
  const [asked, setAsked] = useState<AnswerState<unknown>>()
  const id = useId()
  if (untried.has(operation.path)) return <div class="try is-empty" />
  const query = queryOf(operation, values, body)
  const send = async () => {
    if (operation.needsKey && key === '') return setAsked({ kind: 'no-key' })
    setAsked({ kind: 'loading' })
    setAsked(await ask<unknown>(query))
  }
  return (
    <div class="try panel">
      <form
        aria-label={`Try ${operation.method} ${operation.path}`}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        {operation.parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            id={`${id}-${parameter.name}`}
            parameter={parameter}
            value={values[parameter.name] ?? ''}
            onValue={(value) => setValues({ ...values, [parameter.name]: value })}
          />
        ))}
        {operation.bodyExample !== undefined && (
          <label class="field" for={`${id}-body`}>
            <span>Body</span>
            <textarea
              id={`${id}-body`}
              rows={6}
              spellcheck={false}
              value={body}
              onInput={({ currentTarget }) => setBody(currentTarget.value)}
            />
          </label>
        )}
        <ScrollingText text={requestText(query, location.host, operation.needsKey)} />
        <button type="submit" class="main-action">
          Send
        </button>
      </form>
      {asked !== undefined && (
        <Answered asked={asked} again={send} target={requestTargetOf(query)} />
      )}
      <details>
        <summary>As code</summary>
        <Snippets exchange={{ query }} />
      </details>
    </div>
  )
}

/** The first values of the form: required parameters hold their examples, so that it can be sent as it is. */
function firstValues({ parameters }: ReferenceOperation): Values {
  const required = parameters.filter(({ isRequired }) => isRequired)
  return Object.fromEntries(required.map(({ name, example }) => [name, example]))
}

interface FieldProps {
  readonly id: string
  readonly parameter: ReferenceParameter
  readonly value: string
  readonly onValue: (value: string) => void
}

function ParameterField({ id, parameter, value, onValue }: FieldProps) {
  const { name, isRequired, values, type, example } = parameter
  const isChoice = values.length > 0 && !type.startsWith('list')
  return (
    <label class="field" for={id}>
      <span>
        {name}
        {isRequired && <span class="needed"> required</span>}
      </span>
      {isChoice ? (
        <select
          id={id}
          value={value}
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
        >
          <option value="" />
          {values.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          value={value}
          autocomplete="off"
          spellcheck={false}
          placeholder={example}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </label>
  )
}

interface AnsweredProps {
  readonly asked: AnswerState<unknown>
  readonly again: () => void
  readonly target: string
}

function Answered({ asked, again, target }: AnsweredProps) {
  if (asked.kind === 'answer') return <Answer outcome={asked} target={target} />
  const status = asked.kind === 'problem' ? asked.problem.status : 0
  const isOwnState = asked.kind !== 'problem' || [401, 402, 429].includes(status) || status >= 500
  if (isOwnState) return <Trouble asked={asked} again={again} />
  return (
    <State title={asked.problem.title} isAlert>
      <p>{asked.problem.detail}</p>
      <FactList exchange={asked.exchange} />
      <Json value={asked.problem} />
    </State>
  )
}

function Answer({
  outcome,
  target,
}: {
  outcome: Extract<Outcome<unknown>, { kind: 'answer' }>
  target: string
}) {
  return (
    <section aria-label={`The answer to ${target}`} aria-live="polite">
      <FactList exchange={outcome.exchange} />
      <Json value={outcome.json} />
    </section>
  )
}

/** Longer answers are cut: a page is no place for megabytes. */
const shownMax = 20_000

function Json({ value }: { value: unknown }) {
  const text = JSON.stringify(value, null, 2)
  const shown = text.length > shownMax ? `${text.slice(0, shownMax)}\n…` : text
  return (
    <div class="answer">
      <ScrollingText text={shown} />
    </div>
  )
}
