/**
 * A map that a person can begin with, by how tables of people usually call their columns. It is
 * only shown: no column is ever read by a guess.
 */
import { stringify } from 'yaml'
import { knownPlatform } from '../../text/sites.ts'
import { type SourceFileName, tableNameOf } from '../source-files.ts'
import { KeyColumns, keyRanks } from './key-columns.ts'
import type { FieldSource } from './table-map.ts'
import { columnsOf, type TableColumns } from './table-records.ts'
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

const followerWords = /(?: |^)(?:followers?|subscribers?)(?: count)?$/
const handleWords =
  / (?:handle|username|user name|user|screen name|name|account|profile|url|link|id|channel|i d)$/
const registers: ReadonlySet<string> = new Set(['orcid', 'isni', 'wikidata', 'openalex', 'viaf'])

function proposedFields(file: SourceFileName, { unread, mapped }: TableColumns) {
  const proposed = new Map<string, FieldSource>()
  if (file !== 'authorities.ndjson') return proposed
  const names = plainNames(unread)
  for (const [field, usual] of Object.entries(usualNames)) {
    const labels = usual.map((name) => `${name} label`)
    const column = names.get([...labels, ...usual].find((name) => names.has(name)) ?? '')
    if (column !== undefined && !mapped.has(field)) proposed.set(field, { column })
  }
  const parts = namePartsIn(names)
  if (parts !== undefined && !mapped.has('name') && !proposed.has('name')) {
    proposed.set('name', { columns: [...parts] })
  }
  const taken = new Set([...proposed.values()].flatMap((each) => 'column' in each && each.column))
  for (const [name, column] of names) {
    const field = taken.has(column) ? undefined : accountField(name)
    if (field === undefined || mapped.has(field) || proposed.has(field)) continue
    proposed.set(field, { column })
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

const nameParts = [
  words('first name|given name|given names|firstname|forename|first'),
  words('last name|family name|lastname|surname|last'),
]

function namePartsIn(names: ReadonlyMap<string, string>): readonly string[] | undefined {
  const columns = nameParts.flatMap(
    (usual) => names.get(usual.find((name) => names.has(name)) ?? '') ?? [],
  )
  return columns.length === nameParts.length ? columns : undefined
}

/** Undefined where the table has SDUs. Its rows are added before the map is made. */
export function keyColumnsOf(file: SourceFileName, table: TableColumns): KeyColumns | undefined {
  if (file !== 'authorities.ndjson' || !table.missing.includes('sdu')) return undefined
  const proposed = proposedFields(file, table)
  const fields = new Map(
    [...proposed].flatMap(([field, source]) =>
      'column' in source ? [[source.column, field]] : [],
    ),
  )
  const rankOf = (column: string): number => {
    const place = keyNames.indexOf(plainName(column))
    if (place >= 0) return place
    const field = fields.get(column) ?? plainName(column)
    if (field.startsWith('identifiers.')) return keyRanks.register
    if (field.startsWith('socials.') && !field.endsWith('.followers')) return keyRanks.account
    return field === 'name'
      ? keyRanks.name
      : field === 'website'
        ? keyRanks.address
        : keyRanks.other
  }
  const name = proposed.get('name')
  const read = table.columns.filter((column) => plainName(column) === 'name').slice(0, 1)
  const nameColumns = name === undefined ? read : columnsOf(name)
  return new KeyColumns(table.columns, rankOf, nameColumns)
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
 * The lines of the map as YAML. A field that each record needs and that nothing looks like stands
 * there as a comment.
 * @param rows some of the table, by which it is seen what parts the topics of a cell.
 */
export function proposedMap(
  file: SourceFileName,
  table: TableColumns,
  rows: readonly TableRow[],
  key: readonly string[] | undefined,
): string[] {
  const { columns, missing } = table
  const proposed = proposedFields(file, table)
  const lines = [...proposed].map(([field, source]) => {
    const column = 'column' in source ? source.column : undefined
    const cells = rows.map((row) =>
      isDamaged(row) ? undefined : row[columns.indexOf(column ?? '')],
    )
    const isByCommas = field === 'topics' && areByCommas(cells)
    const value = isByCommas ? { column, separator: ',' } : (column ?? source)
    return `  ${field}: ${yamlOf(value)}`
  })
  const open = missing
    .filter((name) => !proposed.has(name))
    .map((name) => {
      if (name === 'sdu' && key !== undefined)
        return `  sdu: ${yamlOf({ key: key.length === 1 ? key[0] : key })}`
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
