/** Arguments as models send them: what is plainly meant is taken, what is not certain is refused. */
import { describe, expect, it } from 'vitest'
import { toolInputSchema } from '../../../src/api/schemas/tool-inputs.ts'
import type { ToolRouteName } from '../../../src/operations.ts'
import { tableAt } from '../../support/table-sections.ts'
import { connectHttp, eras, sharedMcpService, textOf } from './served.ts'

const rowsOf = tableAt(new URL('arguments.tsv', import.meta.url))

const plain = sharedMcpService()

/** The arguments as a tool reads them, without defaults. */
function read(route: string, given: string): Record<string, unknown> {
  const {
    explain: _,
    response_format: __,
    limit,
    ...rest
  } = toolInputSchema(route as ToolRouteName).parse(JSON.parse(given)) as Record<string, unknown>
  return limit === 10 || limit === undefined ? rest : { ...rest, limit }
}

function refusalOf(route: string, given: string): string {
  const schema = toolInputSchema(route as ToolRouteName)
  return schema.safeParse(JSON.parse(given)).error?.message ?? ''
}

describe('an argument', () => {
  it.each(rowsOf('what is plainly meant'))(
    'of %s that is plainly meant is taken: %j',
    (route, given, meant) => {
      expect(read(route, given)).toEqual(JSON.parse(meant))
    },
  )

  it.each(rowsOf('what is not certain'))(
    'of %s that is not certain is refused: %j',
    (route, given, why) => {
      expect(refusalOf(route, given)).toContain(why)
    },
  )

  it.each(eras)(
    'is read so in a call, too, and the published schema stays exact (%s)',
    async (era) => {
      const client = await connectHttp(await plain(), era)
      const call = {
        name: 'match_handle',
        arguments: { handle: '@ann, github:bob', explain: 'false' },
      }
      expect(textOf(await client.callTool(call))).toContain('@ann: owned by Ann Other')
      const { tools } = await client.listTools()
      const { properties, required } = tools.find(
        ({ name }) => name === 'match_handle',
      )!.inputSchema
      expect(Object.keys(properties!)).toEqual(['handles', 'explain', 'fields', 'response_format'])
      expect(properties!.handles).toMatchObject({ type: 'array', items: { type: 'string' } })
      expect(required).toEqual(['handles'])
    },
  )
})
