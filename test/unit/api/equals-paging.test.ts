/** Pages of people with one name and one score: their order among equals, and what a swap makes of it. */
import { describe, expect, it } from 'vitest'
import { ask, type Envelope, swapping } from '../../support/api-client.ts'
import { servedOf } from '../../support/built.ts'
import { authority } from '../../support/records.ts'

const ada = (sdu: string, authorityScore: number, name = 'Ada') =>
  authority({ sdu, name, authorityScore })

type Api = Parameters<typeof ask>[0]

function pagesOf(api: Api, behindFirst: () => void = () => {}): string[] {
  const shown: string[] = []
  for (let cursor: string | null = '*'; cursor !== null; ) {
    const target = `/api/v1/index?query=ada&limit=1&cursor=${cursor}`
    const page = ask(api, target).json as Envelope & { readonly next_cursor: string | null }
    shown.push(...page.results.map(({ sdu }) => sdu))
    if (cursor === '*') behindFirst()
    cursor = page.next_cursor
  }
  return shown
}

describe('pages of people with one name', () => {
  it('show equals in the order in which the text covers their names', () => {
    const people = [ada('1', 50, 'Ada Lovelace'), ada('2', 50), ada('3', 40)]
    const { api } = swapping(servedOf({ authorities: people }))
    expect(pagesOf(api)).toEqual(['2', '1', '3'])
  })

  it('go on where they were, when a swap brings equals before them', () => {
    const before = [ada('7', 80), ada('8', 0), ada('9', 0)]
    const after = [ada('100', 85), ada('101', 85), ...before]
    const { api, swap } = swapping(servedOf({ authorities: before }))
    expect(pagesOf(api, () => swap(servedOf({ authorities: after })))).toEqual(['7', '8', '9'])
  })

  it('go on behind equals that a swap took away', () => {
    const before = [ada('1', 50, 'Ada Lovelace'), ada('2', 50), ada('3', 40), ada('4', 30)]
    const after = [ada('5', 60), ...before]
    const { api, swap } = swapping(servedOf({ authorities: before }))
    expect(pagesOf(api, () => swap(servedOf({ authorities: after })))).toEqual(['2', '3', '4'])
  })
})
