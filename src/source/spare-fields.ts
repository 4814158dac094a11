/**
 * The fields of an authority that are left out with a complaint where they are wrong, and the
 * person stays. The name, topics and the SDU are no such fields, nor is `verified`.
 */
import type { FieldPath } from '../reading/readers.ts'

const spareFields: ReadonlySet<PropertyKey> = new Set([
  'also_known_as',
  'bio',
  'country_name',
  'website',
  'verified_by',
  'verified_at',
  'authority_score',
  'source',
  'licence',
  'updated_at',
])
const spareSocialFields: ReadonlySet<PropertyKey> = new Set([
  'followers',
  'verified_by',
  'verified_at',
])
const fieldsByName: ReadonlySet<PropertyKey> = new Set(['socials', 'identifiers', 'attributes'])

/** The field to leave out so that a fault at a path goes; undefined where the record needs it. */
export function sparePart(path: FieldPath): FieldPath | undefined {
  const [first, second, third] = path
  if (first === undefined) return undefined
  if (spareFields.has(first)) return [first]
  if (!fieldsByName.has(first)) return undefined
  if (second === undefined) return [first]
  const isInside = first === 'socials' && third !== undefined && spareSocialFields.has(third)
  return isInside ? [first, second, third] : [first, second]
}

export function leaveOut(record: unknown, part: FieldPath): boolean {
  let inner = record
  for (const name of part.slice(0, -1)) inner = (inner as Record<PropertyKey, unknown>)[name]
  const last = part.at(-1)!
  if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, last)) return false
  return delete (inner as Record<PropertyKey, unknown>)[last]
}
