/**
 * Handles in the forms that people type, and the key that all spellings share; addresses.test.ts has
 * the long table of them.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { handleKey, parseHandle, readHandle, readIdentifier } from '../../../src/text/handle.ts'

describe('the key of a handle', () => {
  it('is its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(handleKey(handleKey(text))).toBe(handleKey(text))
      }),
    )
  })
})

describe('a handle as typed', () => {
  it('reads addresses that were copied with marks of direction', () => {
    const ann = { platform: 'twitter', key: 'ann' }
    expect(parseHandle('\u200ehttps://x.com/ann\u2069')).toEqual(ann)
    expect(parseHandle('https://x.com/\u200bann')).toEqual(ann)
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

  it.each([
    ['twitter', 'https://github.com/ann', 'is an address on github'],
    ['twitter', 'https://mastodon.social/@ann', 'is an address on mastodon'],
    ['twitter', 'https://x.com/home', 'is an address of nobody'],
    ['unheard', 'https://elsewhere.example/ann', 'is an address of nobody'],
    ['linkedin', 'company/ann', 'has a wrong form or a wrong check digit'],
    ['unheard', 'ann/lee', 'has a wrong form or a wrong check digit'],
    ['twitter', 'twitter:x:ann', 'has a wrong form or a wrong check digit'],
    ['orcid', '0000-0002-3374-2963', 'has a wrong form or a wrong check digit'],
    ['did', 'did:key:z6Mk', 'has a wrong form or a wrong check digit'],
  ])('on %s is not %j', (platform, text, reason) => {
    expect(readHandle(platform, text)).toEqual({ reason })
  })
})

describe('an identifier of a record', () => {
  it.each([
    ['wikidata', 'Q138142530', 'q138142530'],
    ['wikidata', 'https://www.wikidata.org/wiki/Q138142530', 'q138142530'],
    ['isni', '0000 0001 2103 2683', '0000000121032683'],
    ['isni', 'ISNI 0000 0001 2103 2683', '0000000121032683'],
    ['orcid', 'orcid:0000-0002-1694-233X', '0000-0002-1694-233x'],
    ['did', 'did:plc:z72i7hdynmk6r22z27h6tvur', 'plc:z72i7hdynmk6r22z27h6tvur'],
    ['unheard', 'https://Elsewhere.example/Ann', 'https://elsewhere.example/ann'],
  ])('of %s is %j, found by %s', (scheme, value, key) => {
    expect(readIdentifier(scheme, value)).toEqual({
      handle: { platform: scheme, key, shown: value.replace(/^https:\/\/www.*\//, '') },
    })
  })

  it.each([
    ['wikidata', 'P31'],
    ['wikidata', 'https://x.com/ann'],
    ['unheard', '//elsewhere.example'],
  ])('of %s is not %j', (scheme, value) => {
    expect(readIdentifier(scheme, value).handle).toBeUndefined()
  })
})
