/**
 * Handles in the forms that people type, and the key that all spellings share; addresses.test.ts has
 * the long table of them.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { handleKey, parseHandle, readHandle } from '../../../src/text/handle.ts'

describe('the key of a handle', () => {
  it('is its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(handleKey(handleKey(text))).toBe(handleKey(text))
      }),
    )
  })
})

describe('a handle of a record', () => {
  it('is shown as the record writes it', () => {
    expect(readHandle('twitter', '@SenCapito')).toEqual({
      handle: { platform: 'twitter', key: 'sencapito', shown: '@SenCapito' },
    })
  })

  it('may be a host where hosts are handles, even one that names somebody elsewhere', () => {
    const { handle } = readHandle('bluesky', 'ann.github.io')
    expect(handle).toMatchObject({ platform: 'bluesky', key: 'ann.github.io' })
    expect(parseHandle('bluesky:ann.github.io')).toEqual({
      platform: 'bluesky',
      key: 'ann.github.io',
    })
    expect(readHandle('github', 'ann.github.io').handle).toMatchObject({ key: 'ann', shown: 'ann' })
  })

  it('is shown without its address', () => {
    expect(readHandle('twitter', 'https://x.com/SenCapito/status/1')).toEqual({
      handle: { platform: 'twitter', key: 'sencapito', shown: 'SenCapito' },
    })
  })
})
