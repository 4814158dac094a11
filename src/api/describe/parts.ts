/** Parts that OpenAPI documents are put together from. */
import type { Json } from '../schemas/json-schema.ts'

export function reference(kind: string, name: string): Json {
  return { $ref: `#/components/${kind}/${name}` }
}

/** An object whose members are all present, but for those named. */
export function object(properties: Json, optional: readonly string[] = []): Json {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', required, properties }
}

export function headers(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]))
}

export function jsonResponse(description: string, schema: string, names: readonly string[]): Json {
  const content = { 'application/json': { schema: reference('schemas', schema) } }
  return { description, headers: headers(['X-Content-Type-Options', ...names]), content }
}
