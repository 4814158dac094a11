/** Source folders that both builds read: lines of plain files, read and written without the program. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { handleKey } from '../../../src/text/handle.ts'
import { type Records, smallSources } from '../../support/records.ts'

type Authority = Records['authorities'][number]

export function readLines(source: string, name: string): Record<string, unknown>[] {
  const lines = readFileSync(join(source, `${name}.ndjson`), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

function writeLines(source: string, name: string, records: readonly unknown[]): void {
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  writeFileSync(join(source, `${name}.ndjson`), text)
}

const topics = [
  { topic: 'Rust', aliases: ['rustlang'] },
  { topic: 'Machine learning', aliases: ['ML'] },
  { topic: 'Économie', aliases: ['economics', 'economy'] },
  { topic: 'Go', aliases: ['golang'] },
]

/** Writes a source folder for each of some days; from one to the next some people come, go and change. */
export function writeHistory(directory: string, days: number): string[] {
  const drawn = fc.sample(smallSources, { seed: 26, numRuns: 200 })
  const people = drawn.flatMap(({ authorities }) => authorities)
  const connections = drawn.flatMap((records) => records.connections)
  return Array.from({ length: days }, (_, day) => {
    const source = join(directory, String(day))
    mkdirSync(source, { recursive: true })
    const present = people.slice(day * 6, day * 6 + 60)
    const bySdu = new Map(present.map((record) => [record.sdu, record]))
    writeLines(source, 'authorities', authorityLines([...bySdu.values()]))
    writeLines(source, 'connections', connections.slice(day * 9, day * 9 + 120))
    writeLines(source, 'topics', topics.slice(0, 2 + (day % 3)))
    return source
  })
}

/** Lines that hold no conflict: what two people claim is left to the first of them. */
function authorityLines(people: readonly Authority[]): unknown[] {
  const claimed = new Set<string>()
  const isFirst = (claim: string) => !claimed.has(claim) && claimed.add(claim) !== undefined
  return people.map((record) => {
    const { alsoKnownAs, countryName, authorityScore, updatedAt, ...same } = record
    const socials = record.socials.filter(({ platform, handle }) =>
      isFirst(`${platform}:${handleKey(handle)}`),
    )
    const keys = new Set(record.attributes.map(({ key }) => key))
    const valuesOf = (key: string) => record.attributes.filter((each) => each.key === key)
    return {
      ...same,
      also_known_as: alsoKnownAs,
      country_name: countryName,
      authority_score: authorityScore,
      updated_at: updatedAt,
      topics: record.topics.filter(({ topic }) => /\p{L}/u.test(topic)),
      socials: Object.fromEntries(socials.map(({ platform, ...account }) => [platform, account])),
      identifiers: Object.fromEntries(
        record.identifiers
          .filter(({ scheme }) => isFirst(scheme))
          .map(({ scheme, value }) => [scheme, value]),
      ),
      attributes: Object.fromEntries(
        [...keys].map((key) => [key, valuesOf(key).map(({ value }) => value)]),
      ),
    }
  })
}
