/** What a model gets of an answer: never more than 4,000 tokens (of the longest records: `hostile.test.ts`), and the way to the rest. */
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { newApi } from '../../support/api-client.ts'
import { servedOf } from '../../support/built.ts'
import { authority, connection, type Records, social, topic } from '../../support/records.ts'
import { toolsOver } from '../../support/tool-calls.ts'

const many = Array.from({ length: 60 }, (_, index) => String(100 + index))

/** People whose profiles are long, all connected with one. */
const longProfiles: Records = {
  authorities: many.map((sdu) =>
    authority({
      sdu,
      name: `Person ${sdu}`,
      bio: `Life of ${sdu}. `.repeat(60),
      topics: [topic('Rust'), topic(`Topic ${sdu}`)],
      socials: [social('github', `person${sdu}`, 5)],
    }),
  ),
  topics: [],
  connections: many.slice(1).map((sdu) => connection(sdu, many[0]!)),
}

const call = toolsOver(newApi(servedOf(longProfiles)))

const sources = many.flatMap((sdu) => [`github:person${sdu}`, `github:stranger${sdu}`])
const allSources = Array.from({ length: 1_000 }, (_, index) => sources[index] ?? `@nobody${index}`)

describe('a result', () => {
  it.each([
    ['match_handle', { handles: many.slice(0, 50).map((sdu) => `${'x'.repeat(250)}${sdu}`) }],
    ['rank_sources', { sources: allSources }],
    ['rank_sources', { sources: allSources, response_format: 'detailed' }],
  ])('of %s takes at most 4,000 tokens: %#', async (name, given) => {
    expect((await call(name, given)).bytes).toBeLessThanOrEqual(limits.mcpResultBytesMax)
  })

  it('says how many it leaves out, and the way to them gives every person once', async () => {
    const given = { query: 'rust', limit: 50, explain: true }
    const { structuredContent, text } = await call('search_authorities', given)
    const [, left, total, limit] = /Left out: (\d+) of (\d+), .* limit (\d+) and cursor "\*"/.exec(
      text,
    )!
    expect(Number(total)).toBe(50)
    expect(structuredContent!.results).toHaveLength(50 - Number(left))
    expect(structuredContent!.left_out).toContain(`Left out: ${left} of 50`)
    const names: unknown[] = []
    let cursor: unknown = '*'
    while (typeof cursor === 'string') {
      const page = await call('search_authorities', { ...given, limit: Number(limit), cursor })
      expect(page.text).not.toContain('Left out')
      expect(page.text).toContain('\n\n60 in all')
      names.push(...(page.structuredContent!.results as { sdu: string }[]).map(({ sdu }) => sdu))
      cursor = page.structuredContent!.next_cursor
      if (cursor !== null) expect(page.text).toContain(`; go on with cursor ${cursor}`)
    }
    expect(names.toSorted()).toEqual(many)
  })

  it('shows each person in brief where all details are too long, and says for how many there is room', async () => {
    const { structuredContent, text } = await call('get_authority_detail', {
      sdus: many.slice(0, 30),
    })
    expect(structuredContent!.results).toHaveLength(30)
    const [, count] = /shown in brief: for details ask for about (\d+) at a time/.exec(text)!
    const fewer = await call('get_authority_detail', { sdus: many.slice(0, Number(count)) })
    expect(fewer.text).not.toContain('in brief')
    expect(fewer.structuredContent).toHaveProperty('results.0.bio')
  })

  it('has no page behind a page that it cuts', async () => {
    const given = { query: 'rust', limit: 50, cursor: '*', fields: ['bio'] }
    const { structuredContent, text } = await call('search_authorities', given)
    expect(structuredContent).not.toHaveProperty('next_cursor')
    expect(text).not.toContain('go on with cursor')
    expect(text).toContain('Left out')
  })

  it('groups the sources without a known author, by reason', async () => {
    const given = { sources: ['@nobody', 'github:person100', 'https://home.example', '@nobody2'] }
    const { structuredContent, text } = await call('rank_sources', given)
    expect(structuredContent!.results).toMatchObject([{ source: 'github:person100', sdu: '100' }])
    const why = 'the owner of the handle, profile or address is not in the index'
    expect(structuredContent!.unknown).toEqual([
      { reason: 'not-in-index', why, count: 2, sources: ['@nobody', '@nobody2'] },
      {
        reason: 'not-an-account',
        why: expect.any(String),
        count: 1,
        sources: ['https://home.example'],
      },
    ])
    expect(text).toMatch(/^1\. github:person100: Person 100, score /m)
    expect(text).toMatch(
      /^No known author \(2; the owner .* is not in the index\): @nobody, @nobody2$/m,
    )
  })
})
