/**
 * The OpenAPI document of the service in the form that the reference shows: each operation once, with
 * its parameters, its responses, and the values that a form needs to try it. This module knows the
 * format of such documents, and nothing of the API.
 */
import type { ApiQuery } from '../requests.ts'
import {
  fieldsOf,
  lastName,
  limitsText,
  type NamedSchemas,
  type ReferenceField,
  resolved,
  type Schema,
  typeText,
} from './schema-fields.ts'

interface DocumentParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
  readonly example?: unknown
}

interface DocumentResponse {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
  readonly headers?: Readonly<Record<string, DocumentHeader>>
}

interface DocumentHeader {
  readonly $ref?: string
  readonly description?: string
}

interface DocumentOperation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: readonly unknown[]
  readonly parameters?: readonly DocumentParameter[]
  readonly requestBody?: {
    readonly content?: Readonly<
      Record<string, { readonly schema?: Schema; readonly example?: unknown }>
    >
  }
  readonly responses?: Readonly<Record<string, DocumentResponse>>
  readonly 'x-price-usd'?: number
}

/** The document, as far as it is read. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly tags?: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
  readonly components?: {
    readonly schemas?: NamedSchemas
    readonly responses?: Readonly<Record<string, DocumentResponse>>
    readonly headers?: Readonly<Record<string, DocumentHeader>>
  }
}

/** A parameter with every spelling that it has. */
export interface ReferenceParameter {
  readonly name: string
  readonly otherSpellings: readonly string[]
  readonly place: 'path' | 'query'
  readonly isRequired: boolean
  readonly text: string
  readonly type: string
  /** Bounds and default in words; '' if it has none. */
  readonly limits: string
  /** Allowed values; empty if any value of the type is. */
  readonly values: readonly string[]
  readonly example: string
}

/** A header, of a request or of an answer. */
export interface ReferenceHeader {
  readonly name: string
  readonly text: string
}

interface ReferenceResponse {
  readonly status: string
  readonly text: string
  readonly headers: readonly ReferenceHeader[]
}

/** An operation as the reference shows it. */
export interface ReferenceOperation {
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly summary: string
  readonly text: string
  readonly tag: string
  readonly needsKey: boolean
  /** Price of each query; undefined if it has none. */
  readonly priceUsd: number | undefined
  readonly parameters: readonly ReferenceParameter[]
  /** The body that is sent unless another is written; undefined if the operation takes none. */
  readonly bodyExample: string | undefined
  /** Members of the request body; none without a body. */
  readonly bodyFields: readonly ReferenceField[]
  /** Header parameters of the request, beside the key. */
  readonly headers: readonly ReferenceHeader[]
  readonly responses: readonly ReferenceResponse[]
  readonly answer: {
    /** Fields of an item; none if the answer is no list. */
    readonly itemFields: readonly ReferenceField[]
    /** Other types that an item may have, in words. */
    readonly itemNotes: readonly string[]
    /** Fields beside the items. */
    readonly fields: readonly ReferenceField[]
  }
}

/** Every operation once, in the order of the document. */
export function referenceOf(document: OpenApiDocument): ReferenceOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      operationOf(document, path, method === 'post' ? 'POST' : 'GET', operation),
    ),
  )
}

function operationOf(
  document: OpenApiDocument,
  path: string,
  method: 'GET' | 'POST',
  operation: DocumentOperation,
): ReferenceOperation {
  const { content } = operation.requestBody ?? {}
  const body = content?.['application/json']
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary ?? '',
    text: operation.description ?? '',
    tag: operation.tags?.[0] ?? '',
    needsKey: operation.security === undefined,
    priceUsd: operation['x-price-usd'],
    parameters: parametersOf(operation.parameters ?? []),
    bodyExample: body && JSON.stringify(body.example ?? {}, null, 2),
    bodyFields: body?.schema ? fieldsOf(body.schema, document.components?.schemas ?? {}) : [],
    headers: (operation.parameters ?? [])
      .filter(({ in: place }) => place === 'header')
      .map(({ name, description: text = '' }) => ({ name, text })),
    responses: Object.entries(operation.responses ?? {}).map(([status, response]) =>
      responseOf(document, status, resolvedResponse(document, response)),
    ),
    answer: answerOf(document, operation),
  }
}

/** Parameters that say the same but for their name are spellings of one. */
function parametersOf(all: readonly DocumentParameter[]): ReferenceParameter[] {
  const found: ReferenceParameter[] = []
  for (const parameter of all) {
    if (parameter.in !== 'path' && parameter.in !== 'query') continue
    const read = parameterOf(parameter, parameter.in)
    const index = found.findIndex(({ text, place }) => text === read.text && place === read.place)
    const same = found[index]
    if (same === undefined) found.push(read)
    else found[index] = { ...same, otherSpellings: [...same.otherSpellings, read.name] }
  }
  return found
}

function parameterOf(
  { name, required, description = '', schema = {}, example }: DocumentParameter,
  place: 'path' | 'query',
): ReferenceParameter {
  const listed = [example].flat().filter((value) => value !== undefined)
  return {
    name,
    otherSpellings: [],
    place,
    isRequired: required === true || / Required in either spelling\.$/.test(description),
    text: description.replace(/ Required( in either spelling)?\.$/, ''),
    type: typeText(schema),
    limits: limitsText(schema),
    values: valuesOf(schema),
    example: listed.map(String).join(','),
  }
}

function valuesOf({ enum: values, items, type }: Schema): string[] {
  if (items !== undefined) return valuesOf(items)
  if (type === 'boolean') return ['true', 'false']
  return (values ?? []).map(String)
}

function responseOf(
  { components }: OpenApiDocument,
  status: string,
  { description: text = '', headers = {} }: DocumentResponse,
): ReferenceResponse {
  const named = Object.entries(headers).map(([name, header]) => {
    const found = header.$ref === undefined ? header : components?.headers?.[lastName(header.$ref)]
    return { name, text: found?.description ?? '' }
  })
  return { status, text, headers: named }
}

function resolvedResponse(document: OpenApiDocument, response: DocumentResponse): DocumentResponse {
  if (response.$ref === undefined) return response
  return document.components?.responses?.[lastName(response.$ref)] ?? response
}

/** The fields of items and what else they may be, else those of the answer itself. */
function answerOf(
  { components }: OpenApiDocument,
  { responses }: DocumentOperation,
): ReferenceOperation['answer'] {
  const named = components?.schemas ?? {}
  const schema = responses?.['200']?.content?.['application/json']?.schema
  if (schema === undefined) return { itemFields: [], itemNotes: [], fields: [] }
  const items = resolved(schema, named).properties?.results?.items
  const [item, ...others] = items?.anyOf ?? (items === undefined ? [] : [items])
  const fields = fieldsOf(schema, named)
  return {
    itemFields: item === undefined ? [] : fieldsOf(item, named),
    itemNotes: others.map(
      (other) => resolved(other, named).description ?? `Or ${typeText(other)}.`,
    ),
    fields: fields.filter(({ name }) => !/^results\b/.test(name)),
  }
}

/** The request that a form with these values sends; empty values are left out. */
export function queryOf(
  { method, path, parameters }: ReferenceOperation,
  values: Readonly<Record<string, string>>,
  body: string,
): ApiQuery {
  const given = (name: string) => values[name]?.trim() ?? ''
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given(name)))
  const written = parameters
    .filter(({ name, place }) => place === 'query' && given(name) !== '')
    .map(({ name }) => [name, given(name)] as const)
  return { method, path: filled, parameters: written, ...(method === 'POST' && { body }) }
}
