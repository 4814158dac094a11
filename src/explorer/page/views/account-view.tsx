/** The account of the key: its balance, the restrictions of the key, sales by day, and prices. */

import { useEffect, useState } from 'preact/hooks'
import { type AccountView, endText, warningOf } from '../model/account/account-view.ts'
import type { AnswerEnvelope } from '../model/answers.ts'
import { accountQuery } from '../model/requests.ts'
import { isolated, usdText, wholeText } from '../model/wording.ts'
import { useAnswer, useSession } from '../page-session.ts'
import { PriceTable, SoldTable, TermsOfKey } from '../parts/account/account-tables.tsx'
import { DayChart } from '../parts/account/day-chart.tsx'
import { Figure } from '../parts/figure.tsx'
import { PlaceLink } from '../parts/place-link.tsx'
import { RequestPanel } from '../parts/request-panel.tsx'
import { Trouble } from '../parts/states.tsx'

const ranges = [7, 30, 92] as const

export function AccountPage({ days }: { days: number }) {
  const { asked, shown, again } = useAnswer<AnswerEnvelope<AccountView>>(accountQuery(days))
  const view = shown?.results[0]
  if (view === undefined) {
    return (
      <section class="content" aria-busy={asked.kind === 'loading'}>
        <h1>Account</h1>
        <Trouble asked={asked} again={again} />
      </section>
    )
  }
  return (
    <div class="with-aside">
      <section class="content" aria-busy={asked.kind === 'loading'}>
        <AccountHead view={view} again={again} />
        <UsageSection view={view} days={days} />
        <SoldSection view={view} />
      </section>
      <aside class="aside" aria-label="Key and prices">
        <TermsOfKey view={view} />
        <PriceTable prices={view.prices} />
        <RequestPanel />
      </aside>
    </div>
  )
}

function AccountHead({ view, again }: { view: AccountView; again: () => void }) {
  const { announce } = useSession()
  const { account, balance_usd: balance, usage } = view
  const warning = warningOf(view)
  useEffect(() => announce(`Balance ${usdText(balance)}`), [balance, announce])
  return (
    <>
      <p class="muted small over-title">Account</p>
      <h1>
        <bdi>{account}</bdi>
      </h1>
      {warning !== undefined && (
        <aside class="notice is-alert" aria-label="Balance">
          <p>{warning}</p>
        </aside>
      )}
      <section class="index-facts account-facts" aria-label="Balance and usage">
        <dl>
          <Figure name="balance" value={usdText(balance)} />
          <Figure name="spent today" value={usdText(usage.account.today.cost_usd)} />
          <Figure name="spent this month" value={usdText(usage.account.month.cost_usd)} />
          <Figure name="queries this month" value={wholeText(usage.account.month.queries)} />
        </dl>
        <p class="muted small">
          Days and months are UTC. Usage as of {endText(usage.as_of)}; the balance is live.{' '}
          <button type="button" class="plain small" onClick={again}>
            Refresh
          </button>
        </p>
      </section>
    </>
  )
}

/** Choices for the usage shown: of the whole account, or of this key. */
const owners = { account: 'All keys', key: 'This key' } as const

function UsageSection({ view, days }: { view: AccountView; days: number }) {
  const [owner, setOwner] = useState<keyof typeof owners>('account')
  return (
    <section aria-labelledby="usage">
      <h2 id="usage">Usage by day</h2>
      <div class="chart-choices">
        <nav aria-label="How many days" class="tabs">
          {ranges.map((count) => (
            <PlaceLink
              key={count}
              to={{ view: 'account', days: count }}
              class="tab"
              isCurrent={count === days}
            >
              {count} days
            </PlaceLink>
          ))}
        </nav>
        <fieldset class="tabs" aria-label="Whose usage">
          {(['account', 'key'] as const).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === owner}
              onClick={() => setOwner(name)}
            >
              {owners[name]}
            </button>
          ))}
        </fieldset>
      </div>
      <DayChart days={view.usage[owner].days ?? []} />
    </section>
  )
}

function SoldSection({ view: { usage, key } }: { view: AccountView }) {
  const { today, month } = usage.account
  return (
    <section aria-labelledby="sold">
      <h2 id="sold">Usage by operation</h2>
      <SoldTable today={today} month={month} />
      <p class="muted small">
        Of it, key {isolated(key.name ?? key.id)}: {usdText(usage.key.today.cost_usd)} today,{' '}
        {usdText(usage.key.month.cost_usd)} this month, with the keys that it replaced.
      </p>
    </section>
  )
}
