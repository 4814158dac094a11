/**
 * The inputs of the tools, as zod schemas: stricter than the API, which adjusts some values itself. Arguments in
 * another form are first read as the model meant them (`tool-arguments.ts`); the published schema has exact types.
 */
import * as z from 'zod'
import { limits } from '../../limits.ts'
import { type AnswerFormat, answerFormats, type Route, type ToolWords } from '../../operation.ts'
import { type GetRouteName, operations, type ToolRouteName } from '../../operations.ts'
import { type BodyMember, type MemberName, members } from '../../request-bodies.ts'
import {
  type Parameter,
  type ParameterKind,
  type ParameterName,
  parameters,
} from '../../request-parameters.ts'
import { unknownName } from '../parameters/unknown-names.ts'
import { memberKinds } from './body-schemas.ts'
import { readArguments } from './tool-arguments.ts'
import { handle, kinds, someValues } from './values.ts'

/** The kinds as a tool takes them: a model must send the exact value where the API would adjust it. */
const toolKinds = {
  ...kinds,
  count: z.int().min(1).max(limits.resultsMax).default(limits.resultsDefault),
  explanation: z.boolean().default(false),
  handles: someValues(handle.regex(/^[^,]+$/, 'one handle each, without commas')),
  // The API bounds these; the schema leaves that out so that a model need not read it for each.
  choice: z.array(z.string()),
  whole: z.number().min(0),
  cursor: z.string(),
  // The API refuses a wrong one and names the known snapshots, which a schema cannot do.
  snapshot: z.string(),
} as const satisfies Record<ParameterKind, z.ZodType>

/** The value of each parameter of a tool. */
type ToolValue<N extends ParameterName> = z.output<
  (typeof toolKinds)[(typeof parameters)[N]['kind']]
>

/** The parameters of a route that its tool takes. */
type ToolParameter<R extends ToolRouteName> = {
  [N in (typeof operations)[R]['parameters'][number]]: (typeof parameters)[N] extends {
    readonly toolText: string
  }
    ? N
    : never
}[(typeof operations)[R]['parameters'][number]]

/** Arguments of a tool: the parameters of its route by name, or the members of its body. */
export type ToolInput<R extends ToolRouteName> = {
  readonly response_format: AnswerFormat
} & (R extends GetRouteName
  ? { readonly [N in ToolParameter<R> as (typeof parameters)[N]['spellings'][0]]: ToolValue<N> }
  : { readonly sources: readonly string[]; readonly topic?: string })

/** The input of a route's tool. */
export function toolInputSchema<R extends ToolRouteName>(route: R): z.ZodType<ToolInput<R>> {
  const { parameters: names, optional = [] }: Route = operations[route]
  const { format, optional: alsoOptional = [] }: ToolWords = operations[route].tool
  const mayBeAbsent = [...optional, ...alsoOptional]
  const shape =
    names.length === 0
      ? toolMembers(route)
      : names.flatMap((name) => toolParameter(name, mayBeAbsent.includes(name)))
  const formats = format && { response_format: z.enum(answerFormats).default(format) }
  const all: Record<string, z.ZodType> = { ...Object.fromEntries(shape), ...formats }
  const error = (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys'
      ? unknownName('argument', issue.keys[0]!, Object.keys(all))
      : undefined
  const input = z.strictObject(all, { error }).refine(isOfCharacters, {
    message: 'a text holds half of a surrogate pair, which is no character',
  })
  const read = z.preprocess((given) => readArguments(given, all), input)
  return read as unknown as z.ZodType<ToolInput<R>>
}

function toolParameter(name: ParameterName, mayBeAbsent: boolean): [string, z.ZodType][] {
  const { kind, required, toolText, spellings }: Parameter = parameters[name]
  if (toolText === undefined) return []
  const schema = toolKinds[kind].describe(toolText)
  // An argument with a default may be left out; its schema says so.
  const isOptional = (!required || mayBeAbsent) && !('defaultValue' in schema.def)
  return [[spellings[0], isOptional ? schema.optional() : schema]]
}

/** The input of a tool whose route takes a body only. */
function toolMembers(route: ToolRouteName): [string, z.ZodType][] {
  const { body }: Route = operations[route]
  const names: readonly MemberName[] = body ?? []
  return names.flatMap((name) => {
    const { kind, required, toolText }: BodyMember = members[name]
    if (toolText === undefined) return []
    const schema = memberKinds[kind].describe(toolText)
    return [[name, required ? schema : schema.optional()]]
  })
}

/** JSON can hold lone surrogates, and UTF-8, which every query is sent in, cannot. */
function isOfCharacters(input: Readonly<Record<string, unknown>>): boolean {
  const values = Object.values(input).flat()
  return values.every((value) => typeof value !== 'string' || !/\p{Surrogate}/u.test(value))
}
