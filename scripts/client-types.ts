/**
 * Writes the types of the client from the OpenAPI document: a type for each schema, for the parameters of
 * each GET and for the members of each POST. The compiler of this repository has no API that generators
 * of npm work with, and the document uses a part of JSON Schema that fits on a page.
 *
 *     npx tsx scripts/client-types.ts            prints
 *     npx tsx scripts/client-types.ts --write    writes src/client/contract/contract.ts
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from '../src/api/describe/openapi.ts'
import { defaultPrices, getRouteNames, operations, postRouteNames } from '../src/operations.ts'
import { parameters } from '../src/request-parameters.ts'

/** Where the types stand. */
export const contractFile = join(
  import.meta.dirname,
  '..',
  'src',
  'client',
  'contract',
  'contract.ts',
)

/** A schema, as far as the document uses JSON Schema. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly description?: string
}

/** An operation of the document. */
interface Described {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

const primitives: Readonly<Record<string, string>> = { integer: 'number', object: 'object' }

/** A schema as a type; `inline` are those of large objects that stand in several places. */
function typeOf(schema: Schema, inline: ReadonlyMap<string, string>): string {
  if (schema.$ref !== undefined) return `Schemas['${schema.$ref.split('/').at(-1)}']`
  if (schema.const !== undefined) return literalOf(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literalOf).join(' | ')
  if (schema.anyOf !== undefined)
    return schema.anyOf.map((each) => typeOf(each, inline)).join(' | ')
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => typeOf({ ...schema, type }, inline)).join(' | ')
  }
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {}, inline)})[]`
  if (schema.type === 'object') {
    const name = inline.get(keyOf(schema))
    return name === undefined ? objectOf(schema, inline) : `Schemas['${name}']`
  }
  const type = String(schema.type ?? 'unknown')
  return primitives[type] ?? type
}

function objectOf(schema: Schema, inline: ReadonlyMap<string, string>): string {
  const { properties, required = [], additionalProperties } = schema
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? additionalProperties : {}
    return `Record<string, ${typeOf(value, inline)}>`
  }
  const members = Object.entries(properties).map(([name, property]) => {
    const words = property.description === undefined ? '' : `/** ${property.description} */\n`
    const isOptional = required.includes(name) ? '' : '?'
    const orUndefined = isOptional === '' ? '' : ' | undefined'
    return `${words}${name}${isOptional}: ${typeOf(property, inline)}${orUndefined}`
  })
  return `{\n${members.join('\n')}\n}`
}

function literalOf(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function keyOf({ description: _, ...schema }: Schema): string {
  return JSON.stringify(schema)
}

/** The objects inside schemas that stand in several places, by what they are; each gets the name of its property. */
function sharedObjects(
  schemas: Readonly<Record<string, Schema>>,
): Map<string, Schema & { name: string }> {
  const seen = new Map<string, Schema & { name: string }>()
  const shared = new Map<string, Schema & { name: string }>()
  const walk = (name: string, schema: Schema) => {
    if (schema.properties !== undefined) {
      const key = keyOf(schema)
      const known = seen.get(key)
      if (known !== undefined) shared.set(key, known)
      else seen.set(key, { ...schema, name: name.charAt(0).toUpperCase() + name.slice(1) })
      if (known !== undefined) return
    }
    for (const [property, each] of Object.entries(schema.properties ?? {})) walk(property, each)
    if (schema.items !== undefined) walk(name, schema.items)
    for (const each of schema.anyOf ?? []) walk(name, each)
  }
  for (const [name, schema] of Object.entries(schemas)) walk(name, schema)
  return shared
}

/** What the document says of answers and of operations, less what no client reads. */
export function describedApi(): {
  readonly schemas: Readonly<Record<string, Schema>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
} {
  const { components, paths } = openApiDocument(defaultPrices) as unknown as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  const { JsonRpc: _, Health: _health, Readiness: _readiness, ...schemas } = components.schemas
  return { schemas, paths }
}

/** The file, before it is formatted. */
export function contractText(): string {
  const { schemas, paths } = describedApi()
  const shared = sharedObjects(schemas)
  const names = new Map([...shared].map(([key, { name }]) => [key, name]))
  const all = [
    ...Object.entries(schemas).map(([name, schema]) => [name, objectOf(schema, names)] as const),
    ...[...shared.values()].map((schema) => [schema.name, objectOf(schema, names)] as const),
  ]
  const queries = getRouteNames.map((route) => {
    const { parameters: described = [] } = paths[operations[route].paths[0]]!.get!
    return [route, objectOf(optionsOf(described), names)] as const
  })
  const bodies = postRouteNames.map((route) => {
    const { content } = paths[operations[route].paths[0]]!.post!.requestBody!
    return [route, objectOf(content['application/json']!.schema, names)] as const
  })
  const declared = (
    comment: string,
    name: string,
    entries: readonly (readonly [string, string])[],
  ) => {
    const members = entries.map(([member, type]) => `${member}: ${type}`).join('\n')
    return `/** ${comment} */\nexport interface ${name} {\n${members}\n}\n`
  }
  return [
    header,
    declared('The answers of the service, by the name of the schema.', 'Schemas', all),
    declared('The parameters of each GET.', 'QueryParameters', queries),
    declared('The members of the body of each POST.', 'Bodies', bodies),
  ].join('\n')
}

/** The parameters of a query in their first spelling; a list may be one text. */
export function optionsOf(described: NonNullable<Described['parameters']>): Schema {
  const spellings: readonly string[] = Object.values(parameters).map((row) => row.spellings[0])
  const chosen = described.filter(
    ({ name, in: place }) => place !== 'header' && spellings.includes(name),
  )
  const required = chosen.filter((each) => each.required === true).map(({ name }) => name)
  const properties = chosen.map(({ name, description, schema }) => {
    const words = description === undefined ? {} : { description }
    const { items } = schema
    return [
      name,
      { ...(items === undefined ? schema : { anyOf: [items, schema] }), ...words },
    ] as const
  })
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

const header = `/**
 * The requests and answers of the service, as types. scripts/client-types.ts makes this file from the OpenAPI
 * document: change the document, then run it with --write.
 */
`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--write')) writeFileSync(contractFile, contractText())
  else process.stdout.write(contractText())
}
