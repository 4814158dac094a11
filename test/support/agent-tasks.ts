/**
 * The tasks of an agent, made by rule from what an index holds: topics and people at even distances, so that no task is
 * chosen for its answer. Each has the calls of tools that solve it, and the words by which its answer is known.
 */

/** A call of a tool. */
interface TaskCall {
  readonly name: string
  readonly given: Readonly<Record<string, unknown>>
}

/** A task of one kind. */
interface Task {
  readonly kind: 'find' | 'verify' | 'compare' | 'rank sources' | 'nobody'
  readonly calls: readonly TaskCall[]
  /** What the answers hold where the task is solved. */
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
  const calls = [{ name: 'search_authorities', given: { query: topic, limit: 5 } }]
  return { kind: 'find', calls, expected: [people[0]!.name] }
}

function verify({ people }: TaskTopic): Task {
  const { handle, name } = people[0]!
  const calls = [{ name: 'match_handle', given: { handles: [handle] } }]
  return { kind: 'verify', calls, expected: [`owned by ${name}`] }
}

function compare({ topic, people }: TaskTopic): Task {
  const [one, other] = people as [TaskPerson, TaskPerson]
  const given = { sdus: [one.sdu, other.sdu], explain: true, response_format: 'concise' }
  const calls = [
    { name: 'search_authorities', given: { query: topic, limit: 2 } },
    { name: 'get_authority_detail', given },
  ]
  return { kind: 'compare', calls, expected: [one.name, other.name, 'authority score'] }
}

function rankSources({ topic, people }: TaskTopic, index: number): Task {
  const known = people.slice(0, 6)
  const stranger = `@nobody-of-${index}`
  const urls = [`https://unknown-${index}.example/post`, stranger]
  const sources = [...known.map(({ handle }) => handle), ...urls]
  const calls = [{ name: 'rank_sources', given: { sources, topic } }]
  return { kind: 'rank sources', calls, expected: [known[0]!.name, stranger, 'No known author'] }
}

function nobody(index: number): Task {
  const calls = [{ name: 'match_handle', given: { handles: [`@qzxv-${index}`] } }]
  return { kind: 'nobody', calls, expected: ['No authority owns'] }
}
