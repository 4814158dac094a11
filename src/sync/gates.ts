/** The first gate before a snapshot is announced: does it answer what it should. */

import { activate } from '../api/active-snapshot.ts'
import { Api } from '../api/api.ts'
import { RequestIds } from '../api/pipeline/request-ids.ts'
import { textAt } from '../memory/text-table.ts'
import type { Snapshot } from '../snapshot/file.ts'

/** How many topics, people and handles are asked for, spread over all there are. */
const probesMax = 50

/** What is wrong with the answers of a snapshot: asks the API for people, topics and handles. */
export function probeProblems(snapshot: Snapshot): string[] {
  const { sections, header } = snapshot
  const served = activate(snapshot)
  const ask = askApi(
    new Api({
      served: () => served,
      clock: () => 0,
      ids: new RequestIds((block) => block.fill(0)),
      onError: (error) => {
        throw error
      },
    }),
  )
  const problems: string[] = []
  const { authorities, topics, handles } = header.counts
  const sdus = { text: sections['sdu.text'], ends: sections['sdu.ends'] }
  for (const ordinal of spread(authorities)) {
    const sdu = textAt(sdus, ordinal)
    const found = ask(`/api/v1/detail?sdu=${sdu}`)
    if (found[0]?.sdu !== sdu) problems.push(`detail does not answer ${sdu}`)
  }
  const labels = { text: sections['topic.labels'], ends: sections['topic.label-ends'] }
  for (const topic of spread(topics)) {
    const label = textAt(labels, topic)
    // A topic that is called like an address, or like somebody, means them.
    const { search } = served
    if (search.isIdentity(label) || search.find(label, 1).way === 'name') continue
    const first = sections['topic.members'][sections['topic.member-starts'][topic]!]!
    const found = ask(`/api/v1/index?query=${encodeURIComponent(label)}`)
    if (found[0]?.sdu !== textAt(sdus, first))
      problems.push(`search does not answer topic ${label}`)
  }
  const keys = { text: sections['handle.text'], ends: sections['handle.ends'] }
  for (const handle of spread(handles)) {
    // Not through the API, which would read a key with a colon or a slash as something else.
    const query = { platform: undefined, key: textAt(keys, handle) }
    const node = sections['handle.nodes'][sections['handle.node-starts'][handle]!]!
    const isFound = served.catalog.ownersOf(query).length > 0
    if (isFound !== node < authorities) problems.push(`match is wrong about ${query.key}`)
  }
  return problems
}

function askApi(api: Api): (target: string) => readonly { readonly sdu: string }[] {
  return (target) => {
    const [path, query] = target.split('?') as [string, string]
    const { body } = api.answer({ method: 'GET', path, query })
    return JSON.parse(Buffer.from(body).toString()).results
  }
}

/** Up to `probesMax` numbers below a count, evenly spread, the first and the last among them. */
function spread(count: number): number[] {
  const probes = Math.min(count, probesMax)
  const step = probes > 1 ? (count - 1) / (probes - 1) : 0
  return Array.from({ length: probes }, (_, probe) => Math.floor(probe * step))
}
