/**
 * Writes the types of the Python client from the OpenAPI document: a TypedDict for each object of an answer, and
 * one for the parameters of each method. They need Python 3.9 at run time; type checkers read the rest.
 *
 *     npx tsx scripts/python-types.ts            prints
 *     npx tsx scripts/python-types.ts --write    writes clients/python/authority_index/contract.py
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { operations, type RouteName, routeNames } from '../src/operations.ts'
import { describedApi, optionsOf, type Schema } from './client-types.ts'

/** Where the types stand. */
export const pythonContractFile = join(
  import.meta.dirname,
  '..',
  'clients',
  'python',
  'authority_index',
  'contract.py',
)

/** What a method takes before its other parameters. */
const firstParameters = ['query', 'sdus', 'handles', 'sources', 'since', 'id']

const primitives: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

/** The classes of a file: each object is written before the first that has it. */
class Classes {
  readonly texts = new Map<string, string>()
  readonly #schemas: Readonly<Record<string, Schema>>
  /** Names by what they stand for, so that equal objects are one class. */
  readonly #names = new Map<string, string>()

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas
  }

  /** A schema as a type; an object gets the name, or that of its equal. */
  typeOf(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) {
      const known = schema.$ref.split('/').at(-1)!
      return this.objectOf(this.#schemas[known]!, known)
    }
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    if (schema.enum !== undefined) return this.#choice(schema.enum, name)
    const { anyOf } = schema
    if (anyOf !== undefined) return union(anyOf.map((each) => this.typeOf(each, name)))
    if (Array.isArray(schema.type)) {
      return union(schema.type.map((type: string) => this.typeOf({ ...schema, type }, name)))
    }
    if (schema.type === 'array') return `List[${this.typeOf(schema.items ?? {}, name)}]`
    if (schema.type === 'object') return this.#mapOrObject(schema, name)
    return primitives[String(schema.type)] ?? 'Any'
  }

  /** The name of the class of an object. Members that may be absent stand in a class of their own. */
  objectOf(schema: Schema, name: string): string {
    const { description: _, ...shape } = schema
    const [known, isNew] = this.#named(JSON.stringify(shape), name)
    if (!isNew) return known
    name = known
    const { properties = {}, required = [] } = schema
    const lines = (isRequired: boolean) =>
      Object.entries(properties)
        .filter(([member]) => required.includes(member) === isRequired)
        .map(([member, each]) => this.#member(name, member, each))
    const [always, maybe] = [lines(true), lines(false)]
    if (always.length > 0 && maybe.length > 0) {
      this.texts.set(`_${name}`, `class _${name}(TypedDict):\n${always.join('\n')}\n`)
      this.texts.set(name, `class ${name}(_${name}, total=False):\n${maybe.join('\n')}\n`)
    } else if (maybe.length > 0) {
      this.texts.set(name, `class ${name}(TypedDict, total=False):\n${maybe.join('\n')}\n`)
    } else this.texts.set(name, `class ${name}(TypedDict):\n${always.join('\n')}\n`)
    return name
  }

  /** The name of what stands for it: the last part of a path alone, unless that is the name of something else. */
  #named(key: string, path: string): [name: string, isNew: boolean] {
    const known = this.#names.get(key)
    if (known !== undefined) return [known, false]
    const short = path.split('.').at(-1)!
    const isFree = !path.includes('.') || !(short in this.#schemas || this.texts.has(short))
    const name = isFree ? short : path.replaceAll('.', '')
    this.#names.set(key, name)
    return [name, true]
  }

  /** One of several values; many have a name of their own. */
  #choice(values: readonly unknown[], path: string): string {
    const some = values.filter((value) => value !== null)
    let type = `Literal[${some.map(literal).join(', ')}]`
    if (some.length > 3) {
      const [name, isNew] = this.#named(type, path)
      const lines = some.map((value) => `    ${literal(value)},\n`).join('')
      if (isNew) this.texts.set(name, `${name} = Literal[\n${lines}]\n`)
      type = name
    }
    return some.length < values.length ? `Optional[${type}]` : type
  }

  #mapOrObject(schema: Schema, name: string): string {
    if (schema.properties !== undefined) return this.objectOf(schema, name)
    const { additionalProperties: value } = schema
    const type = typeof value === 'object' ? this.typeOf(value, name) : 'Any'
    return `Dict[str, ${type}]`
  }

  #member(owner: string, member: string, schema: Schema): string {
    const words = schema.description === undefined ? [] : commented(schema.description)
    return [...words, `    ${member}: ${this.typeOf(schema, `${owner}.${capitals(member)}`)}`].join(
      '\n',
    )
  }
}

function capitals(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)]
  const others = different.filter((type) => type !== 'None')
  const one = others.length === 1 ? others[0]! : `Union[${others.join(', ')}]`
  return others.length === different.length ? one : `Optional[${one}]`
}

function literal(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

/** A comment of lines that fit. */
function commented(text: string): string[] {
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    if (lines.at(-1)!.length + word.length > 110) lines.push('')
    lines.push(`${lines.pop()} ${word}`)
  }
  return lines.map((line) => `    #${line}`)
}

/** The parameters of a method: those of the GET and the members of the POST, less what comes first. */
function parametersOf(route: RouteName, paths: ReturnType<typeof describedApi>['paths']): Schema {
  const { get, post } = paths[operations[route].paths[0]!]!
  const body = post?.requestBody?.content['application/json']?.schema.properties ?? {}
  const query = get === undefined ? {} : optionsOf(get.parameters ?? []).properties
  const all = Object.entries({ ...body, ...query })
  const others = all.filter(([name]) => !isFirst(route, name))
  return { type: 'object', properties: Object.fromEntries(others) }
}

function isFirst(route: RouteName, name: string): boolean {
  if (name === 'query') return route !== 'topics'
  if (name === 'sdus') return route !== 'changes'
  return firstParameters.includes(name)
}

/** The file. */
export function pythonContractText(): string {
  const { schemas, paths } = describedApi()
  const classes = new Classes(schemas)
  for (const [name, schema] of Object.entries(schemas)) {
    if (!name.endsWith('Answer')) classes.objectOf(schema, name)
  }
  classes.texts.set('CallParams', callParams)
  for (const route of routeNames) {
    const name = `${capitals(route)}Params`
    const { properties = {} } = parametersOf(route, paths)
    const lines = Object.entries(properties).flatMap(([member, schema]) => [
      ...(schema.description === undefined ? [] : commented(schema.description)),
      `    ${member}: ${classes.typeOf(schema, `${name}.${capitals(member)}`)}`,
    ])
    const body = lines.length === 0 ? '    pass' : lines.join('\n')
    classes.texts.set(name, `class ${name}(CallParams, total=False):\n${body}\n`)
  }
  return [header, ...classes.texts.values()].join('\n\n')
}

const callParams = `class CallParams(TypedDict, total=False):
    # Seconds for the whole call with its retries.
    deadline_s: float
    # Up to 64 visible characters; a random one unless given.
    idempotency_key: str
    # The call is refused before it is sent where its price is higher.
    max_cost_usd: float
`

const header = `"""The requests and answers of the service, as types.

scripts/python-types.ts makes this file from the OpenAPI document: change the document, then run it with --write.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union
`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--write')) writeFileSync(pythonContractFile, pythonContractText())
  else process.stdout.write(pythonContractText())
}
