/** The item of the changes. */
import * as z from 'zod'
import { changeTypes } from '../../../request-parameters.ts'
import { sdu } from '../../schemas/values.ts'

const changed = z
  .union([z.string(), z.number(), z.record(z.string(), z.unknown()), z.null()])
  .describe(
    'A value of the kind that `type` names: a profile item or fields of one, a number, a label, a handle.',
  )

/** A change of one person. */
export const change = z.looseObject({
  type: z.enum(changeTypes),
  sdu,
  topic: z.string().nullable().describe('Of a rank: the label of the topic.'),
  before: changed,
  after: changed,
})
