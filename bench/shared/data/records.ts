/** The records of a source as benches need them, and as documents for search engines. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A line of `authorities.ndjson`, as far as benches read it; topics are labels, without weights. */
export interface PersonRecord {
  readonly sdu: string
  readonly name: string
  readonly bio?: string
  readonly country_name?: string
  readonly topics: readonly string[]
  readonly socials?: Readonly<
    Record<string, { readonly handle: string; readonly followers?: number }>
  >
  readonly also_known_as?: readonly string[]
}

interface TopicRecord {
  readonly topic: string
  readonly aliases: readonly string[]
}

/** A whole source, without connections. */
export interface SourceRecords {
  readonly authorities: readonly PersonRecord[]
  readonly topics: readonly TopicRecord[]
}

export function readRecords(directory: string): SourceRecords {
  const lines = linesOf<WrittenPerson>(join(directory, 'authorities.ndjson'))
  const authorities = lines.map((line) => {
    const topics = line.topics.map((topic) => (typeof topic === 'string' ? topic : topic.topic))
    return { ...line, topics }
  })
  return { authorities, topics: linesOf(join(directory, 'topics.ndjson')) }
}

interface WrittenPerson extends Omit<PersonRecord, 'topics'> {
  readonly topics: readonly (string | { readonly topic: string })[]
}

function linesOf<T>(path: string): T[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T)
}

export function writeRecords(directory: string, { authorities, topics }: SourceRecords): void {
  mkdirSync(directory, { recursive: true })
  const text = (records: readonly unknown[]) =>
    records.map((record) => `${JSON.stringify(record)}\n`).join('')
  writeFileSync(join(directory, 'authorities.ndjson'), text(authorities))
  writeFileSync(join(directory, 'topics.ndjson'), text(topics))
}

export interface Document {
  /** Its place in the records. */
  readonly id: number
  readonly name: string
  readonly topics: string
  readonly bio: string
  readonly country: string
}

export const documentFields = ['name', 'topics', 'bio', 'country'] as const

/** Also-known-as stands with the name, aliases stand with the topics. */
export function documentsOf({ authorities, topics }: SourceRecords): Document[] {
  const aliases = new Map(topics.map(({ topic, aliases: others }) => [topic, others]))
  return authorities.map((record, id) => ({
    id,
    name: [record.name, ...(record.also_known_as ?? [])].join(' '),
    topics: record.topics.flatMap((topic) => [topic, ...(aliases.get(topic) ?? [])]).join(' '),
    bio: record.bio ?? '',
    country: record.country_name ?? '',
  }))
}
