/**
 * The records a relevance bench asks about: read from a source or generated, some people taken out
 * to be asked for in vain, the rest written down as a source for the service.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../random.ts'

/** A person as a line of `authorities.ndjson` has it, as far as it is asked for. */
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

/** A line of `topics.ndjson`. */
export interface TopicRecord {
  readonly topic: string
  readonly aliases: readonly string[]
}

/** A whole source, without connections. */
export interface SourceRecords {
  readonly authorities: readonly PersonRecord[]
  readonly topics: readonly TopicRecord[]
}

/** Who is in the index, and who was taken out of it. */
export interface Parted {
  readonly present: SourceRecords
  readonly absent: readonly PersonRecord[]
}

/** Reads a source folder of plain files. */
export function readRecords(directory: string): SourceRecords {
  return {
    authorities: linesOf(join(directory, 'authorities.ndjson')),
    topics: linesOf(join(directory, 'topics.ndjson')),
  }
}

function linesOf<T>(path: string): T[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T)
}

/** Writes the records as a source folder. */
export function writeRecords(directory: string, { authorities, topics }: SourceRecords): void {
  mkdirSync(directory, { recursive: true })
  const text = (records: readonly unknown[]) =>
    records.map((record) => `${JSON.stringify(record)}\n`).join('')
  writeFileSync(join(directory, 'authorities.ndjson'), text(authorities))
  writeFileSync(join(directory, 'topics.ndjson'), text(topics))
}

/** Takes so many people out, drawn at random. */
export function part(records: SourceRecords, absentCount: number, random: Random): Parted {
  const order = random.permutation(records.authorities.length)
  const taken = new Set(order.subarray(0, absentCount))
  const { authorities, topics } = records
  return {
    present: { authorities: authorities.filter((_, at) => !taken.has(at)), topics },
    absent: authorities.filter((_, at) => taken.has(at)),
  }
}
