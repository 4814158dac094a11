/** The states of a request, each with its own text: on its way, no match, no key, no money, … */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { usdText } from '../model/wording.ts'
import { type AnswerState, useSession } from '../page-session.ts'
import { KeyForm } from './keys/key-form.tsx'

interface TroubleProps {
  /** State of the request. */
  readonly asked: AnswerState<unknown>
  readonly again: () => void
}

/** The reason why there is no answer, and the way out. Empty if there is an answer. */
export function Trouble({ asked, again }: TroubleProps) {
  switch (asked.kind) {
    case 'answer':
    case 'cancelled':
      return null
    case 'loading':
      return <Loading />
    case 'no-key':
      return <NoKey />
    case 'unreachable':
      return (
        <State title="The service does not answer" isAlert>
          <p>It may have been stopped, or the network is gone. Nothing was charged.</p>
          <button type="button" onClick={again}>
            Try again
          </button>
        </State>
      )
    case 'problem':
      return <ProblemState {...asked} again={again} />
  }
}

/** No key, or not yet; with what became of the link that was to bring one. */
function NoKey() {
  const { link } = useSession()
  if (link.kind === 'exchanging') return <Loading />
  if (link.kind === 'unreachable') {
    return <Trouble asked={{ kind: 'unreachable' }} again={link.again} />
  }
  const isSpent = link.kind === 'spent'
  return (
    <State title={isSpent ? 'This link no longer brings a key' : 'A key is needed'}>
      <p>
        {isSpent
          ? 'The code in a printed address works once, within ten minutes, until the service is started anew.'
          : 'The account of the key pays for every query.'}
      </p>
      <KeyForm />
    </State>
  )
}

type ProblemProps = Extract<AnswerState<unknown>, { kind: 'problem' }> & {
  readonly again: () => void
}

function ProblemState({ problem, retrySeconds, exchange, again }: ProblemProps) {
  const { status, title, detail } = problem
  if (status === 401) {
    return (
      <State title="This key is not valid" isAlert>
        <p>
          It is not known here, was revoked, has expired, or its account is suspended. Nothing was
          charged.
        </p>
        <KeyForm />
      </State>
    )
  }
  if (status === 402) return <NoMoney {...problem} again={again} />
  const isPassing = status === 429 || status >= 500
  return (
    <State title={title} isAlert>
      {detail !== undefined && <p>{detail}</p>}
      <p class="muted small">
        Status {status}, request <code>{exchange.requestId}</code>. Nothing was charged.
      </p>
      {isPassing && <RetryButton seconds={retrySeconds} again={again} />}
    </State>
  )
}

interface NoMoneyProps {
  readonly cost_usd?: number
  readonly balance_usd?: number
  readonly detail?: string
  readonly again: () => void
}

function NoMoney({ cost_usd: cost, balance_usd: balance, detail, again }: NoMoneyProps) {
  return (
    <State title="The balance is used up" isAlert>
      {cost === undefined || balance === undefined ? (
        <p>{detail}</p>
      ) : (
        <p>
          This costs <b class="number">{usdText(cost)}</b>, and the account has{' '}
          <b class="number">{usdText(balance)}</b>. Nothing was charged.
        </p>
      )}
      <p>Whoever runs the service adds to it:</p>
      <pre>
        <code>authority-index account top-up NAME 10 --reference INVOICE</code>
      </pre>
      <button type="button" onClick={again}>
        Try again
      </button>
    </State>
  )
}

/** Asks again, but not before the service wants to be asked. */
function RetryButton({ seconds, again }: { seconds: number; again: () => void }) {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return (
    <button type="button" disabled={left > 0} onClick={again}>
      {left > 0 ? `Try again in ${left} s` : 'Try again'}
    </button>
  )
}

interface StateProps {
  readonly title: string
  readonly isAlert?: boolean
  readonly children?: ComponentChildren
}

/** A state in words. */
export function State({ title, isAlert = false, children }: StateProps) {
  return (
    <section class={`state ${isAlert ? 'is-alert' : ''}`} role={isAlert ? 'alert' : undefined}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** Widths of the lines that hold the place of an answer, in percent of the whole width. */
const boneWidths = [42, 88, 71, 93, 64, 80] as const

/** Shown only when it takes long enough to be noticed. */
export function Loading() {
  return (
    <div class="skeleton">
      <p class="loading" role="status">
        <span class="unseen">Loading</span>
      </p>
      {boneWidths.map((width) => (
        <span key={width} class="bone" style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}
