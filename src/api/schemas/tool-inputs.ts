/** The inputs of the tools: of the input of their route what a model fills in; the published schema has exact types. */
import * as z from 'zod'
import { type AnswerFormat, answerFormats, type ToolWords } from '../../operation.ts'
import { operations, type ToolRouteName } from '../../operations.ts'
import { jsonIn } from '../../reading/readers.ts'
import {
  described,
  type FieldType,
  membersOf,
  parametersOf,
  typeOf,
  type Values,
} from './inputs.ts'
import { unknownName } from './unknown-names.ts'

/** Arguments of a tool: parameters of its route by name, or members of its body. */
export type ToolInput<R extends ToolRouteName> = {
  readonly response_format: AnswerFormat
} & Values<R>

export function toolInputSchema<R extends ToolRouteName>(route: R): z.ZodType<ToolInput<R>> {
  const { format, optional = [] }: ToolWords = operations[route].tool
  const parameters = parametersOf(route)
  const fields = (parameters.length === 0 ? membersOf(route) : parameters).flatMap(
    ({ name, schema: own, toolText, toolValue = own, isRequired }): [string, z.ZodType][] => {
      if (toolText === undefined) return []
      const schema = described(toolValue, toolText)
      // An argument with a default may be left out; its schema says so.
      const isDefined = toolValue.safeParse(undefined).success
      const mayBeAbsent = !isRequired || optional.includes(name)
      return [[name, mayBeAbsent && !isDefined ? schema.optional() : schema]]
    },
  )
  const formats = format && { response_format: z.enum(answerFormats).default(format) }
  const all: Record<string, z.ZodType> = { ...Object.fromEntries(fields), ...formats }
  return argumentsOf(all) as unknown as z.ZodType<ToolInput<R>>
}

/** Arguments as a model meant them; any other is an error that names these. */
export function argumentsOf(all: Readonly<Record<string, z.ZodType>>) {
  const error = (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys'
      ? unknownName('argument', issue.keys[0]!, Object.keys(all))
      : undefined
  const input = z.strictObject(all, { error }).refine(isOfCharacters, {
    message: 'a text holds half of a surrogate pair, which is no character',
  })
  return z.preprocess((given) => readArguments(given, all), input)
}

/** JSON can hold lone surrogates, and UTF-8, which every query is sent in, cannot. */
function isOfCharacters(input: Readonly<Record<string, unknown>>): boolean {
  const values = Object.values(input).flat()
  return values.every((value) => typeof value !== 'string' || !/\p{Surrogate}/u.test(value))
}

/**
 * Reads the arguments of a tool as a model meant them: a list that came as one text, a number as text, `handle` for
 * `handles`. What cannot be read so stays, and the schema refuses it. No value is guessed.
 */
function readArguments(given: unknown, schemas: Readonly<Record<string, z.ZodType>>): unknown {
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
  // Digits become a text before they are read as a number, which would lose some of a long one.
  const parsed = jsonIn(text.replace(/([[,]\s*)(\d+)(?=\s*[\],])/g, '$1"$2"'))
  return Array.isArray(parsed) ? parsed : undefined
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
