/** The one prompt: how the tools are meant to be used together. */
import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

/** Made once, because making a schema costs more than registering a prompt. */
const argsSchema = z.object({
  sources: z
    .string()
    .describe('The sources, one a line: title or address, and the author’s name or handle.'),
  topic: z.string().optional().describe('The subject, when the ranking is about one.'),
})

/** Gives a server the prompt `rank_sources`. */
export function registerPrompt(server: McpServer): void {
  const config = {
    title: 'Rank sources by authority',
    description: 'Rank these sources by their author’s authority, with the evidence for each.',
    argsSchema,
  }
  server.registerPrompt('rank_sources', config, (given) => ({
    description: config.description,
    messages: [{ role: 'user', content: { type: 'text', text: instructions(given) } }],
  }))
}

function instructions(given: z.infer<typeof argsSchema>): string {
  const about = given.topic === undefined ? '' : ` as sources on ${given.topic}`
  return `Rank the following sources by their author's authority${about}.

1. Note the author of each source: a social media handle or profile address where there is one, otherwise the name.
2. Call match_handle once with all handles. Who it does not know by handle may be known by name: call search_authorities with the name, and take a result only if it is clearly the same person.
3. Call get_authority_detail once with all SDUs found, for authority scores, topics and verified accounts.
4. Rank by authority score. ${
    given.topic === undefined
      ? 'Where scores are close, put first whose topics fit the source.'
      : `Put authors whose topics include ${given.topic} or something near it before the others.`
  }
5. Put sources whose author is not in the index last, marked "not verified": that is no judgement of them, only absence of evidence.

Answer with a table: rank, source, author, authority score, core topic, how the author was identified.

Sources:
${given.sources}`
}
