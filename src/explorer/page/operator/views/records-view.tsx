/** The records: all keys, the audit log, the proof of the books, the nodes, and the admin keys. */
import { useId, useState } from 'preact/hooks'
import { countText, usdText } from '../../model/wording.ts'
import { State } from '../../parts/states.tsx'
import {
  type AdminKeyRow,
  type AdminKeys,
  type AuditEntry,
  type BooksProof,
  minuteText,
  type NodeRow,
} from '../model/admin-answers.ts'
import { useOperator, usePagesOf, useRead } from '../operator-session.ts'
import { KeyRows } from '../parts/key-rows.tsx'
import { AdminTrouble } from '../parts/trouble.tsx'
import { MoreRows, StateTag, WideTable } from '../parts/wide-table.tsx'

export function KeysView() {
  const list = usePagesOf<AdminKeyRow>('/keys?limit=50')
  return (
    <>
      <h1>Keys</h1>
      <p class="muted">A key is issued on the page of its account.</p>
      <AdminTrouble asked={list} />
      {list.shown !== undefined && list.items.length === 0 && <State title="There is no key yet" />}
      {list.items.length > 0 && <KeyRows keys={list.items} />}
      <MoreRows more={list.more} />
    </>
  )
}

export function AuditView({ subject }: { subject: string }) {
  const { go } = useOperator()
  const id = useId()
  const query = subject === '' ? '' : `&subject=${encodeURIComponent(subject)}`
  const list = usePagesOf<AuditEntry>(`/audit?limit=50${query}`)
  return (
    <>
      <h1>Audit log</h1>
      <label class="field find" for={id}>
        <span>Only of one account, key or snapshot</span>
        <input
          id={id}
          type="search"
          value={subject}
          maxLength={128}
          autocomplete="off"
          onInput={({ currentTarget }) =>
            go({ view: 'audit', subject: currentTarget.value.trim() }, true)
          }
        />
      </label>
      <AdminTrouble asked={list} />
      {list.shown !== undefined && list.items.length === 0 && <State title="No such entry" />}
      {list.items.length > 0 && (
        <WideTable
          label="the audit log"
          names={['Number', 'Time (UTC)', 'Action', 'Subject', 'Actor', 'From', 'What']}
        >
          {list.items.map((entry) => (
            <tr key={entry.number}>
              <th scope="row">{entry.number}</th>
              <td>{minuteText(entry.time)}</td>
              <td>{entry.action}</td>
              <td class="text">
                <bdi>{entry.subject}</bdi>
              </td>
              <td class="text">
                <bdi>{entry.actor}</bdi>
              </td>
              <td>{entry.from}</td>
              <td class="text small">
                <bdi>{entryText(entry)}</bdi>
              </td>
            </tr>
          ))}
        </WideTable>
      )}
      <MoreRows more={list.more} />
    </>
  )
}

/** The requested details, and the subject before and after. */
function entryText({ details, before, after }: AuditEntry): string {
  const asked = JSON.stringify(details)
  return [asked === '{}' ? '' : asked, `${JSON.stringify(before)} → ${JSON.stringify(after)}`]
    .filter((text) => text !== '')
    .join(' ')
}

export function BooksView() {
  const [isAsked, setAsked] = useState(false)
  const asked = useRead<AdminKeys>('/admin-keys')
  return (
    <>
      <h1>Books</h1>
      <section aria-labelledby="proof">
        <h2 id="proof">Proof of the books</h2>
        {isAsked ? (
          <Proof />
        ) : (
          <>
            <p class="muted">Reads the whole ledger, and takes as long as it is large.</p>
            <button type="button" onClick={() => setAsked(true)}>
              Prove the books
            </button>
          </>
        )}
      </section>
      <Nodes />
      <section aria-labelledby="admin-keys">
        <h2 id="admin-keys">Admin keys</h2>
        <p class="muted small">They are issued and revoked on the command line only.</p>
        <AdminTrouble asked={asked} />
        {asked.shown !== undefined && (
          <WideTable label="admin keys" names={['Key', 'Label', 'Scopes', 'State', 'Expires']}>
            {asked.shown.results.map((key) => (
              <tr key={key.admin_key_id}>
                <th scope="row">
                  <code>{key.admin_key_id}</code>
                </th>
                <td class="text">
                  <bdi>{key.label ?? '–'}</bdi>
                </td>
                <td>{key.scopes.join(', ')}</td>
                <td>
                  <StateTag state={key.revoked === null ? 'active' : 'revoked'} />
                </td>
                <td>{minuteText(key.expires)}</td>
              </tr>
            ))}
          </WideTable>
        )}
      </section>
    </>
  )
}

function Nodes() {
  const asked = useRead<{ readonly results: readonly NodeRow[] }>('/nodes')
  const { shown } = asked
  return (
    <section aria-labelledby="nodes">
      <h2 id="nodes">Nodes</h2>
      <AdminTrouble asked={asked} />
      {shown?.results.length === 0 && (
        <p class="muted">
          The ledger is a file of this computer, or no node sells from its database now.
        </p>
      )}
      {shown !== undefined && shown.results.length > 0 && (
        <WideTable
          label="nodes"
          names={['Node', 'State', 'Sells since (UTC)', 'Leased until', 'Accounts', 'Leased']}
          ofNumbers={['Accounts', 'Leased']}
        >
          {shown.results.map(({ node, state, since, leased_until: until, accounts, ...row }) => (
            <tr key={`${node} ${since}`}>
              <th scope="row">
                <bdi>{node}</bdi>
              </th>
              <td>
                <StateTag state={state} />
              </td>
              <td>{minuteText(since)}</td>
              <td>{minuteText(until)}</td>
              <td class="number">{accounts}</td>
              <td class="number">{usdText(row.leased_usd)}</td>
            </tr>
          ))}
        </WideTable>
      )}
    </section>
  )
}

function Proof() {
  const asked = useRead<BooksProof>('/ledger/verify')
  const { shown } = asked
  if (shown === undefined) return <AdminTrouble asked={asked} />
  return (
    <>
      <p role="status">
        {shown.balanced ? 'The books add up: ' : 'The books do not add up: '}
        {countText(shown.accounts, 'account', 'accounts')}, {countText(shown.keys, 'key', 'keys')},{' '}
        {countText(shown.rows, 'row', 'rows')}, {usdText(shown.balance_usd)} in all.
      </p>
      <ul>
        {shown.contradictions.map((text) => (
          <li key={text} class="needed">
            {text}
          </li>
        ))}
      </ul>
    </>
  )
}
