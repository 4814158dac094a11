/** The view inside a chat: a ranked list, a network, profiles with the reasons of their ranks, or sources. */
import { useMemo, useState } from 'preact/hooks'
import type { Profile, Summary } from '../model/answers.ts'
import { networkGraph } from '../model/graph/network-graph.ts'
import { sharedTopic } from '../model/people/people-rows.ts'
import { countText, isolated, scoreText } from '../model/wording.ts'
import { ColumnHeads } from '../parts/column-heads.tsx'
import { GraphPicture } from '../parts/graph-picture.tsx'
import { PeopleList, ScoreBar } from '../parts/people-list.tsx'
import { PlaceLink } from '../parts/place-link.tsx'
import { ShareBars } from '../parts/share-bars.tsx'
import type { ShownInChat, SourceInChat } from './shown.ts'

export function ChatView({ shown }: { shown: ShownInChat }) {
  switch (shown.kind) {
    case 'people':
      return (
        <>
          <h1>{isolated(shown.about)}</h1>
          <PeopleList
            people={shown.items}
            total={shown.items.length}
            topic={sharedTopic(shown.items)}
          />
        </>
      )
    case 'network':
      return <Network about={shown.about} peers={shown.items} />
    case 'profiles':
      return (
        <>
          {shown.items.map((profile) => (
            <Card key={profile.sdu} profile={profile} />
          ))}
        </>
      )
    case 'sources':
      return <Sources sources={shown.items} />
    case 'text':
      return <pre class="as-text">{shown.about}</pre>
  }
}

function Network({ about, peers }: { about: string; peers: readonly Summary[] }) {
  const graph = useMemo(() => networkGraph(about, peers), [about, peers])
  const [lit, setLit] = useState('')
  return (
    <>
      <h1>
        {countText(peers.length, 'peer', 'peers')} of {isolated(about)}
      </h1>
      <figure class="graph">
        <GraphPicture graph={graph} lit={lit} onLit={setLit} />
        <figcaption class="muted small">
          The nearer and larger, the more authority. Lines among peers: who endorses whom most.
        </figcaption>
      </figure>
      <PeopleList people={peers} total={peers.length} topic="" />
    </>
  )
}

/** @param profile incomplete if it came from another tool than that of profiles. */
function Card({ profile }: { profile: Partial<Profile> & Pick<Profile, 'sdu' | 'name'> }) {
  const { sdu, name, country, bio, authority_score: score, explanation } = profile
  const topics = profile.topics ?? []
  return (
    <article class="card">
      <header>
        <h1>
          <PlaceLink to={{ view: 'person', sdu }}>{isolated(name)}</PlaceLink>
        </h1>
        {score !== undefined && <ScoreBar score={score} />}
      </header>
      <p class="muted">
        {[...topics.slice(0, 6), country ?? ''].filter(Boolean).map(isolated).join(' · ')}
      </p>
      {bio !== undefined && bio !== '' && <blockquote>{isolated(bio)}</blockquote>}
      {explanation !== undefined && <ShareBars explanation={explanation} />}
    </article>
  )
}

function Sources({ sources }: { sources: readonly SourceInChat[] }) {
  return (
    <>
      <h1>Sources by the authority of their authors</h1>
      <table class="facts-table">
        <ColumnHeads names={['Source', 'Author', 'Score']} ofNumbers={['Score']} />
        <tbody>
          {sources.map(({ source, sdu, name, authority_score: score }) => (
            <tr key={source}>
              <th scope="row">{isolated(source)}</th>
              <td>
                {sdu === null ? (
                  <span class="muted">not in the index</span>
                ) : (
                  <PlaceLink to={{ view: 'person', sdu }}>{isolated(name ?? sdu)}</PlaceLink>
                )}
              </td>
              <td class="number">{typeof score === 'number' ? scoreText(score) : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
