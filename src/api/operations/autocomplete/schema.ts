/** The item of autocomplete. */
import * as z from 'zod'
import { suggestionKinds } from '../../../request-parameters.ts'
import { sdu } from '../../schemas/values.ts'

/** A suggestion. */
export const suggestion = z.looseObject({
  kind: z.enum(suggestionKinds),
  text: z.string().describe('To be shown: a label, a name, or a handle with its platform.'),
  sdu: sdu.nullable().describe('Of a person.'),
  name: z.string().nullable().describe('The same.'),
  topic: z
    .string()
    .nullable()
    .describe('The label of the topic; of a person the core topic. Of a handle ask match.'),
  handle: z.string().nullable().describe('With its platform, to be asked for.'),
  authorities: z.int().min(1).nullable().describe('Of a topic: how many are ranked in it.'),
})
