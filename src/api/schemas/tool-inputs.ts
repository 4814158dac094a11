/** The inputs of the tools: of the input of their route what a model fills in; the published schema has exact types. */
import * as z from 'zod'
import { type AnswerFormat, answerFormats, type ToolWords } from '../../operation.ts'
import { operations, type ToolRouteName } from '../../operations.ts'
import { described, type inputs, membersOf, parametersOf } from './inputs.ts'
import { readArguments } from './tool-arguments.ts'
import { unknownName } from './unknown-names.ts'

/** Arguments of a tool: parameters of its route by name, or members of its body. */
export type ToolInput<R extends ToolRouteName> = {
  readonly response_format: AnswerFormat
} & ((typeof inputs)[R] extends { readonly get: infer S extends z.ZodType }
  ? z.output<S>
  : { readonly sources: readonly string[]; readonly topic?: string })

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
