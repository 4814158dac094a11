/** The item of a match. */
import * as z from 'zod'
import { summary } from '../../schemas/person.ts'

/** A summary, and the handle that it answers. */
export const match = summary.extend({
  handle: z
    .string()
    .optional()
    .describe('The handle that this item answers, as it was sent; when several were sent.'),
})
