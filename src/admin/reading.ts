/**
 * Reads the input of an operation: by its schema, and on the command line from texts. The first thing that is wrong is
 * named with its place.
 */
import type * as z from 'zod'
import { Refusal } from '../problems.ts'
import { hintAt, nearestOf } from '../text/nearest.ts'
import { type Described, schemaJson } from './operation.ts'

/** @throws Refusal `wrong-usage`. */
export function read(schema: z.ZodType, value: unknown): Record<string, unknown> {
  const found = schema.safeParse(value)
  if (found.success) return found.data as Record<string, unknown>
  const { path, message } = found.error.issues[0]!
  const place = path.length === 0 ? '' : `${path.map(String).join('.')}: `
  throw new Refusal('wrong-usage', `${place}${message}`)
}

export interface InputMember {
  readonly name: string
  readonly isRequired: boolean
  readonly description: string
  readonly types: readonly string[]
}

export function membersOf(input: z.ZodObject): InputMember[] {
  const { properties = {}, required = [] } = schemaJson(input)
  return Object.entries(properties).map(([name, described]) => ({
    ...{ name, isRequired: required.includes(name), description: described.description ?? '' },
    types: typesOf(described),
  }))
}

function typesOf({ type = [], anyOf = [] }: Described): string[] {
  return [...[type].flat(), ...anyOf.flatMap(typesOf)]
}

/**
 * The values that texts are of, as JSON has them: `none` is null, a list has commas, an object is JSON.
 * @param given texts, or values that are read already; undefined for a member that is not given.
 * @throws Refusal `wrong-usage` for a name that the input does not have.
 */
export function inputFrom(
  input: z.ZodObject,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const members = membersOf(input)
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  const pairs = said.map(([name, value]) => {
    const member = members.find((each) => each.name === name)
    if (member !== undefined) {
      return [name, typeof value === 'string' ? typed(value, member.types) : value]
    }
    const names = members.map((each) => each.name)
    const hint = hintAt(nearestOf(name, names))
    const takes = names.length === 0 ? 'it takes nothing' : `it takes ${names.join(', ')}`
    throw new Refusal('wrong-usage', `'${name}' is not taken${hint === '' ? `; ${takes}` : hint}`)
  })
  return Object.fromEntries(pairs)
}

/** A text that is no value of the types stays as it is: the schema refuses it. */
function typed(text: string, types: readonly string[]): unknown {
  if (text === 'none' && types.includes('null')) return null
  if (types.includes('string')) return text
  if (types.includes('number') || types.includes('integer')) {
    return /^[-+]?\d*\.?\d+$/.test(text) ? Number(text) : text
  }
  if (types.includes('boolean')) return text === 'true' || (text === 'false' ? false : text)
  if (types.includes('array') && !text.startsWith('[')) return text.split(',')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
