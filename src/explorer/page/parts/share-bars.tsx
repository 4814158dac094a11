/**
 * The parts of a rank as bars that add up: the own part of a person, the strongest endorsers, and all
 * others. The longest bar fills its field.
 */
import type { Endorser, RankExplanation } from '../model/answers.ts'
import {
  countText,
  isolated,
  isolatedIn,
  kindText,
  proofTexts,
  shareText,
  wholeText,
} from '../model/wording.ts'
import { ColumnHeads } from './column-heads.tsx'
import { PlaceLink } from './place-link.tsx'

/** A bar; `sdu` leads to a person. */
interface Bar {
  readonly name: string
  readonly detail: string
  readonly share: number
  readonly className: string
  readonly sdu?: string | null
}

export function ShareBars({ explanation }: { explanation: RankExplanation }) {
  const { share, of, topic, sentence, margin, rank, components } = explanation
  const isRecord = components.some(({ name }) => name === 'record')
  const among = topic === null ? 'all by authority score' : isolated(topic)
  const named = [...explanation.endorsers.map(({ name }) => name), topic ?? '']
  const bars = barsOf(explanation)
  const longest = Math.max(...bars.map((bar) => bar.share))
  return (
    <div class="why">
      {/* A number and its unit stay on one line. */}
      <p class="sentence">{isolatedIn(sentence, named).replaceAll(' %', '\u00a0%')}</p>
      {!isRecord && (
        <table class="bars">
          <caption class="unseen">What the share in {among} is made of</caption>
          <ColumnHeads names={['From', 'Part', 'Share']} areUnseen />
          <tbody>
            {bars.map((bar) => (
              <BarRow key={`${bar.name} ${bar.sdu ?? ''}`} bar={bar} longest={longest} />
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All of it</th>
              <td class="bar-cell" />
              <td class="number">{shareText(share)}</td>
            </tr>
          </tfoot>
        </table>
      )}
      <p class="muted small">
        Rank {wholeText(rank)} of {countText(of, 'person', 'people')} in {among};{' '}
        {topic === null ? `${margin.toFixed(2)} points` : shareText(margin)} ahead of the next.
      </p>
      <Sources explanation={explanation} />
      <Proofs explanation={explanation} />
    </div>
  )
}

function BarRow({ bar, longest }: { bar: Bar; longest: number }) {
  const { name, detail, share, className, sdu } = bar
  const width = longest === 0 ? 0 : (share / longest) * 100
  return (
    <tr class={className}>
      <th scope="row">
        {typeof sdu === 'string' ? (
          <PlaceLink to={{ view: 'person', sdu }}>{isolated(name)}</PlaceLink>
        ) : (
          isolated(name)
        )}
        {detail !== '' && <span class="muted small"> {detail}</span>}
      </th>
      <td class="bar-cell" aria-hidden="true">
        <span class="bar-fill" style={{ width: `${width}%` }} />
      </td>
      <td class="number">{shareText(share)}</td>
    </tr>
  )
}

function barsOf({ components, endorsers }: RankExplanation): Bar[] {
  const own = components.find(({ name }) => name === 'own')
  const endorsement = components.find(({ name }) => name === 'endorsement')
  const named = endorsers.reduce((sum, { share }) => sum + share, 0)
  const others = (endorsement?.share ?? 0) - named
  const othersCount = (endorsement?.value ?? 0) - endorsers.length
  return [
    { name: 'Their own', detail: '', share: own?.share ?? 0, className: 'own' },
    ...endorsers.map(barOfEndorser),
    ...(othersCount > 0
      ? [
          {
            name: countText(othersCount, 'other endorser', 'other endorsers'),
            detail: '',
            share: Math.max(0, others),
            className: 'others',
          },
        ]
      : []),
  ]
}

function barOfEndorser({ sdu, name, kind, share }: Endorser): Bar {
  return { name, detail: kindText(kind), share, className: 'endorser', sdu }
}

/** How it is known that the record and the handles are theirs, as far as the record says. */
function Proofs({ explanation }: { explanation: RankExplanation }) {
  const proofs = proofTexts(explanation.sources)
  if (proofs.length === 0) return null
  return (
    <p class="muted small proofs">
      How it is known to be theirs:
      {proofs.map((proof) => (
        <span key={proof}> {isolated(proof)}</span>
      ))}
    </p>
  )
}

function Sources({ explanation }: { explanation: RankExplanation }) {
  const told = explanation.sources.filter(({ source }) => source !== null)
  if (told.length === 0) return null
  return (
    <p class="muted small sources">
      {told.length === 1 ? 'Source: ' : 'Sources: '}
      {told.map(({ source, licence }) => (
        <span key={source}>
          {isolated(source ?? '')}
          {licence !== null && ` (${licence})`}{' '}
        </span>
      ))}
    </p>
  )
}
