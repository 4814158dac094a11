/**
 * Writes the types of the client from the OpenAPI document: the items of answers, and the parameters of each method.
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
import { openApiDocument } from '../src/api/describe/openapi.ts'
import { parametersOf } from '../src/api/schemas/inputs.ts'
import { defaultPrices, getRouteNames, operations } from '../src/operations.ts'

export const contractFile = join(import.meta.dirname, '..', 'src', 'client', 'contract.ts')

/** The methods that ask by GET and by POST, and what each leaves out: the main value is an argument of its own. */
const asked = {
  get: {
    search: ['query'],
    peers: ['handles'],
    autocomplete: ['query'],
    topics: [],
    snapshots: [],
    changes: ['since'],
    history: ['sdus'],
  },
  // `match` and `detail` are always aligned; a rank is an order unless a call asks for alignment.
  post: { match: ['handles', 'aligned'], detail: ['sdus', 'aligned'], rank: ['sources'] },
} as const

interface Schema {
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

/** A schema as a type; `inline` are the names of large ones that stand in several places. */
function typeOf(schema: Schema, inline: ReadonlyMap<string, string>): string {
  const name = inline.get(keyOf(schema))
  if (name !== undefined) return `Schemas['${name}']`
  return writtenOut(schema, inline)
}

function writtenOut(schema: Schema, inline: ReadonlyMap<string, string>): string {
  if (schema.$ref !== undefined) return `Schemas['${schema.$ref.split('/').at(-1)}']`
  if (schema.const !== undefined) return literalOf(schema.const)
  if (schema.enum !== undefined) return schema.enum.map(literalOf).join(' | ')
  if (schema.anyOf !== undefined)
    return schema.anyOf.map((each) => typeOf(each, inline)).join(' | ')
  if (Array.isArray(schema.type)) {
    return schema.type.map((type: string) => typeOf({ ...schema, type }, inline)).join(' | ')
  }
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {}, inline)})[]`
  if (schema.type === 'object') return objectOf(schema, inline)
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
    return `${words}${name}${isOptional}: ${typeOf(property, inline)}`
  })
  return `{\n${members.join('\n')}\n}`
}

function literalOf(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function keyOf({ description: _, ...schema }: Schema): string {
  return JSON.stringify(schema)
}

/** Objects and long enumerations that stand in several places, by what they are; each gets the name of its property. */
function sharedSchemas(
  schemas: Readonly<Record<string, Schema>>,
): Map<string, Schema & { name: string }> {
  const seen = new Map<string, Schema & { name: string }>()
  const shared = new Map<string, Schema & { name: string }>()
  const walk = (name: string, schema: Schema) => {
    if (schema.properties !== undefined || (schema.enum?.length ?? 0) > 3) {
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
function describedApi(): {
  readonly schemas: Readonly<Record<string, Schema>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
} {
  const { components, paths } = openApiDocument(defaultPrices) as unknown as {
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  const {
    JsonRpc: _,
    Health: _health,
    Readiness: _readiness,
    // Some fields of a profile and of a match: the client says that itself.
    Chosen: _chosen,
    ...schemas
  } = components.schemas
  return { schemas, paths }
}

export function contractText(): string {
  const { schemas: described, paths } = describedApi()
  // Methods give items; of these two answers the page has members of its own.
  const schemas = Object.fromEntries([
    ...Object.entries(described).filter(([name]) => !name.endsWith('Answer')),
    ['SearchPage', pageOf(described.SearchAnswer!)],
    ['PeersPage', pageOf(described.PeersAnswer!)],
  ])
  const params: Record<string, Schema> = {}
  for (const [route, left] of Object.entries(asked.get)) {
    params[route] = without(optionsOf(paths[pathOf(route)]!.get!.parameters ?? []), left)
  }
  for (const [route, left] of Object.entries(asked.post)) {
    const { content } = paths[pathOf(route)]!.post!.requestBody!
    params[route] = without(content['application/json']!.schema, left)
  }
  const shared = sharedSchemas({ ...schemas, ...params })
  const names = new Map([...shared].map(([key, { name }]) => [key, name]))
  const declared = (comment: string, name: string, schemas: Iterable<[string, Schema]>) => {
    const all = [...schemas]
    const members = all.map(([each, schema], place) => {
      const [base, rest] = baseOf(schema, all, place)
      const parts = base === undefined ? [] : [`${name}['${base}']`]
      if (Object.keys(rest.properties ?? { none: 0 }).length > 0)
        parts.push(writtenOut(rest, names))
      return `${each}: ${parts.join(' & ')}\n`
    })
    return `/** ${comment} */\nexport interface ${name} {\n${members.join('')}}\n`
  }
  const shares = [...shared.values()].map((schema): [string, Schema] => [schema.name, schema])
  return [
    header,
    declared('The items of answers, by the name of the schema.', 'Schemas', [
      ...Object.entries(schemas),
      ...shares,
    ]),
    // A caller's lists may be read-only, and its options undefined.
    declared(
      'The parameters of each method, beside its main value.',
      'Params',
      Object.entries(params),
    )
      .replace(/\([^()]*\)\[\]/g, 'readonly $&')
      .replace(/\?: .*$/gm, '$& | undefined'),
  ].join('\n')
}

/** The largest other schema whose members all stand in one, if it has two or more; and the members that are left. */
function baseOf(
  schema: Schema,
  all: readonly [name: string, schema: Schema][],
  place: number,
): [base: string | undefined, rest: Schema] {
  const members = membersOf(schema)
  const bases = all
    .map(([name, other], at) => ({ name, at, members: membersOf(other) }))
    .filter(({ at, members: theirs }) => {
      const isOther =
        theirs.length < members.length || (theirs.length === members.length && at < place)
      return isOther && theirs.length > 1 && theirs.every((member) => members.includes(member))
    })
    .sort((a, b) => b.members.length - a.members.length)
  const [base] = bases
  if (base === undefined) return [undefined, schema]
  return [base.name, without(schema, Object.keys(all[base.at]![1].properties!))]
}

function membersOf({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map((each) =>
    JSON.stringify([...each, required.includes(each[0])]),
  )
}

function pathOf(route: string): string {
  return operations[route as keyof typeof operations].paths[0]!
}

function without(schema: Schema, names: readonly string[]): Schema {
  const properties = Object.entries(schema.properties ?? {}).filter(
    ([name]) => !names.includes(name),
  )
  return { ...schema, properties: Object.fromEntries(properties) }
}

function pageOf(answer: Schema): Schema {
  return without(answer, ['duration', 'request_id', 'results'])
}

/** The parameters of a query in their first spelling; a list may be one text. */
function optionsOf(described: NonNullable<Described['parameters']>): Schema {
  const spellings: readonly string[] = getRouteNames.flatMap((route) =>
    parametersOf(route).map((field) => field.spellings[0]),
  )
  const chosen = described.filter(
    ({ name, in: place }) => place !== 'header' && spellings.includes(name),
  )
  const properties = chosen.map(({ name, description, schema }) => {
    const words = description === undefined ? {} : { description }
    const { items } = schema
    return [
      name,
      { ...(items === undefined ? schema : { anyOf: [items, schema] }), ...words },
    ] as const
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
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
