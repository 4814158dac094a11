/** The accounts: a list that can be searched, and one account with its keys, usage and credits. */

import { useId, useState } from 'preact/hooks'
import { everyDay } from '../../model/account/day-bars.ts'
import { usdText } from '../../model/wording.ts'
import { DayChart } from '../../parts/account/day-chart.tsx'
import { Figure } from '../../parts/figure.tsx'
import { State } from '../../parts/states.tsx'
import {
  type AdminAccount,
  type AdminKeyRow,
  type AdminStatement,
  type AdminUsage,
  minuteText,
} from '../model/admin-answers.ts'
import { accountChanges, newAccount } from '../model/changes.ts'
import { useOperator, usePagesOf, useRead } from '../operator-session.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { FileButton } from '../parts/file-button.tsx'
import { KeyRows } from '../parts/key-rows.tsx'
import { OperatorLink } from '../parts/place-link.tsx'
import { AdminTrouble } from '../parts/trouble.tsx'
import { MoreRows, StateTag, WideTable } from '../parts/wide-table.tsx'

export function AccountsView({ name }: { name: string }) {
  const { go } = useOperator()
  const id = useId()
  const query = name === '' ? '' : `&name=${encodeURIComponent(name)}`
  const list = usePagesOf<AdminAccount>(`/accounts?limit=50${query}`)
  return (
    <>
      <div class="head-line">
        <h1>Accounts</h1>
        <ChangeButton change={newAccount} />
      </div>
      <label class="field find" for={id}>
        <span>Find an account by a part of its name</span>
        <input
          id={id}
          type="search"
          value={name}
          maxLength={64}
          autocomplete="off"
          onInput={({ currentTarget }) =>
            go({ view: 'accounts', name: currentTarget.value.trim() }, true)
          }
        />
      </label>
      <AdminTrouble asked={list} />
      {list.shown !== undefined && list.items.length === 0 && (
        <State title={name === '' ? 'There is no account yet' : 'No account has this name'} />
      )}
      {list.items.length > 0 && (
        <WideTable
          label="accounts"
          names={['Account', 'State', 'Balance', 'Credited', 'Charged', 'Made']}
          ofNumbers={['Balance', 'Credited', 'Charged']}
        >
          {list.items.map((each) => (
            <tr key={each.account}>
              <th scope="row">
                <OperatorLink to={{ view: 'account', account: each.account }}>
                  {each.account}
                </OperatorLink>
              </th>
              <td>
                <StateTag state={each.state} />
              </td>
              <td class="number">{usdText(each.balance_usd)}</td>
              <td class="number">{usdText(each.credited_usd)}</td>
              <td class="number">{usdText(each.charged_usd)}</td>
              <td>{minuteText(each.created)}</td>
            </tr>
          ))}
        </WideTable>
      )}
      <MoreRows more={list.more} />
    </>
  )
}

export function AccountDetail({ account }: { account: string }) {
  const asked = useRead<AdminStatement>(`/accounts/${encodeURIComponent(account)}/statement`)
  const { shown } = asked
  return (
    <>
      <p class="muted small over-title">Account</p>
      <h1>
        <bdi>{account}</bdi>
      </h1>
      <AdminTrouble asked={asked} />
      {shown !== undefined && (
        <>
          <section class="index-facts" aria-label="Balance">
            <dl>
              <Figure name="balance" value={usdText(shown.balance_usd)} />
              <Figure name="credited" value={usdText(shown.credited_usd)} />
              <Figure name="charged" value={usdText(shown.charged_usd)} />
            </dl>
            <p class="muted small">
              <StateTag state={shown.state} /> Made {minuteText(shown.created)} UTC.{' '}
              <OperatorLink to={{ view: 'audit', subject: account }}>Its audit log</OperatorLink>
            </p>
          </section>
          <div class="actions">
            {accountChanges(account, shown.state === 'suspended').map((change) => (
              <ChangeButton key={change.short} change={change} />
            ))}
          </div>
          <AccountKeys account={account} />
          <AccountUsage account={account} />
          <Credits statement={shown} />
        </>
      )}
    </>
  )
}

function AccountKeys({ account }: { account: string }) {
  const list = usePagesOf<AdminKeyRow>(`/keys?limit=50&account=${encodeURIComponent(account)}`)
  return (
    <section aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <AdminTrouble asked={list} />
      {list.shown !== undefined && list.items.length === 0 && <p class="muted">No key yet.</p>}
      {list.items.length > 0 && <KeyRows keys={list.items} />}
      <MoreRows more={list.more} />
    </section>
  )
}

const usageDays = 30

function AccountUsage({ account }: { account: string }) {
  const today = new Date().toISOString().slice(0, 10)
  const from = everyDay([], today, usageDays)[0]!.day
  const target = `/accounts/${encodeURIComponent(account)}/usage?from=${from}&to=${today}`
  const asked = useRead<AdminUsage>(target)
  const known = asked.shown?.results.map(({ amount_usd: cost, ...rest }) => ({
    ...rest,
    cost_usd: cost,
  }))
  return (
    <section aria-labelledby="usage">
      <h2 id="usage">Usage of the last {usageDays} days (UTC)</h2>
      <AdminTrouble asked={asked} />
      {known !== undefined && <DayChart days={everyDay(known, today, usageDays)} />}
      <UsageFiles target={target} name={`usage-${account}-${today}`} />
    </section>
  )
}

/** Dimensions, beside the day, by which rows of usage can be split. */
const parts = ['route', 'key', 'hour', 'tag'] as const

function UsageFiles({ target, name }: { target: string; name: string }) {
  const id = useId()
  const [by, setBy] = useState<string>(parts[0])
  return (
    <div class="actions usage-files">
      <label for={id}>As a file, by</label>
      <select id={id} value={by} onChange={({ currentTarget }) => setBy(currentTarget.value)}>
        {parts.map((part) => (
          <option key={part}>{part}</option>
        ))}
      </select>
      {['csv', 'parquet'].map((format) => (
        <FileButton
          key={format}
          target={`${target}&by=${by}&format=${format}`}
          name={`${name}-by-${by}.${format}`}
          shown={format === 'csv' ? 'CSV' : 'Parquet'}
        />
      ))}
    </div>
  )
}

function Credits({ statement: { credits } }: { statement: AdminStatement }) {
  return (
    <section aria-labelledby="credits">
      <h2 id="credits">Credits</h2>
      <WideTable
        label="credits"
        names={['Time (UTC)', 'Amount', 'Reference', 'Reason']}
        ofNumbers={['Amount']}
      >
        {credits.map(({ time, amount_usd: amount, reference, reason }) => (
          <tr key={`${time} ${reference}`}>
            <th scope="row">{minuteText(time)}</th>
            <td class="number">{amount < 0 ? `−${usdText(-amount)}` : usdText(amount)}</td>
            <td class="text">
              <bdi>{reference ?? '–'}</bdi>
            </td>
            <td class="text">
              <bdi>{reason ?? '–'}</bdi>
            </td>
          </tr>
        ))}
      </WideTable>
    </section>
  )
}
