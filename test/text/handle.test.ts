/** Handles in every form that people type, and the key that all spellings share. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { handleKey, parseHandle, platformKey } from '../../src/text/handle.ts'

describe('the key of a handle', () => {
  it.each(['SenCapito', '@SenCapito', '@@sencapito', ' SENCAPITO ', 'ＳｅｎＣａｐｉｔｏ'])(
    'is one for %s',
    (handle) => {
      expect(handleKey(handle)).toBe('sencapito')
    },
  )

  it('keeps accents, which tell handles apart', () => {
    expect(handleKey('Éva')).toBe('éva')
    expect(handleKey('E\u0301va')).toBe('éva')
  })

  it('is empty when nothing is left', () => {
    expect(handleKey(' @ ')).toBe('')
  })

  it('is its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!/\s|@/.test(text.normalize('NFKC')))
        expect(handleKey(handleKey(text))).toBe(handleKey(text))
      }),
    )
  })
})

describe('the key of a platform', () => {
  it.each([
    ['Twitter', 'twitter'],
    ['X', 'twitter'],
    [' x ', 'twitter'],
    ['YouTube', 'youtube'],
  ])('of %j is %s', (name, key) => {
    expect(platformKey(name)).toBe(key)
  })
})

describe('a handle as typed', () => {
  it.each([
    ['ann', undefined, 'ann'],
    ['@Ann', undefined, 'ann'],
    ['twitter:Ann', 'twitter', 'ann'],
    ['X:@Ann', 'twitter', 'ann'],
    ['YouTube:@Ann', 'youtube', 'ann'],
    ['https://x.com/Ann', 'twitter', 'ann'],
    ['http://www.twitter.com/Ann?lang=en', 'twitter', 'ann'],
    ['mobile.twitter.com/Ann/status/1', 'twitter', 'ann'],
    ['HTTPS://X.COM/Ann', 'twitter', 'ann'],
    ['x.com/ann#top', 'twitter', 'ann'],
    ['https://www.youtube.com/@Ann', 'youtube', 'ann'],
    ['youtube.com/c/Ann', 'youtube', 'ann'],
    ['https://m.youtube.com/channel/UC1', 'youtube', 'uc1'],
    ['https://www.instagram.com/ann/', 'instagram', 'ann'],
    ['https://github.com/ann/repository', 'github', 'ann'],
    ['https://www.linkedin.com/in/ann/', 'linkedin', 'ann'],
    ['https://bsky.app/profile/ann.example', 'bluesky', 'ann.example'],
    ['https://orcid.org/0000-0002-3374-2962', 'orcid', '0000-0002-3374-2962'],
    ['https://www.tiktok.com/@ann', 'tiktok', 'ann'],
    ['https://www.reddit.com/user/ann', 'reddit', 'ann'],
    ['https://medium.com/@ann', 'medium', 'ann'],
    ['https://t.me/ann', 'telegram', 'ann'],
    ['https://www.facebook.com/ann', 'facebook', 'ann'],
    ['https://mastodon.social/@Ann', 'mastodon', 'ann@mastodon.social'],
    ['https://mastodon.social:443/@Ann/', 'mastodon', 'ann@mastodon.social'],
    ['mastodon:@ann@mastodon.social', 'mastodon', 'ann@mastodon.social'],
    ['dee.dee', undefined, 'dee.dee'],
    ['', undefined, ''],
  ])('%j names the platform %s and the key %s', (text, platform, key) => {
    expect(parseHandle(text)).toEqual({ platform, key })
  })

  it.each([
    'https://elsewhere.example/ann',
    'https://x.com/',
    'https://mastodon.social/@ann/110',
    'mastodon.social/@ann',
    'https://linkedin.com/company/ann',
  ])('%s is nobody’s handle', (text) => {
    expect(parseHandle(text)).toEqual({ platform: undefined, key: handleKey(text) })
  })

  it('means the same with and without space and @', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9_]{1,15}$/), (name) => {
        expect(parseHandle(` @${name.toUpperCase()} `)).toEqual(parseHandle(name))
        expect(parseHandle(`twitter:@${name}`)).toEqual(parseHandle(`https://x.com/${name}`))
      }),
    )
  })
})
