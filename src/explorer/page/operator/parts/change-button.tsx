/**
 * A button that opens the dialog of a change: the form, the confirmation, then the result. Without the scope of the
 * change there is no button.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type AdminOutcome, isSettled, sendChange } from '../model/admin-asking.ts'
import type { OperatorChange, TypedFields } from '../model/changes.ts'
import { keepChange, keptChange, newIdempotencyKey, type OpenChange } from '../model/open-change.ts'
import { tabStorage, useOperator } from '../operator-session.ts'
import { ChangeForm } from './change-form.tsx'

/** The button of one change, and its dialog while that is open. */
export function ChangeButton({ change }: { change: OperatorChange }) {
  const { who } = useOperator()
  const [isOpen, setOpen] = useState(false)
  if (!who.scopes.includes(change.scope)) return null
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {change.short}
      </button>
      {isOpen && <ChangeDialog change={change} onClose={() => setOpen(false)} />}
    </>
  )
}

interface DialogProps {
  readonly change: OperatorChange
  readonly onClose: () => void
}

function ChangeDialog({ change, onClose }: DialogProps) {
  const { changed, who } = useOperator()
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState<TypedFields>(() => startOf(change))
  const [open, setOpen] = useState<OpenChange>()
  const [wasMade, setMade] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])
  const close = () => {
    onClose()
    // The page requests its data again only now, so that this dialog, which may show a key, stays until it is closed.
    if (wasMade || keptChange(tabStorage()) !== undefined) changed()
  }
  const confirm = () =>
    setOpen({
      title: change.title,
      keyId: who.keyId,
      target: change.target(typed),
      body: change.body(typed),
      idempotencyKey: newIdempotencyKey((bytes) => crypto.getRandomValues(bytes)),
    })
  return (
    <dialog ref={dialog} aria-labelledby="change-title" onClose={close}>
      <h2 id="change-title">{change.title}</h2>
      {open === undefined ? (
        <ChangeForm
          change={change}
          typed={typed}
          onTyped={setTyped}
          onDone={confirm}
          onCancel={() => dialog.current?.close()}
        />
      ) : (
        <Confirming
          effect={change.effect}
          open={open}
          onMade={() => setMade(true)}
          onBack={() => setOpen(undefined)}
          onClose={() => dialog.current?.close()}
        />
      )}
    </dialog>
  )
}

function startOf({ fields }: OperatorChange): TypedFields {
  return Object.fromEntries(
    fields.map(({ name, start, choices }) => [name, start ?? choices?.[0] ?? '']),
  )
}

interface ConfirmingProps {
  readonly effect: string
  readonly open: OpenChange
  readonly onMade: () => void
  readonly onBack?: () => void
  readonly onClose: () => void
}

/** Shows what will be sent, sends it once for each press and always under the same key, and says what became of it. */
export function Confirming({ effect, open, onMade, onBack, onClose }: ConfirmingProps) {
  const { key, announce } = useOperator()
  const [outcome, setOutcome] = useState<AdminOutcome<Record<string, unknown>> | 'sending'>()
  const isSending = useRef(false)
  const send = async () => {
    // A second press comes before the button is disabled.
    if (isSending.current) return
    isSending.current = true
    setOutcome('sending')
    keepChange(tabStorage(), open)
    const ended = await sendChange<Record<string, unknown>>(
      (to, init) => fetch(to, init),
      key,
      open,
    )
    if (isSettled(ended)) keepChange(tabStorage(), undefined)
    isSending.current = false
    setOutcome(ended)
    if (ended.kind === 'answer') onMade()
    announce(ended.kind === 'answer' ? 'Done' : 'It was not done')
  }
  if (outcome !== undefined && outcome !== 'sending' && outcome.kind === 'answer') {
    return <Made answer={outcome.json} isReplay={outcome.isReplay} onClose={onClose} />
  }
  return (
    <div class="confirming">
      <p>{effect}</p>
      <Facts facts={open.body} />
      <p class="muted small">
        <code>POST /admin/v1{open.target}</code>
      </p>
      {outcome !== undefined && outcome !== 'sending' && <NotMade outcome={outcome} />}
      <div class="actions">
        <button
          type="button"
          class="main-action"
          disabled={outcome === 'sending'}
          onClick={() => void send()}
        >
          {outcome === undefined || outcome === 'sending' ? 'Confirm' : 'Send again'}
        </button>
        {onBack !== undefined && (
          <button type="button" disabled={outcome === 'sending'} onClick={onBack}>
            Back
          </button>
        )}
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </div>
  )
}

function NotMade({ outcome }: { outcome: Exclude<AdminOutcome<unknown>, { kind: 'answer' }> }) {
  if (outcome.kind === 'unreachable') {
    return (
      <p class="needed" role="alert">
        No answer came. It may have been done: send it again, nothing is done twice.
      </p>
    )
  }
  return (
    <p class="needed" role="alert">
      {outcome.title}. {outcome.detail}
    </p>
  )
}

/** Members of an answer that no later one has. */
const shownOnce = ['key', 'secret'] as const

interface MadeProps {
  readonly answer: Readonly<Record<string, unknown>>
  readonly isReplay: boolean
  readonly onClose: () => void
}

function Made({ answer, isReplay, onClose }: MadeProps) {
  return (
    <div class="confirming">
      <p role="status">{isReplay ? 'It had been done already; this is its answer.' : 'Done.'}</p>
      {shownOnce.map(
        (name) =>
          name in answer && (
            <p key={name} class="needed">
              This {name} is shown only now. Copy it before you close.
            </p>
          ),
      )}
      <Facts facts={answer} />
      <div class="actions">
        <button type="button" class="main-action" onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  )
}

/** Members of JSON in words. */
function Facts({ facts }: { facts: Readonly<Record<string, unknown>> }) {
  return (
    <dl class="facts">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd>
            <bdi>{typeof value === 'string' ? value : JSON.stringify(value)}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
