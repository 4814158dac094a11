/** The item of the list of topics. */
import * as z from 'zod'

/** A topic with its aliases. */
export const topic = z.looseObject({
  topic: z.string().describe('The label.'),
  aliases: z.array(z.string()).describe('As they are compared: in lower case.'),
  authorities: z.int().min(1).describe('Number of ranked people in it.'),
})
