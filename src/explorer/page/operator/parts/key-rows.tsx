/** Keys as rows, with the actions on each. */
import { usdText } from '../../model/wording.ts'
import { type AdminKeyRow, minuteText } from '../model/admin-answers.ts'
import { keyChanges } from '../model/changes.ts'
import { ChangeButton } from './change-button.tsx'
import { OperatorLink } from './place-link.tsx'
import { StateTag, WideTable } from './wide-table.tsx'

export function KeyRows({ keys }: { keys: readonly AdminKeyRow[] }) {
  return (
    <WideTable
      label="keys"
      names={['Key', 'Label', 'Account', 'State', 'Cap', 'Spent', 'Expires', 'Changes']}
      ofNumbers={['Cap', 'Spent']}
    >
      {keys.map((key) => (
        <tr key={key.key_id}>
          <th scope="row">
            <code>{key.key_id}</code>
          </th>
          <td class="text">
            <bdi>{key.label ?? '–'}</bdi>
          </td>
          <td>
            <OperatorLink to={{ view: 'account', account: key.account }}>
              {key.account}
            </OperatorLink>
          </td>
          <td>
            <StateTag state={key.state} />
          </td>
          <td class="number">{capText(key)}</td>
          <td class="number">{key.spent_usd === undefined ? '–' : usdText(key.spent_usd)}</td>
          <td>{minuteText(key.expires)}</td>
          <td>
            <div class="row-actions">
              {key.state === 'active' &&
                keyChanges(key.key_id).map((change) => (
                  <ChangeButton key={change.short} change={change} />
                ))}
            </div>
          </td>
        </tr>
      ))}
    </WideTable>
  )
}

function capText({ terms, spent_of_cap_usd: spent = 0 }: AdminKeyRow): string {
  const cap = terms?.cap
  return cap === undefined ? '–' : `${usdText(spent)} of ${usdText(cap.amount_usd)} (${cap.period})`
}
