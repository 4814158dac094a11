/** JSON Schemas as the reference shows them: types in words, and the fields of objects, named by their paths. */

/** A JSON Schema, as far as the reference needs it. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly description?: string
  readonly anyOf?: readonly Schema[]
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** Schemas by the names that references give them. */
export type NamedSchemas = Readonly<Record<string, Schema>>

/** A field of an answer. */
export interface ReferenceField {
  /** Its path: `explanation.endorsers[].name`, `socials.*.handle`. */
  readonly name: string
  readonly type: string
  readonly text: string
  /** Bounds and default in words: `1 to 1000 items, default false`; '' if it has none. */
  readonly limits: string
  readonly isRequired: boolean
}

/** The last part of a reference: the name in it. */
export function lastName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** The named schema that a schema refers to; itself if it refers to none. */
export function resolved(schema: Schema, named: NamedSchemas): Schema {
  return schema.$ref === undefined ? schema : (named[lastName(schema.$ref)] ?? schema)
}

/** A type in words: `list of string`, `string or null`. */
export function typeText({ $ref, type, items, anyOf, enum: values, const: value }: Schema): string {
  if ($ref !== undefined) return lastName($ref)
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeText))].join(' or ')
  if (items !== undefined) return `list of ${typeText(items)}`
  if (type !== undefined) return [type].flat().join(' or ')
  return value !== undefined || values !== undefined ? 'string' : 'any'
}

/** The bounds and the default of a schema, in words. */
export function limitsText(schema: Schema): string {
  const { items = {}, enum: values, default: first } = schema
  const bounds = [
    rangeText(schema.minItems, schema.maxItems, ' items'),
    rangeText(
      schema.minLength ?? items.minLength,
      schema.maxLength ?? items.maxLength,
      ' characters',
    ),
    rangeText(schema.minimum, schema.maximum, ''),
    (values ?? items.enum ?? []).map(String).join(' | '),
    first === undefined ? '' : `default ${JSON.stringify(first)}`,
  ]
  return bounds.filter(Boolean).join(', ')
}

function rangeText(least: number | undefined, most: number | undefined, unit: string): string {
  const isBounded = most !== undefined && most < Number.MAX_SAFE_INTEGER
  if (least === undefined) return isBounded ? `at most ${most}${unit}` : ''
  return !isBounded ? `at least ${least}${unit}` : `${least} to ${most}${unit}`
}

/** The fields of an object, each before those that are in it. */
export function fieldsOf(schema: Schema, named: NamedSchemas, path = ''): ReferenceField[] {
  const { properties = {}, additionalProperties: more, required = [] } = resolved(schema, named)
  const fields: (readonly [string, Schema])[] = Object.entries(properties)
  if (typeof more === 'object' && path !== '') fields.push(['*', more])
  return fields.flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`
    const own = {
      name: at,
      type: typeText(field),
      text: field.description ?? '',
      limits: limitsText(field),
      isRequired: required.includes(name),
    }
    return [...(name === '*' ? [] : [own]), ...fieldsWithin(field, named, at)]
  })
}

/** The fields inside a field's value: of an object, of the items of a list, or of each alternative. */
function fieldsWithin(field: Schema, named: NamedSchemas, path: string): ReferenceField[] {
  const { items, anyOf } = field
  if (items !== undefined) return fieldsWithin(items, named, `${path}[]`)
  if (anyOf !== undefined) return anyOf.flatMap((each) => fieldsWithin(each, named, path))
  return fieldsOf(field, named, path)
}
