/** The tools for what changed: over announced snapshots, and over one without a past. */
import { afterAll, describe, expect, it } from 'vitest'
import { announcedIn } from '../../../src/api/announced.ts'
import { announceAll } from '../../support/announced.ts'
import { newApi } from '../../support/api-client.ts'
import { servedOf, temporaryDirectory } from '../../support/built.ts'
import { authority } from '../../support/records.ts'
import { toolsOver } from '../../support/tool-calls.ts'

const ann = authority({ sdu: '1', name: 'Ann', authorityScore: 10 })
const bob = authority({ sdu: '2', name: 'Bob', authorityScore: 20 })
const cy = authority({ sdu: '3', name: 'Cy', authorityScore: 5 })

const risen = { ...ann, authorityScore: 30 }

function told(...[directory, story]: Parameters<typeof announceAll>) {
  const ids = announceAll(directory, story).map(({ id }) => id)
  return { ids, call: toolsOver(newApi(announcedIn(directory))) }
}

/** Three snapshots: Ann overtakes Bob, then Cy comes. */
const { ids, call } = told(temporaryDirectory(afterAll), [
  { authorities: [ann, bob] },
  { authorities: [risen, bob] },
  { authorities: [risen, bob, cy] },
])

describe('list_changes', () => {
  it('says what the newest snapshot changed where no beginning is given', async () => {
    const { text } = await call('list_changes', { types: ['added', 'removed', 'score'] })
    expect(text).toContain('SDU 3: added, Cy')
    expect(text).not.toContain('SDU 1')
    expect(text).toContain('Changes on this page: 1, of people: 1 (added 1).')
  })

  it('says what changed since a snapshot, for the people that are asked for', async () => {
    const { text } = await call('list_changes', { since: ids[0], sdus: ['1'] })
    expect(text).toContain('SDU 1: score 10 → 30')
    expect(text).toContain('SDU 1: rank in Rust 2 → 1')
    expect(text).not.toContain('SDU 3')
  })

  it.each([
    ['0'.repeat(32), 'Leave `since` out'],
    ['2026-11-01', 'not 32 hexadecimal digits. Correct the arguments'],
    ['latest', 'not 32 hexadecimal digits. Correct the arguments'],
  ])('says the way out where the beginning is %s', async (since, way) => {
    const { text, isError } = await call('list_changes', { since })
    expect([isError, text]).toEqual([true, expect.stringContaining(way)])
  })

  it('answers over a snapshot without a past that nothing has changed', async () => {
    const alone = toolsOver(newApi(servedOf({ authorities: [ann] })))
    expect((await alone('list_changes', {})).text).toContain('Nothing of this kind has changed.')
  })
})

describe('get_history', () => {
  it('says how ranks and scores came to be, latest first', async () => {
    const { text } = await call('get_history', { sdu: 1 })
    const lines = text.split('\n').slice(1)
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^SDU 1 since .*: rank 1 in Rust, authority score 30$/)
    expect(lines[1]).toMatch(/^SDU 1 .*: rank 2 in Rust, authority score 10$/)
  })
})
