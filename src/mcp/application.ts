/**
 * MCP on the control thread: requests that `mcpEndpoint` admitted become responses, and what was taken of these is
 * charged. To read, check and wrap a message takes a hundred times as long as the answer inside it, and no plain request
 * must wait for that.
 */
import type { Api } from '../api/api.ts'
import { largestNamesOf, type McpOffer } from './answer-source.ts'
import { chargedAnswer } from './charges.ts'
import { newHandler } from './handler.ts'
import type { TopicList } from './local.ts'

/** Dependencies of the application. */
interface McpContext {
  /** Of this thread; it answers the questions of the tools and charges them. */
  readonly api: Api
  readonly topics: TopicList
  readonly offer: McpOffer
  /** Called with bugs. */
  readonly onError: (error: unknown) => void
}

/** Answers requests of `/mcp`. */
export function mcpApplication({ api, topics, offer, onError }: McpContext) {
  const handle = newHandler(onError)
  return chargedAnswer(api, (request, charges) => {
    const source = {
      ...offer,
      largestTopics: largestNamesOf(topics.get()),
      ask: charges.ask.bind(charges),
      topics: async () => topics.get(),
    }
    return handle(request, { source, count: charges.count.bind(charges) })
  })
}
