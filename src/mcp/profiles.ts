/** People as resources, the targets of links in results. Reading one is charged as one profile. */
import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { operations } from '../operations.ts'
import { type AnswerSource, type Asker, askerOf, authorityUri } from './answer-source.ts'
import { resourceText } from './record-texts.ts'
import { explain, unavailable } from './refusal-texts.ts'

const mimeType = 'application/json'

export function registerProfiles(server: McpServer, source: AnswerSource): void {
  const template = new ResourceTemplate(`${authorityUri}/{sdu}`, { list: undefined })
  const profile = {
    title: 'Profile of an authority',
    description: `The full profile of the authority with this SDU.${source.isCharged ? ' Charged as one profile.' : ''}`,
    mimeType,
  }
  server.registerResource('authority', template, profile, async ({ href }, { sdu }, context) => {
    const text = await profileOf(source, href, String(sdu), askerOf(context))
    return { contents: [{ uri: href, mimeType, text }] }
  })
}

async function profileOf(
  source: AnswerSource,
  uri: string,
  sdu: string,
  asker: Asker,
): Promise<string> {
  const query = `sdu=${encodeURIComponent(sdu)}`
  const answer = await source.ask({ path: operations.detail.paths[0], query, ...asker })
  // A text that is no SDU gets the same answer as an unknown SDU.
  if (answer.status === 400) throw new ResourceNotFoundError(uri)
  if (answer.status !== 200) throw unavailable(explain(answer))
  const [profile] = answer.json.results as readonly object[]
  if (profile === undefined) throw new ResourceNotFoundError(uri)
  return resourceText(profile)
}
