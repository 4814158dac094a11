/** The fields that a column of a table may be. */
import { nearestOf } from '../text/nearest.ts'
import type { SourceFileName } from './source-files.ts'

/**
 * A `count` is a whole number, a `time` also a day. A `list` is of topics, `names` of people,
 * `values` of an attribute: texts with separators, or lists already.
 */
export type FieldType =
  | 'text'
  | 'number'
  | 'count'
  | 'boolean'
  | 'json'
  | 'time'
  | 'list'
  | 'names'
  | 'values'

const proofFields = { verified_by: 'text', verified_at: 'time' } as const

const fixedFields: Readonly<Record<SourceFileName, Readonly<Record<string, FieldType>>>> = {
  'authorities.ndjson': {
    sdu: 'text',
    name: 'text',
    also_known_as: 'names',
    bio: 'text',
    country_name: 'text',
    topics: 'list',
    socials: 'json',
    website: 'text',
    verified: 'boolean',
    ...proofFields,
    authority_score: 'number',
    identifiers: 'json',
    attributes: 'json',
    source: 'text',
    licence: 'text',
    updated_at: 'time',
  },
  'connections.ndjson': {
    from: 'text',
    to: 'text',
    weight: 'number',
    kind: 'text',
    source: 'text',
  },
  'corrections.ndjson': { sdu: 'text', set: 'json', source: 'text', date: 'time' },
  'topics.ndjson': { topic: 'text', aliases: 'list', broader: 'list' },
}

const socialFields: Readonly<Record<string, FieldType>> = {
  handle: 'text',
  followers: 'count',
  verified: 'boolean',
  ...proofFields,
}

/** A field inside a record: `socials.github.followers` is `['socials', 'github', 'followers']`. */
export interface TableField {
  readonly path: readonly string[]
  readonly type: FieldType
}

/** In the order in which a line has them. */
export function fieldNamesOf(file: SourceFileName): readonly string[] {
  return Object.keys(fixedFields[file])
}

/**
 * `name`, `socials.github` (its handle), `socials.github.followers`, `identifiers.orcid`,
 * `attributes.party`; undefined for what no record has.
 */
export function fieldOf(file: SourceFileName, name: string): TableField | undefined {
  const [first = '', second, third, ...rest] = name.split('.')
  if (Object.hasOwn(fixedFields[file], first) && second === undefined) {
    return { path: [first], type: fixedFields[file][first]! }
  }
  if (file !== 'authorities.ndjson' || !second || rest.length > 0) return undefined
  if (first === 'socials') {
    const member = third ?? 'handle'
    if (!Object.hasOwn(socialFields, member)) return undefined
    return { path: [first, second, member], type: socialFields[member]! }
  }
  if (third !== undefined) return undefined
  if (first === 'identifiers') return { path: [first, second], type: 'text' }
  return first === 'attributes' ? { path: [first, second], type: 'values' } : undefined
}

/** What is most likely meant by a name, or all that there is. */
export function hintFor(name: string, names: readonly string[], there: string): string {
  const nearest = nearestOf(name, names)
  return nearest === undefined ? `; ${there} ${names.join(', ')}` : `; is it ${nearest}?`
}
