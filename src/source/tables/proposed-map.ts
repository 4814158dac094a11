/**
 * A map that a person can begin with, by how tables of people usually call their columns. It is
 * only shown: no column is ever read by a guess.
 */
import { stringify } from 'yaml'
import { knownPlatform } from '../../text/sites.ts'
import { type SourceFileName, tableNameOf } from '../source-files.ts'
import { cellValue } from './cell-values.ts'
import type { TableColumns } from './table-records.ts'
import { isDamaged, type TableRow } from './table-rows.ts'

/** The first that a table has is proposed. */
const usualNames: Readonly<Record<string, readonly string[]>> = {
  name: words(
    'name|full name|display name|person|person name|author|author name|expert|item|member|login',
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

/** The surest first. */
const keyNames = words(
  'id|person id|uuid|serial|item|qid|wikidata|wikidata id|uri|orcid|key|user id|member id|email|e mail|mail|' +
    'login|username|user name',
)

function words(list: string): readonly string[] {
  return list.split('|')
}

const nameParts = [
  words('first name|given name|given names|firstname|forename|first'),
  words('last name|family name|lastname|surname|last'),
]
const followerWords = /(?: |^)(?:followers?|subscribers?)(?: count)?$/
const handleWords =
  / (?:handle|username|user name|user|screen name|name|account|profile|url|link|id|channel|i d)$/
const registers: ReadonlySet<string> = new Set(['orcid', 'isni', 'wikidata', 'openalex', 'viaf'])

/** By field, the columns that look like it: one, or the parts of a name. */
type Proposed = ReadonlyMap<string, readonly string[]>

function proposedFields({ unread, mapped }: TableColumns): Proposed {
  const proposed = new Map<string, readonly string[]>()
  const names = plainNames(unread)
  const propose = (field: string, columns: readonly (string | undefined)[]) => {
    const there = columns.filter((column) => column !== undefined)
    if (there.length < columns.length || mapped.has(field) || proposed.has(field)) return
    proposed.set(field, there)
  }
  const firstOf = (usual: readonly string[]) =>
    names.get(usual.find((name) => names.has(name)) ?? '')
  for (const [field, usual] of Object.entries(usualNames)) {
    propose(field, [firstOf([...usual.map((name) => `${name} label`), ...usual])])
  }
  propose('name', nameParts.map(firstOf))
  const taken = new Set([...proposed.values()].flat())
  for (const [name, column] of names) {
    const field = taken.has(column) ? undefined : accountField(name)
    if (field !== undefined) propose(field, [column])
  }
  return proposed
}

/** Columns by their names in plain words, also without a first word that several have: `mp_name`, `mp_party`. */
function plainNames(columns: readonly string[]): ReadonlyMap<string, string> {
  const plain = columns.map((column) => [plainName(column), column] as const)
  const firsts = plain.map(([name]) => name.split(' ', 1)[0]!)
  const short = plain.flatMap(([name, column], index) => {
    const first = firsts[index]!
    const isCommon = name !== first && firsts.filter((each) => each === first).length > 1
    return isCommon ? [[name.slice(first.length + 1), column] as const] : []
  })
  const names = new Map<string, string>()
  for (const [name, column] of [...plain, ...short]) if (!names.has(name)) names.set(name, column)
  return names
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

/** The columns with the most different keys; among equals the likeliest, in the order below. */
function keyIn(
  { columns }: TableColumns,
  proposed: Proposed,
  rows: readonly (readonly unknown[])[],
): readonly string[] | undefined {
  const fields = new Map([...proposed].map(([field, [column = '']]) => [column, field] as const))
  const likely = (isLikely: (field: string) => boolean) =>
    columns.filter((column) => isLikely(fields.get(column) ?? plainName(column)))
  const named = columns.filter((column) => plainName(column) === 'name').slice(0, 1)
  const name = proposed.get('name') ?? named
  const others = name.length === 0 ? [] : columns.filter((column) => !name.includes(column))
  const candidates = [
    ...keyNames.flatMap((key) => columns.filter((column) => plainName(column) === key)),
    ...likely((field) => field.startsWith('identifiers.')),
    ...likely((field) => field.startsWith('socials.') && !field.endsWith('.followers')),
    name,
    ...likely((field) => field === 'website'),
    ...others.map((column) => [...name, column]),
    ...columns,
  ].map((candidate) => [candidate].flat())
  let best: readonly string[] | undefined
  let most = 0
  for (const candidate of candidates) {
    const count = candidate.length === 0 ? 0 : keysOf(candidate, columns, rows).size
    if (count > most) [best, most] = [candidate, count]
    if (most === rows.length) break
  }
  return best
}

/** The different keys of rows that have a whole one. */
function keysOf(
  key: readonly string[],
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): ReadonlySet<string> {
  const places = key.map((column) => columns.indexOf(column))
  const keys = new Set<string>()
  for (const row of rows) {
    const texts = places.map((place) => cellValue(row[place], 'text'))
    if (!texts.includes(undefined)) keys.add(texts.join('\0'))
  }
  return keys
}

/**
 * The lines of the map as YAML. A field that each record needs and that nothing looks like stands
 * there as a comment.
 * @param sample rows of the table, for its key and for what parts the topics of a cell.
 */
export function proposedMap(
  file: SourceFileName,
  table: TableColumns,
  sample: readonly TableRow[],
): string[] {
  const rows = sample.flatMap((row) => (isDamaged(row) ? [] : [row]))
  const proposed: Proposed = file === 'authorities.ndjson' ? proposedFields(table) : new Map()
  const lines = [...proposed].map(([field, columns]) => {
    const [column = ''] = columns
    const cells = rows.map((row) => row[table.columns.indexOf(column)])
    const isByCommas = field === 'topics' && areByCommas(cells)
    const single = isByCommas ? { column, separator: ',' } : column
    return `  ${field}: ${yamlOf(columns.length > 1 ? { columns } : single)}`
  })
  const open = table.missing
    .filter((name) => !proposed.has(name))
    .map((name) => {
      const key = name === 'sdu' ? keyIn(table, proposed, rows) : undefined
      if (key !== undefined) return `  sdu: ${yamlOf({ key: key.length === 1 ? key[0] : key })}`
      return name === 'topics' ? '  topics: { value: People } # or a column' : `  # ${name}: COLUMN`
    })
  return lines.length + open.length === 0 ? [] : [`${tableNameOf(file)}:`, ...open, ...lines]
}

function yamlOf(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0 }).trim()
}

function areByCommas(cells: readonly unknown[]): boolean {
  const texts = cells.filter((cell) => typeof cell === 'string')
  return (
    texts.some((text) => text.includes(',')) && !texts.some((text) => /[;|]|^\s*[[({]/.test(text))
  )
}
