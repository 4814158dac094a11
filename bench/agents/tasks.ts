/**
 * The tasks of an agent, made by rule from what an index holds: topics and people at even distances, so that no task is
 * chosen for its answer. Each has the calls that solve it in every design, and the words by which its answer is known.
 */

/** A call of a tool, or a request to a route. */
export interface TaskCall {
  readonly name: string
  readonly given: Readonly<Record<string, unknown>>
}

/** The designs that tasks are replayed through. */
export const designs = ['tools', 'plain HTTP', 'route as tool', 'search and fetch'] as const

/** The name of a design. */
export type Design = (typeof designs)[number]

/** A task of one kind. */
export interface Task {
  readonly kind: 'find' | 'verify' | 'compare' | 'rank sources' | 'nobody'
  readonly calls: Readonly<Record<Design, readonly TaskCall[]>>
  /** What the answers of the tools hold where the task is solved. */
  readonly expected: readonly string[]
}

/** A person as tasks name them. */
interface TaskPerson {
  readonly sdu: string
  readonly name: string
  readonly handle: string
}

/** A topic with its first people. */
export interface TaskTopic {
  readonly topic: string
  readonly people: readonly TaskPerson[]
}

const perKind = 12

/** Sixty tasks, twelve of each kind. @param topics at least twelve, each with six people who have handles. */
export function tasksOf(topics: readonly TaskTopic[]): Task[] {
  return topics
    .slice(0, perKind)
    .flatMap((topic, index) => [
      find(topic),
      verify(topic),
      compare(topic),
      rankSources(topic, index),
      nobody(index),
    ])
}

function find({ topic, people }: TaskTopic): Task {
  const given = { query: topic, limit: 5 }
  return {
    kind: 'find',
    calls: alike('search_authorities', 'search', given, [
      { name: 'search', given: { query: topic } },
    ]),
    expected: [people[0]!.name],
  }
}

function verify({ people }: TaskTopic): Task {
  const { handle, name, sdu } = people[0]!
  const parts = [call('search', { query: handle }), call('fetch', { id: sdu })]
  return {
    kind: 'verify',
    calls: alike('match_handle', 'match', { handles: [handle] }, parts),
    expected: [`owned by ${name}`],
  }
}

function compare({ topic, people }: TaskTopic): Task {
  const [one, other] = people as [TaskPerson, TaskPerson]
  const sdus = [one.sdu, other.sdu]
  const search = { query: topic, limit: 2 }
  const routes = [call('search', search), call('detail', { sdus, explain: true })]
  const concise = { sdus, explain: true, response_format: 'concise' }
  const fetches = sdus.map((id) => call('fetch', { id }))
  return {
    kind: 'compare',
    calls: {
      tools: [call('search_authorities', search), call('get_authority_detail', concise)],
      'plain HTTP': routes,
      'route as tool': routes,
      'search and fetch': [call('search', { query: topic }), ...fetches],
    },
    expected: [one.name, other.name, 'authority score'],
  }
}

function rankSources({ topic, people }: TaskTopic, index: number): Task {
  const known = people.slice(0, 6)
  const strangers = [`https://unknown-${index}.example/post`, `@nobody-of-${index}`]
  const sources = [...known.map(({ handle }) => handle), ...strangers]
  const parts = [
    ...sources.map((query) => call('search', { query })),
    ...known.map(({ sdu }) => call('fetch', { id: sdu })),
  ]
  return {
    kind: 'rank sources',
    calls: alike('rank_sources', 'rank', { sources, topic }, parts),
    expected: [known[0]!.name, strangers[1]!, 'No known author'],
  }
}

function nobody(index: number): Task {
  const handles = [`@qzxv-${index}`]
  const parts = [call('search', { query: handles[0]! })]
  return {
    kind: 'nobody',
    calls: alike('match_handle', 'match', { handles }, parts),
    expected: ['No authority owns'],
  }
}

function call(name: string, given: TaskCall['given']): TaskCall {
  return { name, given }
}

/** One call in every design but that of searches and fetches. */
function alike(
  tool: string,
  route: string,
  given: TaskCall['given'],
  parts: readonly TaskCall[],
): Task['calls'] {
  const asked = [call(route, given)]
  return {
    tools: [call(tool, given)],
    'plain HTTP': asked,
    'route as tool': asked,
    'search and fetch': parts,
  }
}
