/** The lines of tags in shared memory: one for each key and tag, whichever thread asks first, and a hundred tags. */
import { describe, expect, it } from 'vitest'
import {
  createSharedTagLines,
  isTag,
  TagLines,
  tagEntriesMax,
} from '../../../../src/ledger/live/tags/tag-lines.ts'
import { limits } from '../../../../src/limits.ts'

const wanted = (tag: string, line = 0, accountSlot = 0) => ({ tag, line, accountSlot })

describe('a tag', () => {
  it.each(['a', 'A-1', '2026', 'web.shop_2', 'x'.repeat(64)])('can be %s', (tag) => {
    expect(isTag(tag)).toBe(true)
  })

  it.each([
    ['nothing', ''],
    ['long', 'x'.repeat(65)],
    ['very long', 'x'.repeat(10_000)],
    ['two', 'a,b'],
    ['of two lines', 'a\nb'],
    ['a line end', 'a\n'],
    ['with a space', 'a b'],
    ['other letters', 'Zürich'],
    ['half a character', '\ud800'],
    ['a formula', '=1+1'],
    ['a flag', '--tag'],
    ['a member of objects', '__proto__'],
  ])('cannot be %s', (_, tag) => {
    expect(isTag(tag)).toBe(false)
  })
})

describe('lines of tags', () => {
  it('are one for each key and tag, the same on every thread', () => {
    const shared = createSharedTagLines()
    const [one, other] = [new TagLines(shared, 0), new TagLines(shared, 1)]
    const made = [one.entryOf(wanted('a')), other.entryOf(wanted('b')), one.entryOf(wanted('a', 1))]
    expect(made).toEqual([0, 1, 2])
    expect([other.entryOf(wanted('a')), one.entryOf(wanted('b'))]).toEqual([0, 1])
    expect(new TagLines(shared, 2).linesFrom(1)).toEqual({
      lines: [
        { entry: 1, line: 0, tag: 'b' },
        { entry: 2, line: 1, tag: 'a' },
      ],
      next: 3,
    })
  })

  it('are refused beyond a hundred tags of an account, and not to others', () => {
    const lines = new TagLines(createSharedTagLines(), 0)
    for (let n = 0; n < limits.tagsMax; n += 1) expect(lines.entryOf(wanted(`t${n}`))).toBe(n)
    expect(lines.entryOf(wanted('more'))).toBe('too-many')
    expect(lines.entryOf(wanted('t7', 1))).toBe(100)
    expect(lines.entryOf(wanted('more', 2, 1))).toBe(101)
  })

  it('count tags that the ledger knows, once', () => {
    const shared = createSharedTagLines()
    const main = new TagLines(shared, 1)
    const known = Array.from({ length: 99 }, (_, n) => ({ accountSlot: 0, tag: `t${n}` }))
    main.learn(known)
    main.learn(known)
    const lines = new TagLines(shared, 0)
    expect(lines.entryOf(wanted('t5'))).toBe(99)
    expect(lines.entryOf(wanted('new'))).toBe(100)
    expect(lines.entryOf(wanted('more'))).toBe('too-many')
    expect(main.linesFrom(0).lines.map(({ tag }) => tag)).toEqual(['t5', 'new'])
  })

  it('of one account take an eighth of the room at most', () => {
    const lines = new TagLines(createSharedTagLines(), 0)
    for (let n = 0; n < tagEntriesMax / 8; n += 1) lines.entryOf(wanted('a', n))
    expect(lines.entryOf(wanted('a', tagEntriesMax))).toBe('no-room')
    expect(lines.entryOf(wanted('a', 0))).toBe(0)
    expect(lines.entryOf(wanted('a', tagEntriesMax, 1))).toBe(tagEntriesMax / 8)
  })

  it('go on where the thread that had the lock died', () => {
    const shared = createSharedTagLines()
    new Int32Array(shared.lock)[0] = 1
    const lines = new TagLines(shared, 0)
    lines.releaseLeftOver()
    expect(lines.entryOf(wanted('a'))).toBe(0)
  })
})
