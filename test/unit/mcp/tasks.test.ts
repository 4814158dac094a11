/**
 * The tasks of an agent, replayed through the tools. They are made by rule from what an index holds, so that no task is
 * chosen for its answer.
 */
import { expect, it } from 'vitest'
import { activate } from '../../../src/api/active-snapshot.ts'
import type { Api } from '../../../src/api/api.ts'
import { requestOf } from '../../../src/mcp/answer-source.ts'
import { parsedAnswer } from '../../../src/mcp/local.ts'
import { operations } from '../../../src/operations.ts'
import { loadForAnswers } from '../../../src/snapshot/store/directory.ts'
import { announcedId } from '../../../src/snapshot/store/states.ts'
import { newApi } from '../../support/api-client.ts'
import { defaultSnapshots } from '../../support/program.ts'
import { toolsOver } from '../../support/tool-calls.ts'

/** The kind of a task, the calls of tools that solve it, and the words that their answers hold where it is solved. */
type Task = readonly [
  kind: string,
  calls: readonly (readonly [tool: string, given: Readonly<Record<string, unknown>>])[],
  expected: readonly string[],
]

interface TaskPerson {
  readonly sdu: string
  readonly name: string
  readonly handle: string
}

interface TaskTopic {
  readonly topic: string
  /** The first six who have handles. */
  readonly people: readonly TaskPerson[]
}

function tasksOf({ topic, people }: TaskTopic, index: number): Task[] {
  const [one, other] = people as [TaskPerson, TaskPerson]
  const explained = { sdus: [one.sdu, other.sdu], explain: true, response_format: 'concise' }
  const stranger = `@nobody-of-${index}`
  const unknown = [`https://unknown-${index}.example/post`, stranger]
  const sources = [...people.map(({ handle }) => handle), ...unknown]
  return [
    ['find', [['search_authorities', { query: topic, limit: 5 }]], [one.name]],
    ['verify', [['match_handle', { handles: [one.handle] }]], [`owned by ${one.name}`]],
    [
      'compare',
      [
        ['search_authorities', { query: topic, limit: 2 }],
        ['get_authority_detail', explained],
      ],
      [one.name, other.name, 'authority score'],
    ],
    [
      'rank sources',
      [['rank_sources', { sources, topic }]],
      [one.name, stranger, 'No known author'],
    ],
    ['nobody', [['match_handle', { handles: [`@qzxv-${index}`] }]], ['No authority owns']],
  ]
}

const snapshot = activate(loadForAnswers(defaultSnapshots, announcedId(defaultSnapshots)!))
const api = newApi(snapshot)
const tools = toolsOver(api)
const tasks = topicsOf(api, snapshot).slice(0, 12).flatMap(tasksOf)

it('are sixty, of five kinds', () => {
  expect(tasks).toHaveLength(60)
  expect(new Set(tasks.map(([kind]) => kind)).size).toBe(5)
})

it.each(tasks)(
  '%s is solved in at most three calls and 3,000 tokens: %j',
  async (_, calls, expected) => {
    let bytes = 0
    let text = ''
    for (const [name, given] of calls) {
      const result = await tools(name, given)
      bytes += Buffer.byteLength(JSON.stringify(given)) + result.bytes
      text += result.text
    }
    for (const word of expected) expect(text).toContain(word)
    expect(calls.length).toBeLessThanOrEqual(3)
    // A token has some four bytes.
    expect(bytes / 4).toBeLessThanOrEqual(3_000)
  },
)

function topicsOf(from: Api, { catalog }: typeof snapshot): TaskTopic[] {
  return catalog.largestTopics(60).flatMap(({ topic }) => {
    const found = asked(from, 'search', `query=${encodeURIComponent(topic)}&limit=20`)
    const profiles = asked(from, 'detail', `sdus=${found.map(({ sdu }) => sdu).join(',')}`)
    const people = profiles.flatMap(({ sdu, name, socials }) => {
      const [first] = Object.entries(socials as Record<string, { handle: string }>)
      if (first === undefined) return []
      const handle = `${first[0]}:${first[1].handle.replace('@', '')}`
      return [{ sdu: String(sdu), name: String(name), handle }]
    })
    return people.length < 6 ? [] : [{ topic, people: people.slice(0, 6) }]
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
