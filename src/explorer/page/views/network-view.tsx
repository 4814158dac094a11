/** The network of a handle: a graph, and beside it the same facts as a table. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { addressOf, searchFor } from '../model/address.ts'
import { coloredTopicsMax, networkGraph } from '../model/graph/network-graph.ts'
import { askPeers, type Person } from '../model/questions.ts'
import { countText, isolated, scoreText } from '../model/wording.ts'
import { GraphPicture } from '../parts/graph-picture.tsx'
import { Rest, State } from '../parts/states.tsx'
import { announce, useAnswer } from '../session.tsx'

export function NetworkView({ handle }: { handle: string }) {
  const asked = useAnswer(['peers', handle], (client, options) => askPeers(client, handle, options))
  const peers = asked.pages[0]?.results
  useEffect(() => {
    if (peers !== undefined) announce(countText(peers.length, 'peer', 'peers'))
  }, [peers])
  return (
    <>
      <header>
        <h1>Network of {isolated(handle)}</h1>
        {asked.kind !== 'no-key' && <Owner handle={handle} />}
      </header>
      {peers === undefined ? (
        <Rest of={asked} />
      ) : peers.length === 0 ? (
        <State title="Nobody is connected with it">
          <p>No connection of this handle is known, in either direction.</p>
          <p>
            <a href={addressOf(searchFor(handle.replace(/^\w+:/, '')))}>Search for it</a> or{' '}
            <a href={addressOf({ view: 'topics', typed: '' })}>look at the topics</a>.
          </p>
        </State>
      ) : (
        <Network handle={handle} peers={peers} />
      )}
    </>
  )
}

function Owner({ handle }: { handle: string }) {
  const asked = useAnswer(['match', handle], (client, options) => client.match(handle, options))
  const [owner] = asked.pages
  if (owner === undefined) {
    // This line holds the place of the answer, so that the picture below it does not move.
    const isComing = asked.kind === 'loading'
    return <p class="muted">{isComing ? '\u00a0' : 'Whose handle it is could not be asked.'}</p>
  }
  return (
    <p class="muted">
      {owner === null ? (
        'Nobody in the index owns this handle.'
      ) : (
        <>
          It belongs to{' '}
          <a href={addressOf({ view: 'person', sdu: owner.sdu })}>{isolated(owner.name)}</a>
          {`, rank ${owner.rank} in ${isolated(owner.topic)}.`}
        </>
      )}
    </p>
  )
}

function Network({ handle, peers }: { handle: string; peers: readonly Person[] }) {
  const graph = useMemo(() => networkGraph(handle, peers), [handle, peers])
  const [lit, setLit] = useState('')
  return (
    <div class="network">
      <figure class="graph">
        <GraphPicture graph={graph} lit={lit} onLit={setLit} />
        <ul class="legend small" aria-label="Colours of topics">
          {graph.topics.map((topic, color) => (
            <li key={topic}>
              <span class={`dot color-${color}`} aria-hidden="true" /> {isolated(topic)}
            </li>
          ))}
          {peers.some(({ topic }) => !graph.topics.includes(topic)) && (
            <li>
              <span class="dot color-6" aria-hidden="true" /> other topics
            </li>
          )}
        </ul>
        <figcaption class="muted small">
          The nearer and larger, the more authority. Lines among peers: who endorses whom most.
        </figcaption>
      </figure>
      <section class="peers" aria-label="The same as a table">
        <table class="facts-table">
          <thead>
            <tr>
              <th class="number">Rank</th>
              <th>Peer</th>
              <th>Topic</th>
              <th class="number">Score</th>
            </tr>
          </thead>
          <tbody>
            {peers.map(({ sdu, name, rank, topic, authority_score: score }) => (
              <tr
                key={sdu}
                class={sdu === lit ? 'is-lit' : ''}
                onMouseEnter={() => setLit(sdu)}
                onMouseLeave={() => setLit('')}
                onFocusIn={() => setLit(sdu)}
                onFocusOut={() => setLit('')}
              >
                <td class="number">{rank}</td>
                <th scope="row">
                  <a href={addressOf({ view: 'person', sdu })}>{isolated(name)}</a>
                </th>
                <td>
                  <span class={`dot color-${colorOf(graph.topics, topic)}`} aria-hidden="true" />{' '}
                  {isolated(topic)}
                </td>
                <td class="number">{scoreText(score)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

function colorOf(topics: readonly string[], topic: string): number {
  const index = topics.indexOf(topic)
  return index < 0 ? coloredTopicsMax : index
}
