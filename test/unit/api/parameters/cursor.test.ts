/** Cursors of every kind: only a signed cursor is read, only with its key, and each can be sent back. */
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { activate } from '../../../../src/api/active-snapshot.ts'
import { Cursors, wrongCursor } from '../../../../src/api/parameters/cursor.ts'
import { limits } from '../../../../src/limits.ts'
import { readChain } from '../../../../src/snapshot/changes/change-directory.ts'
import { loadStored } from '../../../../src/snapshot/store/directory.ts'
import { readPointer } from '../../../../src/snapshot/store/states.ts'
import { announceAll } from '../../../support/announced.ts'
import { ask, newApi } from '../../../support/api-client.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { authority, type Records, social, topic } from '../../../support/records.ts'

const cursorKey = Buffer.alloc(32, 7)

/** As long as a label may be, and none like another. */
function longTopic(number: number) {
  return topic(`${number} ${'\u5b66'.repeat(limits.topicCharactersMax - 4)}`)
}

const topics = Array.from({ length: limits.topicsPerAuthorityMax }, (_, number) =>
  longTopic(number),
)

/** More announcements than a page of a history reads; somebody's score is another with each. */
function announcedOften(): Partial<Records>[] {
  return Array.from({ length: limits.changeReadsPerPageMax + 3 }, (_, round) => {
    const first = authority({
      sdu: '1',
      name: 'Ann Person',
      topics: round % 2 === 0 ? topics : topics.toReversed(),
      socials: [social('github', 'ann')],
      authorityScore: 10 + round / 100,
    })
    return { authorities: [first, authority({ sdu: '2', name: 'Bob Person', topics })] }
  })
}

function apiOf(directory: string, key: Uint8Array = cursorKey) {
  const id = readPointer(directory, 'CURRENT')!
  const changes = readChain(directory, id).files
  return newApi(activate(loadStored(directory, id), { changes, cursorKey: key }))
}

const directory = temporaryDirectory(afterAll)
const [first] = announceAll(directory, announcedOften())
const api = apiOf(directory)

/** Requests with a next page, without their cursors. */
const targets = [
  '/api/v1/index?query=person&limit=1&cursor=*',
  '/api/v1/topics?limit=1',
  '/api/v1/snapshots?',
  `/api/v1/changes?since=${first!.id}`,
  '/api/v1/history?sdu=1',
]

function cursorOf(target: string): string {
  return String(ask(api, target).json.next_cursor)
}

function follow(target: string, cursor: string, by = api) {
  return ask(by, `${target.replace('&cursor=*', '')}&cursor=${cursor}`)
}

describe.each(targets)('a cursor of %s', (target) => {
  it('is read again, also by another service with the same key', () => {
    for (const by of [api, apiOf(directory)]) {
      expect(follow(target, cursorOf(target), by).status).toBe(200)
    }
  })

  it('is a 400 where any of its bytes is another', () => {
    const cursor = cursorOf(target)
    const bytes = Buffer.from(cursor, 'base64url')
    const flip = fc.record({ at: fc.nat(bytes.length - 1), bits: fc.integer({ min: 1, max: 255 }) })
    fc.assert(
      fc.property(flip, ({ at, bits }) => {
        const flipped = Buffer.from(bytes)
        flipped[at]! ^= bits
        const { status, json } = follow(target, flipped.toString('base64url'))
        expect([status, json.detail]).toEqual([400, wrongCursor.problem.detail])
      }),
    )
  })

  it('is a 400 where another key has written it', () => {
    const stranger = apiOf(directory, Buffer.alloc(32, 8))
    expect(follow(target, cursorOf(target), stranger).status).toBe(400)
  })

  it('is a 400 in any other list', () => {
    const cursor = cursorOf(target)
    for (const other of targets) {
      if (other !== target) expect(follow(other, cursor).json.detail).toContain('of another list')
    }
  })

  it('is short enough to be sent back', () => {
    expect(cursorOf(target).length).toBeLessThanOrEqual(limits.cursorCharactersMax)
  })
})

describe('what is made up', () => {
  it('is no cursor, whatever it is', () => {
    const cursors = new Cursors(cursorKey)
    fc.assert(
      fc.property(fc.base64String(), fc.json(), (text, json) => {
        const forged = Buffer.concat([Buffer.alloc(12), Buffer.from(json)]).toString('base64url')
        for (const each of [text, json, forged]) {
          expect(cursors.read(['history'], each)).toBe(wrongCursor)
        }
      }),
    )
  })
})
