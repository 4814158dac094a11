/** The start of the operator's page: the key, the frame, the view of the place, and the change that is open. */
import { render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { KeyEntry } from '../parts/keys/key-entry.tsx'
import { State } from '../parts/states.tsx'
import { keepChange, keptChange, type OpenChange } from './model/open-change.ts'
import type { OperatorPlace } from './model/place.ts'
import {
  OperatorContext,
  tabStorage,
  useNewOperator,
  useOperator,
  useRead,
} from './operator-session.ts'
import { Confirming } from './parts/change-button.tsx'
import { OperatorLink } from './parts/place-link.tsx'
import { AdminTrouble } from './parts/trouble.tsx'
import { AccountDetail, AccountsView } from './views/accounts-view.tsx'
import { ApiView } from './views/api-view.tsx'
import { AuditView, BooksView, KeysView } from './views/records-view.tsx'
import { ServedView } from './views/served-view.tsx'
import { WebhooksView } from './views/webhooks-view.tsx'

const entries: readonly (readonly [text: string, to: OperatorPlace])[] = [
  ['Accounts', { view: 'accounts', name: '' }],
  ['Keys', { view: 'keys' }],
  ['Webhooks', { view: 'webhooks' }],
  ['Served', { view: 'served' }],
  ['Audit log', { view: 'audit', subject: '' }],
  ['Books', { view: 'books' }],
  ['API', { view: 'api' }],
]

function OperatorApp() {
  const operator = useNewOperator()
  const { key, place, hadKeyInAddress } = operator
  useTitle(place)
  return (
    <OperatorContext.Provider value={operator}>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Head />
      <main id="main" tabIndex={-1} class="main">
        {hadKeyInAddress && (
          <div class="notice is-alert" role="alert">
            <p>
              The address held a key. It was not used: the history of this browser may have it now.
              Revoke it, and type another one into the form.
            </p>
          </div>
        )}
        {key === '' ? <KeyNeeded /> : <Entered key={key} />}
      </main>
    </OperatorContext.Provider>
  )
}

function Head() {
  const { key, who, place, takeKey } = useOperator()
  const view = place.view === 'account' ? 'accounts' : place.view
  return (
    <header class="operator-bar">
      <b>Authority Index administration</b>
      <nav class="views" aria-label="Views">
        {key !== '' &&
          entries.map(([text, to]) => (
            <OperatorLink key={text} to={to} isCurrent={to.view === view}>
              {text}
            </OperatorLink>
          ))}
      </nav>
      {key !== '' && (
        <span class="small">
          {who.keyId !== '' && (
            <>
              <code>{who.keyId}</code> {who.scopes.join(', ')}{' '}
            </>
          )}
          <button type="button" class="plain small" onClick={() => takeKey('', false)}>
            Forget the key
          </button>
        </span>
      )}
      <div id="status" role="status" class="unseen" />
    </header>
  )
}

function KeyNeeded() {
  const { takeKey } = useOperator()
  return (
    <State title="An admin key is needed">
      <KeyEntry
        label="Admin key"
        placeholder="aik_admin_…"
        keepText="Keep it in this tab until it is closed"
        keepsFirst
        onTyped={takeKey}
      >
        <code>authority-index admin-key issue --scopes read,keys,money,data</code> makes one. It is
        sent to this listener only, and never kept in the browser.
      </KeyEntry>
    </State>
  )
}

/** The page for a key that is set: the view, or the reason why the key cannot read. */
function Entered() {
  const { place, who } = useOperator()
  const asked = useRead('/prices')
  const { outcome } = asked
  if (outcome?.kind === 'problem' && outcome.status === 403 && who.keyId !== '') {
    return (
      <State title="This admin key may not read" isAlert>
        <p>
          It has {who.scopes.length === 0 ? 'no scopes' : `the scopes ${who.scopes.join(', ')}`}.
          This page needs the scope read; the API and the command line do not.
        </p>
      </State>
    )
  }
  if (outcome?.kind !== 'answer' && who.keyId === '') return <WrongKey asked={asked} />
  return (
    <>
      <OpenChangeNotice />
      <PlaceView key={place.view === 'account' ? place.account : place.view} place={place} />
    </>
  )
}

function WrongKey({ asked }: { asked: ReturnType<typeof useRead> }) {
  const isWrong = asked.outcome?.kind === 'problem' && asked.outcome.status === 401
  return (
    <>
      <AdminTrouble asked={asked} />
      {isWrong && <KeyNeeded />}
    </>
  )
}

/** A change whose answer was not seen. It is sent again under the admin key that it was sent with, or not at all. */
function OpenChangeNotice() {
  const { who, round, changed } = useOperator()
  const [open, setOpen] = useState<OpenChange>()
  useEffect(() => setOpen(keptChange(tabStorage())), [round])
  if (open === undefined || who.keyId === '') return null
  const end = () => {
    keepChange(tabStorage(), undefined)
    changed()
  }
  return (
    <section class="notice is-alert" aria-labelledby="open-change">
      <h2 id="open-change">{open.title}: the answer was not seen</h2>
      {open.keyId === who.keyId ? (
        <Confirming
          effect="It may have been done. Sent again it is the same change: nothing is done twice."
          open={open}
          onMade={() => {}}
          onClose={end}
        />
      ) : (
        <>
          <p>
            It was sent with the admin key <code>{open.keyId}</code>. The audit log says whether it
            was done.
          </p>
          <button type="button" onClick={end}>
            Understood
          </button>
        </>
      )}
    </section>
  )
}

function PlaceView({ place }: { place: OperatorPlace }) {
  switch (place.view) {
    case 'accounts':
      return <AccountsView name={place.name} />
    case 'account':
      return <AccountDetail account={place.account} />
    case 'keys':
      return <KeysView />
    case 'webhooks':
      return <WebhooksView />
    case 'served':
      return <ServedView />
    case 'audit':
      return <AuditView subject={place.subject} />
    case 'books':
      return <BooksView />
    case 'api':
      return <ApiView />
  }
}

function useTitle(place: OperatorPlace): void {
  const shown = useRef(place.view)
  useLayoutEffect(() => {
    const name = place.view === 'account' ? place.account : place.view
    document.title = `${name} · Authority Index administration`
  }, [place])
  useEffect(() => {
    if (shown.current === place.view) return
    shown.current = place.view
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [place])
}

render(<OperatorApp />, document.body)
