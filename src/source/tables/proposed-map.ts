/**
 * A map that a person can begin with: which columns of a table look like which fields, by how tables of people usually
 * call them. It is only shown: no column is ever read by a guess.
 */
import { stringify } from 'yaml'
import { knownPlatform } from '../../text/sites.ts'
import { type SourceFileName, tableNameOf } from '../source-files.ts'
import type { FieldMap, FieldSource } from './table-map.ts'
import type { TableColumns } from './table-records.ts'

/** Names that other tables give to columns of these fields; the first that a table has is proposed. */
const usualNames: Readonly<Record<string, readonly string[]>> = {
  name: words(
    'full name|display name|person|person name|author|author name|expert|item|member|login',
  ),
  topics: words(
    'topic|expertise|interests|interest|field|fields|subject|subjects|skills|keywords|tags|category|categories|' +
      'occupation|occupations|specialty|discipline|area|areas|research areas',
  ),
  also_known_as: words('aliases|alias|other names|alternative names|also known as'),
  bio: words('biography|description|item description|about|summary|headline|about me'),
  country_name: words('country|nationality|country code|country of citizenship'),
  website: words('web site|homepage|home page|url|blog|blog url|site|web|personal website'),
  licence: ['license'],
  updated_at: ['last updated', 'updated', 'modified', 'last modified'],
}

/** Columns that tell people apart, the surest first. */
const keyNames = words(
  'id|person id|uuid|item|qid|wikidata|wikidata id|uri|orcid|key|user id|member id|email|e mail|mail|' +
    'login|username|user name',
)

function words(list: string): readonly string[] {
  return list.split('|')
}

const followerWords = /(?: |^)(?:followers?|subscribers?)(?: count)?$/
const handleWords =
  / (?:handle|username|user name|user|screen name|name|account|profile|url|link|id|channel|i d)$/
const registers: ReadonlySet<string> = new Set(['orcid', 'isni', 'wikidata', 'openalex', 'viaf'])

/** The fields that columns look like and that are not read yet. */
function proposedFields(file: SourceFileName, { unread, missing, mapped }: TableColumns): FieldMap {
  if (file !== 'authorities.ndjson') return {}
  const names = new Map(unread.map((column) => [plainName(column), column]))
  const proposed: Record<string, FieldSource> = Object.create(null)
  const key = missing.includes('sdu') && keyNames.find((name) => names.has(name))
  if (key) proposed.sdu = { key: names.get(key)! }
  for (const [field, usual] of Object.entries(usualNames)) {
    const labels = usual.map((name) => `${name} label`)
    const column = names.get([...labels, ...usual].find((name) => names.has(name)) ?? '')
    if (column !== undefined && !mapped.has(field)) proposed[field] = { column }
  }
  const taken = new Set(Object.values(proposed).flatMap((each) => 'column' in each && each.column))
  for (const [name, column] of names) {
    const field = taken.has(column) ? undefined : accountField(name)
    if (field !== undefined && !mapped.has(field)) proposed[field] ??= { column }
  }
  return proposed
}

/** `Twitter handle` is `socials.twitter`, `ORCID iD` `identifiers.orcid`. */
function accountField(name: string): string | undefined {
  const isFollowers = followerWords.test(name)
  const bare = name.replace(isFollowers ? followerWords : handleWords, '')
  const platform = knownPlatform(bare)
  if (platform === undefined) return undefined
  if (registers.has(platform)) return isFollowers ? undefined : `identifiers.${platform}`
  return `socials.${platform}${isFollowers ? '.followers' : ''}`
}

/** `itemLabel` and `Full_Name` in plain words: `item label`, `full name`. */
function plainName(column: string): string {
  const words = column.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return words.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

/**
 * The lines of a map of what unread columns look like, as YAML; none where nothing is to be said. A field that each
 * record needs and that nothing looks like stands there as a comment.
 * @param rows some of the table, by which it is seen what parts the topics of a cell.
 */
export function proposedMap(
  file: SourceFileName,
  table: TableColumns,
  rows: readonly (readonly unknown[])[],
): string[] {
  const { columns, missing } = table
  const proposed = proposedFields(file, table)
  const lines = Object.entries(proposed).map(([field, source]) => {
    const column = 'column' in source ? source.column : undefined
    const cells = rows.map((row) => row[columns.indexOf(column ?? '')])
    const value =
      field === 'topics' && areByCommas(cells) ? { column, separator: ',' } : (column ?? source)
    return `  ${field}: ${stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim()}`
  })
  const open = missing
    .filter((name) => !Object.hasOwn(proposed, name))
    .map((name) => `  # ${name}: ${name === 'topics' ? 'COLUMN, or { value: People }' : 'COLUMN'}`)
  return lines.length + open.length === 0 ? [] : [`${tableNameOf(file)}:`, ...lines, ...open]
}

/** Whether most cells hold commas and none a usual separator. */
function areByCommas(cells: readonly unknown[]): boolean {
  const texts = cells.filter((cell) => typeof cell === 'string' && cell.trim() !== '') as string[]
  const withCommas = texts.filter((text) => text.includes(',')).length
  return withCommas * 2 > texts.length && !texts.some((text) => /[;|]/.test(text))
}
