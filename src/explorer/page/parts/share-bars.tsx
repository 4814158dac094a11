/**
 * The explanation of a person's rank: one sentence, and one bar that is the whole share, with every part in percent.
 * The legend names each part.
 */
import type { Schemas } from '../../../client/client.ts'
import { addressOf } from '../model/address.ts'
import { resilienceText } from '../model/people/resilience.ts'
import { percentText, type WholePart, wholeParts } from '../model/people/whole-parts.ts'
import { countText, isolated, isolatedIn, shareText, wholeText } from '../model/wording.ts'

export function ShareBars({ explanation }: { explanation: Schemas['Explanation'] }) {
  const { share, of, topic, sentence, margin, rank, components } = explanation
  const isRecord = components.some(({ name }) => name === 'record')
  const among = topic === null ? 'all by authority score' : isolated(topic)
  const resilience = resilienceText(explanation)
  const named = [...explanation.endorsers.map(({ name }) => name), topic ?? '']
  return (
    <div class="why">
      {/* A number and its unit stay on one line. */}
      <p class="sentence">{isolatedIn(sentence, named).replaceAll(' %', '\u00a0%')}</p>
      {!isRecord && (
        <>
          <p class="muted small whole">
            The whole bar is their share of {among}: {shareText(share)} of what everybody there has.
          </p>
          <WholeBar parts={wholeParts(explanation)} />
          <Legend parts={wholeParts(explanation)} among={among} />
        </>
      )}
      {resilience !== '' && <p class="small resilience">{resilience}</p>}
      <p class="muted small">
        Rank {wholeText(rank)} of {countText(of, 'person', 'people')} in {among};{' '}
        {topic === null ? `${margin.toFixed(2)} points` : shareText(margin)} ahead of the next.
      </p>
    </div>
  )
}

function WholeBar({ parts }: { parts: readonly WholePart[] }) {
  return (
    <div class="whole-bar" aria-hidden="true">
      {parts.map(({ name, part, kind, sdu }) => (
        <span
          key={`${name} ${sdu ?? ''}`}
          class={`${kind} ${part < 0.12 ? 'is-slim' : ''}`}
          style={{ flexGrow: part }}
          title={`${isolated(name)}: ${percentText(part)}`}
        >
          {part >= 0.08 ? percentText(part) : ''}
        </span>
      ))}
    </div>
  )
}

function Legend({ parts, among }: { parts: readonly WholePart[]; among: string }) {
  return (
    <table class="bars">
      <caption class="unseen">What the share in {among} is made of</caption>
      <tbody>
        {parts.map(({ name, detail, part, kind, sdu }) => (
          <tr key={`${name} ${sdu ?? ''}`} class={kind}>
            <th scope="row">
              <span class="swatch" aria-hidden="true" />{' '}
              {typeof sdu === 'string' ? (
                <a href={addressOf({ view: 'person', sdu })}>{isolated(name)}</a>
              ) : (
                isolated(name)
              )}
              {detail !== '' && <span class="muted small"> {detail}</span>}
              {kind === 'own' && <span class="muted small"> does not depend on endorsements</span>}
            </th>
            <td class="number">{percentText(part)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A thin bar that shows which part of a whole something is, 0 to 1; the number stands beside it in words. */
export function PartTrack({ part }: { part: number }) {
  return (
    <span class="track" aria-hidden="true">
      <span style={{ width: `${part * 100}%` }} />
    </span>
  )
}
