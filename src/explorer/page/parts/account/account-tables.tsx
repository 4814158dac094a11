/** The tables of the view of an account: the key and its restrictions, sales, prices. */
import {
  type AccountView,
  capText,
  endText,
  rateText,
  type Sold,
} from '../../model/account/account-view.ts'
import { usdText, wholeText } from '../../model/wording.ts'
import { ColumnHeads } from '../column-heads.tsx'

/** The key of the request. */
export function TermsOfKey({ view: { key, limits } }: { view: AccountView }) {
  const { scopes, addresses, remaining_usd: left } = key
  return (
    <section class="panel" aria-labelledby="own-key">
      <h2 id="own-key">
        Key <bdi>{key.name ?? key.id}</bdi>
      </h2>
      <dl class="facts terms">
        <Term name="Id" value={key.id} />
        <Term name="Expires" value={endText(key.expires_at)} />
        <Term name="Cap" value={capText(key)} />
        {left != null && <Term name="Left of its caps" value={usdText(left)} />}
        <Term name="Operations" value={scopes === null ? 'all' : scopes.join(', ')} />
        <Term name="Addresses" value={addresses === null ? 'any' : addresses.join(', ')} />
        {key.requests_per_second !== null && (
          <Term name="Requests of the key" value={rateText(key.requests_per_second)} />
        )}
        <Term name="Requests" value={rateText(limits.requests_per_second)} />
        <Term name="Lookups" value={rateText(limits.lookups_per_second)} />
      </dl>
    </section>
  )
}

function Term({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  )
}

/** Sales by operation, today and this month. */
export function SoldTable({ today, month }: { today: Sold; month: Sold }) {
  if (month.queries === 0) return <p class="muted">Nothing was sold this month.</p>
  const ofToday = new Map(today.by_operation.map((each) => [each.operation, each]))
  return (
    <table class="facts-table">
      <ColumnHeads
        names={['Operation', 'Queries', 'Today', 'This month']}
        ofNumbers={['Queries', 'Today', 'This month']}
      />
      <tbody>
        {month.by_operation.map(({ operation, queries, cost_usd: cost }) => (
          <tr key={operation}>
            <th scope="row">{operation}</th>
            <td class="number">{wholeText(queries)}</td>
            <td class="number">{usdText(ofToday.get(operation)?.cost_usd ?? 0)}</td>
            <td class="number">{usdText(cost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The price of each operation. */
export function PriceTable({ prices }: Pick<AccountView, 'prices'>) {
  return (
    <section class="panel" aria-labelledby="prices">
      <h2 id="prices">Prices</h2>
      <table class="facts-table">
        <ColumnHeads names={['Operation', 'Each', 'Price']} ofNumbers={['Price']} />
        <tbody>
          {prices.map(({ operation, each, price_usd: price }) => (
            <tr key={operation}>
              <th scope="row">{operation}</th>
              <td>{each}</td>
              <td class="number">{price === 0 ? 'free' : usdText(price)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
