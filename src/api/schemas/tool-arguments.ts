/**
 * Reads the arguments of a tool as a model meant them: a list that came as one text, a number as text, `handle` for
 * `handles`. What cannot be read so stays, and the schema refuses it. No value is guessed.
 */
import type * as z from 'zod'
import { type FieldType, typeOf } from './inputs.ts'

type ArgumentSchemas = Readonly<Record<string, z.ZodType>>

export function readArguments(given: unknown, schemas: ArgumentSchemas): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const names = Object.keys(schemas)
  const read: [string, unknown][] = []
  for (const [sent, value] of Object.entries(given)) {
    const name = Object.hasOwn(schemas, sent) ? sent : (formOf(sent, names, given) ?? sent)
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    const isOptional = schema?.safeParse(undefined).success ?? false
    if (isOptional && isNothing(value)) continue
    read.push([name, schema === undefined ? value : readValue(value, typeOf(schema))])
  }
  return Object.fromEntries(read)
}

/** The name of which `sent` is the singular, the plural or another case; undefined without one or if both were sent. */
function formOf(sent: string, names: readonly string[], given: object): string | undefined {
  const stem = stemOf(sent)
  return names.find((name) => stemOf(name) === stem && !(name in given))
}

function stemOf(name: string): string {
  const letters = name.toLowerCase().replace(/[_-]/g, '')
  return letters.replace(/ies$/, 'y').replace(/s$/, '')
}

/** Whether a value is one that models send for an argument that they leave out. */
function isNothing(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function readValue(value: unknown, type: FieldType): unknown {
  if (type === 'array') return readList(value)
  const single = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (type === 'string') return textOf(single)
  if (typeof single !== 'string') return single
  if ((type === 'number' || type === 'int') && /^\s*-?\d+(?:\.\d+)?\s*$/.test(single))
    return Number(single)
  if (type === 'boolean' && /^(?:true|false)$/i.test(single)) return single.toLowerCase() === 'true'
  return single
}

function readList(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textOf)
  if (typeof value !== 'string') return typeof value === 'number' ? [textOf(value)] : value
  const parsed = value.trimStart().startsWith('[') ? listIn(value) : undefined
  return parsed?.map(textOf) ?? partsOf(value)
}

function listIn(text: string): readonly unknown[] | undefined {
  try {
    // Digits become a text before they are read as a number, which would lose some of a long one.
    const parsed: unknown = JSON.parse(text.replace(/([[,]\s*)(\d+)(?=\s*[\],])/g, '$1"$2"'))
    return Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** The parts between commas and line ends; an address may hold commas, unless a space or an address follows. */
function partsOf(text: string): string[] {
  const separator = text.includes('://') ? /\n|,(?=\s|https?:|@|$)/ : /[\n,]/
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** A number that JSON has kept exactly, as text. */
function textOf(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value
}
