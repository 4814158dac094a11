/**
 * The requests behind the page: each as code to be pasted, with its price, its duration and the balance
 * after it.
 */
import { useId, useState } from 'preact/hooks'
import type { Exchange } from '../model/asking.ts'
import { requestTargetOf } from '../model/requests.ts'
import { type Language, languages, snippetOf } from '../model/snippets.ts'
import { bytesText, countText, durationText, shortId, usdText } from '../model/wording.ts'
import { useTold } from '../page-session.ts'
import { CopyableText } from './copy-button.tsx'

/** The panel for developers: closed at first. */
export function RequestPanel() {
  const { exchanges } = useTold()
  const [chosen, setChosen] = useState<Exchange>()
  const id = useId()
  const exchange = exchanges.find((each) => each === chosen) ?? exchanges[0]
  if (exchange === undefined) return null
  return (
    <details class="request-panel panel">
      <summary>
        <span>For developers: {countText(exchanges.length, 'request', 'requests')}</span>
        <span class="number muted">{costText(exchanges)}</span>
      </summary>
      {exchanges.length > 1 && (
        <label class="field" for={id}>
          <span class="unseen">Which request</span>
          <select
            id={id}
            value={exchanges.indexOf(exchange)}
            onChange={({ currentTarget }) => setChosen(exchanges[Number(currentTarget.value)])}
          >
            {exchanges.map((each, index) => (
              <option key={each.requestId} value={index}>
                {each.query.method} {requestTargetOf(each.query)}
              </option>
            ))}
          </select>
        </label>
      )}
      <FactList exchange={exchange} />
      <Snippets exchange={exchange} />
    </details>
  )
}

/** The sum of the costs of some requests. */
function costText(exchanges: readonly Exchange[]): string {
  return usdText(exchanges.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0))
}

/** The facts of one request. */
export function FactList({ exchange }: { exchange: Exchange }) {
  const { status, costUsd, balanceUsd, seconds, roundTripMs, snapshotId, requestId } = exchange
  const isSame = status === 304
  return (
    <dl class="facts">
      <Fact name="Status" value={isSame ? '304, unchanged' : String(status)} />
      <Fact name="Cost" value={costUsd === undefined ? 'nothing' : usdText(costUsd)} />
      {balanceUsd !== undefined && <Fact name="Balance" value={usdText(balanceUsd)} />}
      {seconds !== undefined && <Fact name="Service took" value={durationText(seconds)} />}
      <Fact name="Round trip" value={durationText(roundTripMs / 1000)} />
      <Fact name="Size" value={bytesText(exchange.bytes)} />
      {snapshotId !== '' && <Fact name="Snapshot" value={shortId(snapshotId)} title={snapshotId} />}
      <Fact name="Request" value={requestId.slice(0, 8)} title={requestId} />
    </dl>
  )
}

function Fact({ name, value, title }: { name: string; value: string; title?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="number" title={title}>
        {value}
      </dd>
    </div>
  )
}

const languageNames = Object.keys(languages) as Language[]

export function Snippets({ exchange }: { exchange: Pick<Exchange, 'query'> }) {
  const [language, setLanguage] = useState<Language>('curl')
  const text = snippetOf(language, exchange.query, location.origin)
  return (
    <div class="snippets">
      <fieldset class="tabs" aria-label="Language">
        {languageNames.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === language}
            onClick={() => setLanguage(name)}
          >
            {languages[name]}
          </button>
        ))}
      </fieldset>
      <CopyableText text={text} label={`The request in ${languages[language]}`} />
    </div>
  )
}
