/** The endpoints of webhooks: what each is sent, what waits for it, and why it failed last. */
import { wholeText } from '../../model/wording.ts'
import { State } from '../../parts/states.tsx'
import { type EndpointRow, minuteText } from '../model/admin-answers.ts'
import { addWebhook, webhookChanges } from '../model/changes.ts'
import { usePagesOf } from '../operator-session.ts'
import { ChangeButton } from '../parts/change-button.tsx'
import { OperatorLink } from '../parts/place-link.tsx'
import { AdminTrouble } from '../parts/trouble.tsx'
import { MoreRows, StateTag, WideTable } from '../parts/wide-table.tsx'

export function WebhooksView() {
  const list = usePagesOf<EndpointRow>('/webhooks?limit=50')
  return (
    <>
      <div class="head-line">
        <h1>Webhooks</h1>
        <ChangeButton change={addWebhook} />
      </div>
      <AdminTrouble asked={list} />
      {list.shown !== undefined && list.items.length === 0 && (
        <State title="There is no endpoint yet" />
      )}
      {list.items.length > 0 && (
        <WideTable
          label="webhooks"
          names={[
            ...['Endpoint', 'Account', 'Address', 'Events', 'State'],
            ...['Waiting', 'Delivered (UTC)', 'Last failure', 'Changes'],
          ]}
          ofNumbers={['Waiting']}
        >
          {list.items.map((row) => (
            <Endpoint key={row.endpoint} row={row} />
          ))}
        </WideTable>
      )}
      <MoreRows more={list.more} />
    </>
  )
}

function Endpoint({ row }: { row: EndpointRow }) {
  const { endpoint, account, url, events, below, state, pending } = row
  return (
    <tr>
      <th scope="row">
        <code>{endpoint}</code>
      </th>
      <td>
        {account === null ? (
          'operator'
        ) : (
          <OperatorLink to={{ view: 'account', account }}>{account}</OperatorLink>
        )}
      </td>
      <td class="text">
        <bdi>{url}</bdi>
      </td>
      <td class="text small">
        {[...events, ...below.map((each) => `below ${each}`)].join(', ') || 'all that it may get'}
      </td>
      <td>
        <StateTag state={state} />
      </td>
      <td class="number">{wholeText(pending)}</td>
      <td>{minuteText(row.delivered)}</td>
      <td class="text small">
        <bdi>{row.last_failure ?? '–'}</bdi>
      </td>
      <td>
        <div class="row-actions">
          {webhookChanges(endpoint).map((change) => (
            <ChangeButton key={change.short} change={change} />
          ))}
        </div>
      </td>
    </tr>
  )
}
