/**
 * The values of requests and of items, once, as zod schemas. Objects are open: a client must ignore a
 * member it does not know. The serving threads do not load zod.
 */
import * as z from 'zod'
import { limits } from '../../limits.ts'
import {
  changeTypes,
  facetNames,
  fieldNames,
  type ParameterKind,
  type ParameterName,
  parameters,
  suggestionKinds,
} from '../../request-parameters.ts'

/** An SDU. */
export const sdu = z
  .string('an SDU is a string of digits: a number would lose some of them')
  .regex(
    new RegExp(`^[0-9]{1,${limits.sduDigitsMax}}$`),
    `an SDU is 1 to ${limits.sduDigitsMax} digits, as a string`,
  )

/** A handle. */
export const handle = z.string().min(1).max(limits.handleCharactersMax)

/** Values of one parameter. */
export function someValues<T extends z.ZodType>(item: T) {
  return z.array(item).min(1).max(limits.valuesPerRequestMax)
}

/** A parameter of each kind, as the API takes it. */
export const kinds = {
  text: z.string().min(1).max(limits.queryCharactersMax),
  count: z.int().min(1).default(limits.resultsDefault),
  explanation: z.union([z.boolean(), z.literal('query')]).default(false),
  flag: z.boolean().default(true),
  sdus: someValues(sdu),
  handles: someValues(handle),
  choice: someValues(z.string().min(1).max(limits.queryCharactersMax)),
  score: z.number().min(0).max(100),
  whole: z.int().min(0).max(limits.followersMinMax),
  fields: z.array(z.enum(fieldNames)).min(1),
  facets: z.array(z.enum(facetNames)).min(1),
  cursor: z.string().min(1).max(limits.cursorCharactersMax),
  snapshot: z.string().regex(/^[0-9a-f]{32}$/),
  'change-types': someValues(z.enum(changeTypes)),
  'suggestion-kinds': z.array(z.enum(suggestionKinds)).min(1),
} as const satisfies Record<ParameterKind, z.ZodType>

/** The schema of a parameter's value, lists as arrays. */
export function parameterSchema(name: ParameterName): z.ZodType {
  return kinds[parameters[name].kind]
}

/** The id of a snapshot. */
export const snapshotId = z.string().regex(/^[0-9a-f]{32}$/)

/** A time; null if it is not known. */
export const dateTime = z.iso.datetime().nullable()
