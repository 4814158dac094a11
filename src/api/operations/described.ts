/**
 * The descriptions of the operations for clients, by their rows in `src/operations.ts`: the schemas of their answers,
 * and how tools read them. OpenAPI, the MCP tools and the tests are made from this; the serving threads do not load
 * it.
 */
import * as z from 'zod'
import type { ItemName, Route } from '../../operation.ts'
import { operations, type RouteName, type ToolRouteName } from '../../operations.ts'
import { takes } from '../schemas/inputs.ts'
import { summary } from '../schemas/person.ts'
import { suggestion } from './autocomplete/schema.ts'
import { change } from './changes/schema.ts'
import { changesTool } from './changes/tool.ts'
import { profile } from './detail/schema.ts'
import { detailTool } from './detail/tool.ts'
import { moment } from './history/schema.ts'
import { historyTool } from './history/tool.ts'
import { facetsShape, pageShape } from './lists/schema.ts'
import { match } from './match/schema.ts'
import { matchTool } from './match/tool.ts'
import { peersTool } from './peers/tool.ts'
import { rankedSource } from './rank/schema.ts'
import { rankTool } from './rank/tool.ts'
import { understood } from './search/schema.ts'
import { searchTool } from './search/tool.ts'
import { snapshot, snapshotPage } from './snapshots/schema.ts'
import type { Tool } from './tool-texts.ts'
import { topic } from './topics/schema.ts'

/** An item of an answer to a request with `fields`. */
export const chosenSchema = z
  .looseObject({ ...profile.shape, ...match.shape })
  .partial()
  .describe('With `fields`: those fields alone.')

/** The items of answers, by name. */
export const itemSchemas = {
  summary,
  profile,
  match,
  source: rankedSource,
  snapshot,
  snapshotPage,
  change,
  moment,
  suggestion,
  topic,
} as const satisfies Record<ItemName, z.ZodType>

/** An item of a route's answers. */
export type Item<R extends RouteName> = z.output<
  (typeof itemSchemas)[(typeof operations)[R]['item']]
>

/** Members of an answer to a route beside its items; a client must ask for the optional ones. */
export function envelopeShape(route: RouteName): Readonly<Record<string, z.ZodType>> {
  const { requestIdInBody, saysWay, pages }: Route = operations[route]
  return {
    duration: z.number().min(0).describe('Seconds the request took.'),
    ...(requestIdInBody && { request_id: z.uuid() }),
    ...(saysWay && { query: understood.optional() }),
    ...(pages === 'asked' && pageShape),
    ...(takes(route, 'facets') && facetsShape),
    ...(pages === 'always' && {
      next_cursor: z.string().optional().describe('Absent on the last page.'),
    }),
  }
}

/** The structured output of every tool, as its description declares it: the body of an answer, or less. */
export const toolOutputSchema = z.looseObject({ results: z.array(z.looseObject({})) })

/** The tools by their routes: how each reads its answer. */
export const tools: { readonly [R in ToolRouteName]: Tool<R> } = {
  search: searchTool,
  detail: detailTool,
  peers: peersTool,
  match: matchTool,
  rank: rankTool,
  changes: changesTool,
  history: historyTool,
}
