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
}

/** Schemas by the names that references give them. */
export type NamedSchemas = Readonly<Record<string, Schema>>

/** A field of what is answered. */
export interface ReferenceField {
  /** Its path: `explanation.endorsers[].name`, `socials.*.handle`. */
  readonly name: string
  readonly type: string
  readonly text: string
}

/** The last part of a reference: what it names. */
export function lastName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** What a schema is, where it refers to a named one. */
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

/** The fields of an object, each before those that are in it. */
export function fieldsOf(schema: Schema, named: NamedSchemas, path = ''): ReferenceField[] {
  const { properties = {}, additionalProperties: more } = resolved(schema, named)
  const fields: (readonly [string, Schema])[] = Object.entries(properties)
  if (typeof more === 'object' && path !== '') fields.push(['*', more])
  return fields.flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`
    const own = { name: at, type: typeText(field), text: field.description ?? '' }
    return [...(name === '*' ? [] : [own]), ...fieldsWithin(field, named, at)]
  })
}

/** The fields of what a field holds, be it one, several or none. */
function fieldsWithin(field: Schema, named: NamedSchemas, path: string): ReferenceField[] {
  const { items, anyOf } = field
  if (items !== undefined) return fieldsWithin(items, named, `${path}[]`)
  if (anyOf !== undefined) return anyOf.flatMap((each) => fieldsWithin(each, named, path))
  return fieldsOf(field, named, path)
}
