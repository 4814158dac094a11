/** The members of the bodies of POSTs, as zod schemas. */
import * as z from 'zod'
import { limits } from '../../limits.ts'
import { operations, type PostRouteName } from '../../operations.ts'
import { type BodyMember, type MemberKind, type MemberName, members } from '../../request-bodies.ts'
import { handle, kinds, sdu } from './values.ts'

/** Values of a list in a body. */
function many<T extends z.ZodType>(item: T) {
  return z.array(item).min(1).max(limits.batchValuesMax)
}

/** A member of a body of each kind. */
export const memberKinds = {
  sdus: many(sdu),
  handles: many(handle),
  sources: many(z.string().min(1).max(limits.sourceCharactersMax)),
  topic: z.string().min(1).max(limits.queryCharactersMax),
  fields: kinds.fields,
  explanation: z.boolean().default(false),
  flag: z.boolean().default(false),
} as const satisfies Record<MemberKind, z.ZodType>

/** The body of a route's POST. */
export function bodySchema(route: PostRouteName): z.ZodType {
  const shape = operations[route].body.map((name: MemberName) => {
    const { kind, required, text }: BodyMember = members[name]
    const schema = memberKinds[kind].describe(text)
    return [name, required ? schema : schema.optional()]
  })
  return z.strictObject(Object.fromEntries(shape))
}
