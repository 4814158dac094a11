/**
 * Writes the types of the client from the schemas of items and inputs: the items of answers, and the parameters of each method.
 * openapi-typescript 7.13 does not replace it: it needs a TypeScript 5, which npm refuses to install beside this
 * repository's 7, and its file has 526 lines for these schemas alone, with shared ones named (432 here). Of
 * json-schema-to-typescript 16, which needs no TypeScript, it has 1,070.
 *
 *     npx tsx scripts/client-types.ts            prints
 *     npx tsx scripts/client-types.ts --write    writes src/client/contract.ts
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import { accountView, envelopeShape, itemSchemas } from '../src/api/operations/items.ts'
import { membersOf, parametersOf } from '../src/api/schemas/inputs.ts'
import { jsonSchemaOf } from '../src/api/schemas/json-schema.ts'
import type { RouteName } from '../src/operations.ts'

export const contractFile = join(import.meta.dirname, '..', 'src', 'client', 'contract.ts')

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly description?: string
}

type Schemas = Readonly<Record<string, Schema>>

export function contractText(): string {
  const schemas: Schemas = Object.fromEntries([
    ...Object.entries(itemSchemas).map(([name, schema]) => [nameOf(name), jsonSchemaOf(schema)]),
    ['AccountView', jsonSchemaOf(accountView)],
    ['SearchPage', pageOf('search')],
    ['PeersPage', pageOf('peers')],
  ])
  const params: Schemas = {
    search: asked('search', 'query'),
    peers: asked('peers', 'handles'),
    autocomplete: asked('autocomplete', 'query'),
    topics: asked('topics'),
    snapshots: asked('snapshots'),
    changes: asked('changes', 'since'),
    history: asked('history', 'sdus'),
    // `match` and `detail` are always aligned; a rank is an order unless a call asks for alignment.
    match: posted('match', 'handles', 'aligned'),
    detail: posted('detail', 'sdus', 'aligned'),
    rank: posted('rank', 'sources'),
  }
  const properties = Object.values(params).flatMap(({ properties = {} }) =>
    Object.entries(properties),
  )
  const shared = sharedSchemas([...Object.entries(schemas), ...properties])
  const names = new Map(Object.entries(shared).map(([name, schema]) => [keyOf(schema), name]))
  const declared = (comment: string, name: string, schemas: Schemas) => {
    const members = Object.keys(schemas).map((each) => {
      const [base, rest] = baseOf(each, schemas)
      const parts = base === undefined ? [] : [`${name}['${base}']`]
      if (Object.keys(rest.properties ?? { none: 0 }).length > 0)
        parts.push(writtenOut(rest, names))
      return `${each}: ${parts.join(' & ')}\n`
    })
    return `/** ${comment} */\nexport interface ${name} {\n${members.join('')}}\n`
  }
  return [
    header,
    declared('The items of answers, by the name of the schema.', 'Schemas', {
      ...schemas,
      ...shared,
    }),
    // A caller's lists may be read-only, and its options undefined.
    declared('The parameters of each method, beside its main value.', 'Params', params)
      .replace(/\([^()]*\)\[\]/g, 'readonly $&')
      .replace(/\?: .*$/gm, '$& | undefined'),
  ].join('\n')
}

const header = `/**
 * The requests and answers of the service, as types. scripts/client-types.ts makes this file from the schemas of
 * the service: change those, then run it with --write.
 */
