/**
 * What the tasks of an agent cost in calls and tokens (four bytes each): through the tools, over plain HTTP, through tools that
 * hand on the JSON of a route as text and as structured content, and through `search` and `fetch`. No clock: sizes only.
 */
import { activate } from '../../src/api/active-snapshot.ts'
import type { Api } from '../../src/api/api.ts'
import { requestOf } from '../../src/mcp/answer-source.ts'
import { parsedAnswer } from '../../src/mcp/local.ts'
import { operations, type ToolRouteName } from '../../src/operations.ts'
import { announcedId, loadForAnswers } from '../../src/snapshot/store/directory.ts'
import { newApi } from '../../test/support/api-client.ts'
import { defaultSnapshots } from '../../test/support/program.ts'
import { type CalledTool, toolsOver } from '../../test/support/tool-calls.ts'
import type { Bench } from '../shared/bench.ts'
import { table } from '../shared/report.ts'
import { type Design, designs, type Task, type TaskCall, type TaskTopic, tasksOf } from './tasks.ts'

/** What the tasks of a kind cost in a design. */
export interface AgentsRow {
  readonly kind: Task['kind']
  readonly design: Design
  readonly tasks: number
  readonly callsMax: number
  /** What the model writes: the arguments of its calls. Means. */
  readonly writtenMean: number
  /** What it reads: the results. */
  readonly readMean: number
  /** Both, of the task that takes most. */
  readonly tokensMax: number
  /** Tasks whose answer holds what is expected; undefined in designs that are measured only. */
  readonly solved: number | undefined
}

/** The bench, as commands run it. */
export const agentsBench: Bench = {
  name: 'agents',
  run: async () => {
    const rows = await agentsRows()
    return { result: { rows }, lines: report(rows) }
  },
}

/** Replays all tasks in every design. */
export async function agentsRows(): Promise<AgentsRow[]> {
  const snapshot = activate(loadForAnswers(defaultSnapshots, announcedId(defaultSnapshots)!))
  const api = newApi(snapshot)
  const labels = snapshot.catalog.largestTopics(60).map(({ topic }) => topic)
  const tasks = tasksOf(topicsOf(api, labels))
  const tools = toolsOver(api)
  const rows: AgentsRow[] = []
  for (const kind of [...new Set(tasks.map((task) => task.kind))]) {
    for (const design of designs) {
      const some = tasks.filter((task) => task.kind === kind)
      const costs = await Promise.all(some.map((task) => costOf(api, tools, task, design)))
      rows.push({
        kind,
        design,
        tasks: some.length,
        callsMax: Math.max(...some.map(({ calls }) => calls[design].length)),
        writtenMean: meanOf(costs.map(({ written }) => written)),
        readMean: meanOf(costs.map(({ read }) => read)),
        tokensMax: Math.max(...costs.map(({ written, read }) => written + read)),
        solved: design === 'tools' ? costs.filter(({ isSolved }) => isSolved).length : undefined,
      })
    }
  }
  return rows
}

/** Topics whose first people have handles, each with six of them. */
function topicsOf(api: Api, labels: readonly string[]): TaskTopic[] {
  return labels.flatMap((topic) => {
    const { results } = answerOf(api, 'search', { query: topic, limit: 20 }) as Results
    const sdus = results.map(({ sdu }) => String(sdu))
    const profiles = (answerOf(api, 'detail', { sdus }) as Results).results
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

interface Results {
  readonly results: readonly Readonly<Record<string, unknown>>[]
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length
}

/** Of what goes to or comes from a model, as JSON. */
function tokensOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) / 4
}

/** What a task costs in tokens, and whether the answers of the tools hold what is expected. */
interface TaskCost {
  readonly written: number
  readonly read: number
  readonly isSolved: boolean
}

async function costOf(
  api: Api,
  tools: (name: string, given: TaskCall['given']) => Promise<CalledTool>,
  { calls, expected }: Task,
  design: Design,
): Promise<TaskCost> {
  let written = 0
  let read = 0
  let text = ''
  for (const { name, given } of calls[design]) {
    written += tokensOf(given)
    if (design === 'tools' || design === 'search and fetch') {
      const result = await tools(name, given)
      read += result.bytes / 4
      text += result.text
    } else {
      const answer = answerOf(api, name as ToolRouteName, given)
      const asText = design === 'plain HTTP' ? 0 : tokensOf({ text: JSON.stringify(answer) })
      read += tokensOf(answer) + asText
    }
  }
  return { written, read, isSolved: expected.every((word) => text.includes(word)) }
}

function answerOf(api: Api, route: ToolRouteName, given: TaskCall['given']): object {
  const [path] = operations[route].paths
  if (route === 'rank') return askedAt(api, { path, body: JSON.stringify(given) })
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value].flat().map((each) => `${name}=${encodeURIComponent(String(each))}`),
  )
  return askedAt(api, { path, query: pairs.join('&') })
}

function askedAt(api: Api, question: Parameters<typeof requestOf>[0]): object {
  return parsedAnswer(api.answer(requestOf(question))).json
}

function report(rows: readonly AgentsRow[]): string[] {
  return table(rows, {
    'task (tokens)': ({ kind }) => kind,
    design: ({ design }) => design,
    tasks: ({ tasks }) => String(tasks),
    'calls at most': ({ callsMax }) => String(callsMax),
    'written, mean': ({ writtenMean }) => writtenMean.toFixed(0),
    'read, mean': ({ readMean }) => readMean.toFixed(0),
    'both at most': ({ tokensMax }) => tokensMax.toFixed(0),
    solved: ({ solved }) => (solved === undefined ? '' : String(solved)),
  })
}
