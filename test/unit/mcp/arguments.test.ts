/** Arguments as models send them: what is plainly meant is taken, what is not certain is refused. */
import { describe, expect, it } from 'vitest'
import { toolInputSchema } from '../../../src/api/schemas/tool-inputs.ts'
import type { ToolRouteName } from '../../../src/operations.ts'
import { connectHttp, eras, sharedMcpService, textOf } from './served.ts'

const plain = sharedMcpService()

/** The arguments as a tool reads them, without defaults. */
function read(route: ToolRouteName, given: Record<string, unknown>): Record<string, unknown> {
  const {
    explain: _,
    response_format: __,
    limit,
    ...rest
  } = toolInputSchema(route).parse(given) as Record<string, unknown>
  return limit === 10 || limit === undefined ? rest : { ...rest, limit }
}

function refusalOf(route: ToolRouteName, given: Record<string, unknown>): string {
  return toolInputSchema(route).safeParse(given).error?.message ?? ''
}

describe('an argument', () => {
  it.each<[ToolRouteName, Record<string, unknown>, Record<string, unknown>]>([
    ['match', { handles: '@ann' }, { handles: ['@ann'] }],
    ['match', { handles: '@ann, github:bob' }, { handles: ['@ann', 'github:bob'] }],
    ['match', { handles: '["@ann","github:bob"]' }, { handles: ['@ann', 'github:bob'] }],
    ['match', { handle: '@ann' }, { handles: ['@ann'] }],
    ['match', { Handles: ['@ann'] }, { handles: ['@ann'] }],
    [
      'match',
      { handles: ['ann'], fields: 'name,sdu' },
      { handles: ['ann'], fields: ['name', 'sdu'] },
    ],
    ['detail', { sdu: 7 }, { sdus: ['7'] }],
    ['detail', { sdus: [7, '8'] }, { sdus: ['7', '8'] }],
    ['detail', { sdus: '[4893387514556449885]' }, { sdus: ['4893387514556449885'] }],
    ['search', { query: 42 }, { query: '42' }],
    ['search', { query: 'x', limit: '5' }, { query: 'x', limit: 5 }],
    ['search', { query: 'x', countries: 'France' }, { query: 'x', country: ['France'] }],
    ['search', { query: 'x', score_min: '50.5' }, { query: 'x', score_min: 50.5 }],
    ['search', { query: 'x', country: null, cursor: '', topic: [] }, { query: 'x' }],
    [
      'rank',
      { sources: 'https://a.example/x,y\nhttps://b.example' },
      { sources: ['https://a.example/x,y', 'https://b.example'] },
    ],
    ['rank', { source: ['@ann'], topic: ['Rust'] }, { sources: ['@ann'], topic: 'Rust' }],
  ])('of %s that is plainly meant is taken: %j', (route, given, meant) => {
    expect(read(route, given)).toEqual(meant)
  })

  it.each<[ToolRouteName, Record<string, unknown>, string]>([
    ['detail', { sdus: [2 ** 60] }, 'an SDU is a string of digits'],
    [
      'match',
      { handles: ['@ann'], handle: '@bob' },
      "there is no argument 'handle'; did you mean handles?",
    ],
    ['search', { query: 'x', min_score: 9 }, 'did you mean score_min?'],
    ['match', { handles: ['ann'], website: true }, 'there are handles'],
    ['rank', { sources: ['ann'], tpic: 'Rust' }, 'did you mean topic?'],
    ['match', { handles: ['ann'], fields: [true] }, 'fields is not a string'],
    ['search', { query: 'x', limit: 'many' }, 'expected number'],
    ['search', { query: '' }, 'Too small'],
    ['search', { query: null }, 'Invalid input'],
    [
      'match',
      { __proto__: null, handles: ['a'], constructor: 'x' },
      "there is no argument 'constructor'",
    ],
  ])('of %s that is not certain is refused: %j', (route, given, why) => {
    expect(refusalOf(route, given)).toContain(why)
  })

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
