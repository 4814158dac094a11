/** From what was typed to the topic that was meant, and to none when nothing is near. */
import { describe, expect, it } from 'vitest'
import { Resolver } from '../../../src/catalog/search/resolver.ts'

const keys = [
  'javascript',
  'java',
  'rust',
  'machine learning',
  'data science',
  'data engineering',
].concat(['economie politique', 'go', 'csharp', 'climate change', '東 京', 'public health'])
const sizes: Readonly<Record<string, number>> = { 'data engineering': 9, 'data science': 5 }

function resolved(text: string): string | undefined {
  const resolver = new Resolver(keys.map((key, topic) => ({ key, topic })))
  while (resolver.prepareNext());
  const topic = resolver.resolve(text.split(' '), (each) => sizes[keys[each]!] ?? 1)
  return topic === undefined ? undefined : keys[topic]
}

describe('the resolver finds the topic of a text', () => {
  it.each([
    ['with a letter missing', 'javscript', 'javascript'],
    ['with two letters exchanged', 'javascirpt', 'javascript'],
    ['with a letter too many', 'javascrript', 'javascript'],
    ['with a wrong letter', 'javadcript', 'javascript'],
    ['with a wrong letter in a short word', 'ruzt', 'rust'],
    ['with a mistake in one word of two', 'machne learning', 'machine learning'],
    ['half written', 'javasc', 'javascript'],
    ['whose last word is half written', 'machine lear', 'machine learning'],
    ['that is one word of several', 'learning', 'machine learning'],
    ['in another order', 'learning machine', 'machine learning'],
    ['with a word too many', 'rust programming', 'rust'],
    ['that is a part of a script without spaces', '東', '東 京'],
  ])('%s: %s', (_, text, key) => {
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
  it.each(['zzzzqqqq', 'xylophone', 'qq', 'j', '川', 'no such thing'])('near %j', (text) => {
    expect(resolved(text)).toBeUndefined()
  })

  it('among no topics', () => {
    expect(new Resolver([]).resolve(['rust'], () => 1)).toBeUndefined()
  })
})

describe('a preparation', () => {
  it('takes one key a step and says when none is left', () => {
    const resolver = new Resolver([{ key: 'rust', topic: 0 }])
    expect(resolver.resolve(['rust'], () => 1)).toBeUndefined()
    expect([resolver.prepareNext(), resolver.prepareNext()]).toEqual([true, false])
    expect(resolver.resolve(['rust'], () => 1)).toBe(0)
  })
})
