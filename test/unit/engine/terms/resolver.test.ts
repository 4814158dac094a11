/** From what was typed to the topic that is likely, and to none when the text is of something else. */
import { describe, expect, it } from 'vitest'
import { Resolver } from '../../../../src/engine/terms/resolver.ts'
import { tableAt } from '../../../support/table-sections.ts'
import { searchOver } from '../searched.ts'

const rowsOf = tableAt(new URL('resolver.tsv', import.meta.url))

const keys = [
  'javascript',
  'java',
  'rust',
  'machine learning',
  'data science',
  'data engineering',
].concat(['economie politique', 'go', 'csharp', 'climate change', '東 京', 'public health'])
const sizes: Readonly<Record<string, number>> = { 'data engineering': 9, 'data science': 5 }

/** Words that somebody has, and that tell little. */
const known = ['programming', 'of', 'data', 'rust', 'machine', 'learning', 'course']

const { search, catalog } = searchOver(
  keys.flatMap((key) => Array.from({ length: sizes[key] ?? 1 }, () => ({ topics: [key] }))),
)
const resolver = new Resolver(catalog)

function resolved(text: string): string | undefined {
  const topic = resolver.resolve(search.words.read(text), ({ text: word }) => !known.includes(word))
  return topic === undefined ? undefined : catalog.labelOf(topic)
}

describe('the resolver finds the topic of a text', () => {
  it.each(rowsOf('texts of a topic'))('%s: %s', (_, text, key) => {
    expect(resolved(text)).toBe(key)
  })

  it('that is spelled like it rather than of a longer one', () => {
    expect(resolved('jav')).toBe('java')
    expect(resolved('public heatlh')).toBe('public health')
  })

  it('that most authorities have, among equals', () => {
    expect(resolved('data')).toBe('data engineering')
  })
})

describe('the resolver finds nothing', () => {
  it.each(rowsOf('texts of none'))('%s: %s', (_, text) => {
    expect(resolved(text)).toBeUndefined()
  })

  it('among no topics', () => {
    expect(new Resolver(searchOver([]).catalog).resolve(search.words.read('rust'))).toBeUndefined()
  })
})
