/**
 * Answers held against the OpenAPI document of the service that gave them: all of an answer must be documented,
 * and all that is documented as certain must be there.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Json = Record<string, unknown>

interface Asked {
  readonly method: string
  readonly target: string
}

/** An answer as it came over the wire; header names in lower case. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Throws an error that names what was asked and what is not as documented. */
export type AssertAnswer = (asked: Asked, answered: Answered) => void

const formats = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
}

/** Headers of the connection, not of the interface. */
const transportHeaders = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'uwebsockets',
])

export async function documentOf(address: string): Promise<Json> {
  return (await (await fetch(`${address}/openapi.json`)).json()) as Json
}

/** What holds answers against a document. Objects are taken as closed, so that nothing slips in. */
export function answerAssertion(document: Json): AssertAnswer {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats })
  ajv.addSchema(closed(document) as Json, 'document')
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `document${pointer}` })
    validators.set(pointer, known)
    return known
  }
  return (asked, answered) => {
    const complaints = complaintsOf(document, validatorOf, asked, answered)
    if (complaints.length === 0) return
    const what = `${asked.method} ${asked.target.slice(0, 200)} → ${answered.status}`
    throw new Error(`${what}: ${complaints.join('; ')}\n${answered.text.slice(0, 500)}`)
  }
}

function complaintsOf(
  document: Json,
  validatorOf: (pointer: string) => ValidateFunction,
  { method, target }: Asked,
  { status, headers, text }: Answered,
): string[] {
  const pointer = responsePointer(document, method, target, status)
  const response = at(document, pointer)
  if (response === undefined) return ['the status is not documented']
  const complaints = headerComplaints(document, response, headers)
  const contents = (response.content ?? {}) as Json
  const type = headers['content-type']
  if (method === 'HEAD') return text === '' ? complaints : [...complaints, 'a body to HEAD']
  if (type === undefined || Object.keys(contents).length === 0) {
    return text === '' ? complaints : [...complaints, 'a body that is not documented']
  }
  const [bare = ''] = type.split(';')
  if (!Object.hasOwn(contents, bare)) return [...complaints, `content type ${type}`]
  if (!bare.endsWith('json')) return complaints
  const validate = validatorOf(`${pointer}/content/${escaped(bare)}/schema`)
  if (!validate(JSON.parse(text))) {
    complaints.push(...validate.errors!.map((error) => `${error.instancePath} ${error.message}`))
  }
  return complaints
}

/** Where the response stands; a method that is not documented is answered as the path says. */
function responsePointer(document: Json, method: string, target: string, status: number): string {
  const [sent = ''] = target.split('?')
  // Each path stands in the document once, without a slash at the end.
  const asked = sent.startsWith('/api/') ? sent.replace(/\/$/, '') : sent
  const paths = document.paths as Json
  const path = Object.hasOwn(paths, asked) ? asked : (templateOf(paths, asked) ?? asked)
  const item = paths[path] as Json | undefined
  if (item === undefined) return `#/x-responses-elsewhere/${status}`
  const verb = Object.hasOwn(item, method.toLowerCase())
    ? method.toLowerCase()
    : Object.keys(item)[0]
  const pointer = `#/paths/${escaped(path)}/${verb}/responses/${status}`
  const reference = at(document, pointer)?.$ref
  return typeof reference === 'string' ? reference : pointer
}

/** The documented path that holds a value, of which a path is one. */
function templateOf(paths: Json, path: string): string | undefined {
  return Object.keys(paths).find((each) => {
    const parts = each.split('/')
    const given = path.split('/')
    return (
      each.includes('{') &&
      parts.length === given.length &&
      parts.every((part, index) => (part.startsWith('{') ? given[index] : part) === given[index])
    )
  })
}

function headerComplaints(
  document: Json,
  response: Json,
  headers: Readonly<Record<string, string>>,
): string[] {
  const documented = new Map(
    Object.entries((response.headers ?? {}) as Record<string, Json>).map(([name, header]) => [
      name.toLowerCase(),
      typeof header.$ref === 'string' ? at(document, header.$ref)! : header,
    ]),
  )
  const missing = [...documented]
    .filter(([name, { required }]) => required === true && headers[name] === undefined)
    .map(([name]) => `header ${name} is missing`)
  const undocumented = Object.keys(headers)
    .filter((name) => !documented.has(name) && !transportHeaders.has(name))
    .map((name) => `header ${name} is not documented`)
  return [...missing, ...undocumented]
}

function escaped(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}

function at(document: Json, pointer: string): Json | undefined {
  const tokens = pointer.split('/').slice(1)
  let value: unknown = document
  for (const token of tokens) {
    value = (value as Json | undefined)?.[token.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return value as Json | undefined
}

/** A copy in which an object schema that says nothing of other members has none. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]))
  const isOpen = copy.type === 'object' && 'properties' in copy && !('additionalProperties' in copy)
  return isOpen ? { ...copy, additionalProperties: false } : copy
}
