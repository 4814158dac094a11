/** The reason why there is nothing to show, and the way out. */
import { Loading, State } from '../../parts/states.tsx'
import type { AskedAdmin } from '../operator-session.ts'

export function AdminTrouble({ asked: { outcome, again } }: { asked: AskedAdmin<unknown> }) {
  if (outcome === undefined) return <Loading />
  if (outcome.kind === 'answer') return null
  if (outcome.kind === 'unreachable') {
    return (
      <State title="The service does not answer" isAlert>
        <p>It may have been stopped, or the way to it is gone. Nothing was changed.</p>
        <button type="button" onClick={again}>
          Try again
        </button>
      </State>
    )
  }
  const { status, title, detail } = outcome
  return (
    <State title={status === 401 ? 'This admin key is not valid' : title} isAlert>
      <p>{status === 401 ? 'It is not known here, was revoked, or has expired.' : detail}</p>
      {status >= 500 && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </State>
  )
}
