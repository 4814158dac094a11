/** The rows of the platforms: what a slip of the pen in one of them would break without a word. */
import { describe, expect, it } from 'vitest'
import { platformKey } from '../../../src/text/handle.ts'
import { code } from '../../../src/text/platforms/code.ts'
import { media } from '../../../src/text/platforms/media.ts'
import { socialNetworks } from '../../../src/text/platforms/networks.ts'
import { research } from '../../../src/text/platforms/research.ts'
import { writing } from '../../../src/text/platforms/writing.ts'

const files = [socialNetworks, media, writing, code, research]
const rows = files.flatMap((file) => Object.entries(file))

function wordsOf(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split(' ')
}

function twice(texts: readonly string[]): string[] {
  return texts.filter((text, place) => texts.indexOf(text) !== place)
}

describe('the rows of the platforms', () => {
  it('have each platform, each host and each alias once', () => {
    expect(twice(rows.map(([key]) => key))).toEqual([])
    const hosts = rows.flatMap(([, { at }]) => Object.keys(at).flatMap(wordsOf))
    expect(hosts.length).toBeGreaterThan(100)
    expect(twice(hosts)).toEqual([])
    expect(twice(rows.flatMap(([key, { aliases }]) => [key, ...wordsOf(aliases)]))).toEqual([])
  })

  it('are found by their keys and their aliases', () => {
    for (const [key, { aliases }] of rows) {
      expect([key, ...wordsOf(aliases)].map(platformKey)).toEqual(
        [key, ...wordsOf(aliases)].map(() => key),
      )
    }
  })

  it('have lists of words with one space between them', () => {
    for (const [key, { at, kept, aliases }] of rows) {
      const lists = [...Object.entries(at).flat(), kept, aliases].flatMap(wordsOf)
      expect({ key, empty: lists.includes('') }).toEqual({ key, empty: false })
    }
  })

  it('keep names in lower case, each once', () => {
    for (const [key, { kept }] of rows) {
      const words = wordsOf(kept)
      expect({ key, wrong: words.filter((word) => word !== word.toLowerCase()) }).toEqual({
        key,
        wrong: [],
      })
      expect({ key, twice: twice(words) }).toEqual({ key, twice: [] })
    }
  })

  it('have hosts and paths of the forms that are read', () => {
    const host =
      /^(?:(?:\*\.|\{(?:country|locale|name|host)\}\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?:\.\{tld\})?|[a-z.]+:\/\/)$/
    const shape = '\\{(?:name|cased|id|leadingId|trailingId|item|pair)(?::[a-z]+[:/])?\\}'
    const segment = `/(?:\\*|[a-z0-9_.:~@-]*(?:${shape})?)`
    const parameter = `\\?[A-Za-z_]+=${shape}`
    const path = new RegExp(`^(?:${segment})+(?:${parameter})?(?:#[a-z:/?=@]*${shape})?\\$?$`)
    for (const [key, { at }] of rows) {
      const hosts = Object.keys(at).flatMap(wordsOf)
      const paths = Object.values(at).flatMap(wordsOf)
      const wrong = [
        ...hosts.filter((each) => !host.test(each)),
        ...paths.filter((each) => !path.test(each)),
      ]
      expect({ key, wrong }).toEqual({ key, wrong: [] })
    }
  })

  it('keep no name that is kept by its form already', () => {
    for (const [key, { never, kept }] of rows) {
      const idle = wordsOf(kept).filter((word) => never?.test(word))
      expect({ key, idle }).toEqual({ key, idle: [] })
    }
  })
})
