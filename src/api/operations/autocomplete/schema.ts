/** The item of autocomplete. */
import * as z from 'zod'
import { suggestionKinds } from '../../../request-parameters.ts'
import { sdu } from '../../schemas/values.ts'

/** A suggestion. */
export const suggestion = z.looseObject({
  kind: z.enum(suggestionKinds),
  text: z.string().describe('To be shown: a label, a name, or a handle with its platform.'),
  sdu: sdu.nullable().describe('Of a person, and of the top owner of a handle.'),
  name: z.string().nullable().describe('The same.'),
  topic: z.string().describe('The label of the topic; of a person or an owner the core topic.'),
  handle: z.string().nullable().describe('With its platform, to be asked for.'),
  authority_score: z.number().min(0).max(100).nullable(),
  authorities: z.int().min(1).nullable().describe('Of a topic: how many are ranked in it.'),
})
