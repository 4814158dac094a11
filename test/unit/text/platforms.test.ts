/** The rows of the platforms: what a slip of the pen in one of them would break without a word. */
import { describe, expect, it } from 'vitest'
import { platformKey } from '../../../src/text/handle.ts'
import { platforms } from '../../../src/text/platforms.ts'
import { platforms as platformRows } from '../../../src/text/tables/tables.made.ts'

const rows = [...platforms]
/** The rows as they are written. */
const lines = platformRows().split('\n')

function twice(texts: readonly string[]): string[] {
  return texts.filter((text, place) => texts.indexOf(text) !== place)
}

describe('the rows of the platforms', () => {
  it('have each platform, each host and each alias once', () => {
    expect(twice(lines.map((line) => line.split(' ')[0]!))).toEqual([])
    expect(rows).toHaveLength(lines.length)
    const hosts = rows.flatMap(([, { at }]) => at.flatMap((group) => group.hosts))
    expect(hosts.length).toBeGreaterThan(100)
    expect(twice(hosts)).toEqual([])
    expect(twice(rows.flatMap(([key, { aliases }]) => [key, ...aliases]))).toEqual([])
  })

  it('are found by their keys and their aliases', () => {
    for (const [key, { aliases }] of rows) {
      expect([key, ...aliases].map(platformKey)).toEqual([key, ...aliases].map(() => key))
    }
  })

  it('have columns that are known, each once, and no other space than is meant', () => {
    const columns = /^(?:aliases|prefixes|at|name|never|cased|bridge|endings|is|kept): \S/
    for (const line of lines) {
      const [key = '', ...written] = line.split('  ')
      const wrong = written.filter((each) => !columns.test(each) || each.endsWith(' '))
      expect({ key, wrong }).toEqual({ key, wrong: [] })
      expect({ key, twice: twice(written.map((each) => each.split(':')[0]!)) }).toEqual({
        key,
        twice: [],
      })
      const marks =
        written
          .find((each) => each.startsWith('is: '))
          ?.slice(4)
          .split(' ') ?? []
      expect({ key, marks: marks.filter((mark) => !['remote', 'bare'].includes(mark)) }).toEqual({
        key,
        marks: [],
      })
    }
  })

  it('keep names in lower case, each once', () => {
    for (const line of lines) {
      const [key] = line.split(' ')
      const words = / {2}kept: (.*)$/.exec(line)?.[1]?.split(' ') ?? []
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
      const hosts = at.flatMap((group) => group.hosts)
      const paths = at.flatMap((group) => group.paths)
      const wrong = [
        ...hosts.filter((each) => !host.test(each)),
        ...paths.filter((each) => !path.test(each)),
      ]
      expect({ key, wrong }).toEqual({ key, wrong: [] })
    }
  })

  it('keep no name that is kept by its form already', () => {
    for (const [key, { never, kept }] of rows) {
      const idle = [...kept].filter((word) => never?.test(word))
      expect({ key, idle }).toEqual({ key, idle: [] })
    }
  })
})
