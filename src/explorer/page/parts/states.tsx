/** The states of a call, each with its own text: on its way, no match, no key, no money, … */
import type { ComponentChildren } from 'preact'
import {
  APIError,
  AuthenticationError,
  ConnectionError,
  InsufficientBalanceError,
} from '../../../client/client.ts'
import { usdText } from '../model/wording.ts'
import { type Answering, useSession } from '../session.tsx'
import { KeyForm } from './key-form.tsx'

/** What stands behind the pages that are there: a button for the next, or why there is none and the way out. */
export function Rest({ of: asked }: { of: Answering<unknown> }) {
  const { kind, isCurrent, hasMore, error, more } = asked
  if (!isCurrent) return null
  return (
    <>
      {hasMore && (
        <button type="button" class="more" onClick={more}>
          Show more
        </button>
      )}
      {kind === 'loading' && <Loading />}
      {kind === 'no-key' && <NoKey />}
      {kind === 'failed' && <Failure error={error} again={more} />}
    </>
  )
}

/** No key, or not yet; with what became of the link that was to bring one. */
export function NoKey() {
  const { link } = useSession()
  if (link === 'exchanging') return <Loading />
  const [title, text] = noKeyTexts[link]
  return (
    <State title={title}>
      <p>{text}</p>
      <KeyForm />
    </State>
  )
}

const noKeyTexts = {
  none: ['A key is needed', 'The account of the key pays for every query.'],
  spent: [
    'This link no longer brings a key',
    'The code in a printed address works once, within ten minutes, until the service is started anew.',
  ],
  unreachable: ['The service does not answer', 'Open the printed address again.'],
} as const

interface FailureProps {
  readonly error: unknown
  readonly again: () => void
}

function Failure({ error, again }: FailureProps) {
  if (error instanceof AuthenticationError) {
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
  if (error instanceof InsufficientBalanceError) return <NoMoney error={error} again={again} />
  if (!(error instanceof APIError) || error instanceof ConnectionError) {
    return (
      <State title="The service does not answer" isAlert>
        <p>It may have been stopped, or the network is gone.</p>
        <RetryButton again={again} />
      </State>
    )
  }
  const { status, problem, requestId } = error
  const isPassing = status === 429 || (status ?? 0) >= 500
  return (
    <State title={textOf(problem?.title) || `The service answered with ${status}`} isAlert>
      <p>{textOf(problem?.detail)}</p>
      <p class="muted small">
        Status {status}, request <code>{requestId}</code>. Nothing was charged.
      </p>
      {isPassing && <RetryButton again={again} />}
    </State>
  )
}

function textOf(member: unknown): string {
  return typeof member === 'string' ? member : ''
}

function NoMoney({ error: { problem }, again }: { error: APIError; again: () => void }) {
  const { cost_usd: cost, balance_usd: balance, detail } = problem ?? {}
  return (
    <State title="The balance is used up" isAlert>
      {typeof cost === 'number' && typeof balance === 'number' ? (
        <p>
          This costs <b class="number">{usdText(cost)}</b>, and the account has{' '}
          <b class="number">{usdText(balance)}</b>. Nothing was charged.
        </p>
      ) : (
        <p>{textOf(detail)}</p>
      )}
      <p>The operator of the service adds to it:</p>
      <pre>
        <code>authority-index account top-up NAME 10 --reference INVOICE</code>
      </pre>
      <RetryButton again={again} />
    </State>
  )
}

function RetryButton({ again }: { again: () => void }) {
  return (
    <button type="button" onClick={again}>
      Try again
    </button>
  )
}

interface StateProps {
  readonly title: string
  readonly isAlert?: boolean
  readonly children?: ComponentChildren
}

export function State({ title, isAlert = false, children }: StateProps) {
  return (
    <section class={`state ${isAlert ? 'is-alert' : ''}`} role={isAlert ? 'alert' : undefined}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** Shown only when it takes long enough to be noticed. */
function Loading() {
  return (
    <p class="loading" role="status">
      <span class="unseen">Loading</span>
    </p>
  )
}
