/** The tasks of an agent, replayed through the tools: each is solved, in few calls and tokens. */
import { expect, it } from 'vitest'
import { activate } from '../../../src/api/active-snapshot.ts'
import type { Api } from '../../../src/api/api.ts'
import { requestOf } from '../../../src/mcp/answer-source.ts'
import { parsedAnswer } from '../../../src/mcp/local.ts'
import { operations } from '../../../src/operations.ts'
import { loadForAnswers } from '../../../src/snapshot/store/directory.ts'
import { announcedId } from '../../../src/snapshot/store/states.ts'
import { type TaskTopic, tasksOf } from '../../support/agent-tasks.ts'
import { newApi } from '../../support/api-client.ts'
import { defaultSnapshots } from '../../support/program.ts'
import { toolsOver } from '../../support/tool-calls.ts'

const snapshot = activate(loadForAnswers(defaultSnapshots, announcedId(defaultSnapshots)!))
const api = newApi(snapshot)
const tasks = tasksOf(topicsOf(api, snapshot))

it('are sixty, of five kinds', () => {
  expect(tasks).toHaveLength(60)
  expect(new Set(tasks.map(({ kind }) => kind)).size).toBe(5)
})

it.each(tasks)('$kind is solved in at most three calls and 3,000 tokens: $calls', async (task) => {
  const tools = toolsOver(api)
  let bytes = 0
  let text = ''
  for (const { name, given } of task.calls) {
    const result = await tools(name, given)
    bytes += Buffer.byteLength(JSON.stringify(given)) + result.bytes
    text += result.text
  }
  for (const word of task.expected) expect(text).toContain(word)
  expect(task.calls.length).toBeLessThanOrEqual(3)
  // A token has some four bytes.
  expect(bytes / 4).toBeLessThanOrEqual(3_000)
})

/** Topics whose first people have handles, each with six of them. */
function topicsOf(from: Api, { catalog }: typeof snapshot): TaskTopic[] {
  return catalog.largestTopics(60).flatMap(({ topic }) => {
    const found = asked(from, 'search', `query=${encodeURIComponent(topic)}&limit=20`)
    const profiles = asked(from, 'detail', `sdus=${found.map(({ sdu }) => sdu).join(',')}`)
    const people = profiles.flatMap(({ sdu, name, socials }) => {
      const [first] = Object.entries(socials as Record<string, { handle: string }>)
      if (first === undefined) return []
      const [platform, { handle }] = first
      return [
        { sdu: String(sdu), name: String(name), handle: `${platform}:${handle.replace('@', '')}` },
      ]
    })
    return people.length < 6 ? [] : [{ topic, people }]
  })
}

function asked(
  from: Api,
  route: 'search' | 'detail',
  query: string,
): readonly Readonly<Record<string, unknown>>[] {
  const [path] = operations[route].paths
  const { json } = parsedAnswer(from.answer(requestOf({ path, query })))
  return (json as { results: Readonly<Record<string, unknown>>[] }).results
}