`

function nameOf(property: string): string {
  return property.charAt(0).toUpperCase() + property.slice(1)
}

/** Methods give items; what an answer has beside them is of the page. */
function pageOf(route: RouteName): Schema {
  const { duration: _, request_id: _id, results: _items, ...page } = envelopeShape(route)
  return jsonSchemaOf(z.looseObject(page))
}

/** The parameters of a query in their first spelling, but its main value, which is an argument; a list may be one text. */
function asked(route: RouteName, ...left: readonly string[]): Schema {
  const taken = parametersOf(route).filter(({ name }) => !left.includes(name))
  const properties = taken.map(({ spellings: [name], schema, text }) => {
    const json: Schema = jsonSchemaOf(schema)
    const either = json.items === undefined ? json : { anyOf: [json.items, json] }
    return [name, { ...either, description: text }]
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** The members of a body. */
function posted(route: RouteName, ...left: readonly string[]): Schema {
  const taken = membersOf(route).filter(({ name }) => !left.includes(name))
  const properties = taken.map(({ name, schema, text }) => [
    name,
    { ...jsonSchemaOf(schema), description: text },
  ])
  return { type: 'object', properties: Object.fromEntries(properties) }
}

/** A schema as a type; `names` are those of large ones that stand in several places. */
function typeOf(schema: Schema, names: ReadonlyMap<string, string>): string {
  const name = names.get(keyOf(schema))
  return name === undefined ? writtenOut(schema, names) : `Schemas['${name}']`
}

function writtenOut(schema: Schema, names: ReadonlyMap<string, string>): string {
  const { type = 'unknown', enum: values, anyOf, items = {} } = schema
  if (values !== undefined) return values.map(literalOf).join(' | ')
  if (anyOf !== undefined) return anyOf.map((each) => typeOf(each, names)).join(' | ')
  if (typeof type !== 'string') {
    return type.map((each) => typeOf({ ...schema, type: each }, names)).join(' | ')
  }
  if (type === 'array') return `(${typeOf(items, names)})[]`
  if (type === 'object') return objectOf(schema, names)
  return type === 'integer' ? 'number' : type
}

function literalOf(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function objectOf(schema: Schema, names: ReadonlyMap<string, string>): string {
  const { properties, required = [], additionalProperties } = schema
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? additionalProperties : {}
    return `Record<string, ${typeOf(value, names)}>`
  }
  const members = Object.entries(properties).map(([name, property]) => {
    const words = property.description === undefined ? '' : `/** ${property.description} */\n`
    const isOptional = required.includes(name) ? '' : '?'
    return `${words}${name}${isOptional}: ${typeOf(property, names)}`
  })
  return `{\n${members.join('\n')}\n}`
}

function keyOf({ description: _, ...schema }: Schema): string {
  return JSON.stringify(schema)
}

/** Objects and long enumerations that stand in several places; each gets the name of its first property. */
function sharedSchemas(schemas: readonly [name: string, schema: Schema][]): Schemas {
  const seen = new Map<string, [name: string, schema: Schema]>()
  const shared = new Map<string, Schema>()
  const walk = (name: string, schema: Schema) => {
    if (schema.properties !== undefined || (schema.enum?.length ?? 0) > 3) {
      const known = seen.get(keyOf(schema))
      if (known !== undefined) {
        shared.set(...known)
        return
      }
      seen.set(keyOf(schema), [nameOf(name), schema])
    }
    for (const [property, each] of Object.entries(schema.properties ?? {})) walk(property, each)
    if (schema.items !== undefined) walk(name, schema.items)
    for (const each of schema.anyOf ?? []) walk(name, each)
  }
  for (const [name, schema] of schemas) walk(name, schema)
  return Object.fromEntries(shared)
}

/** The largest other schema whose members all stand in one, if it has two or more; and the members that are left. */
function baseOf(name: string, schemas: Schemas): [base: string | undefined, rest: Schema] {
  const schema = schemas[name]!
  const members = membersIn(schema)
  const names = Object.keys(schemas)
  const bases = names
    .map((other) => ({ other, theirs: membersIn(schemas[other]!) }))
    .filter(({ other, theirs }) => {
      const isEarlier = names.indexOf(other) < names.indexOf(name)
      const isOther = theirs.length < members.length + (isEarlier ? 1 : 0)
      return isOther && theirs.length > 1 && theirs.every((member) => members.includes(member))
    })
    .sort((a, b) => b.theirs.length - a.theirs.length)
  const [base] = bases
  if (base === undefined) return [undefined, schema]
  const left = Object.entries(schema.properties!).filter(
    ([property]) => !(property in schemas[base.other]!.properties!),
  )
  return [base.other, { ...schema, properties: Object.fromEntries(left) }]
}

function membersIn({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map((each) =>
    JSON.stringify([...each, required.includes(each[0])]),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--write')) writeFileSync(contractFile, contractText())
  else process.stdout.write(contractText())
}
