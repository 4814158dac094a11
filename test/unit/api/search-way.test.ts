/** What a search says of how its text was understood: always in a header, in words when asked. */
import { describe, expect, it } from 'vitest'
import { ask, newApi } from '../../support/api-client.ts'
import { servedOf } from '../../support/built.ts'
import { authority, social, topic } from '../../support/records.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('search-way.tsv', import.meta.url))

const served = servedOf({
  authorities: [
    authority({
      sdu: '1001',
      name: 'Margit Halloran',
      countryName: 'France',
      topics: [topic('Marine biology')],
      socials: [social('github', 'margit')],
    }),
    authority({ sdu: '1002', name: 'Peter Nowak', topics: [topic('Marine biology')] }),
  ],
})

function search(text: string, more = '') {
  return ask(newApi(served), `/api/v1/index?query=${encodeURIComponent(text)}${more}`)
}

describe('X-Search-Way', () => {
  it.each(rowsOf('the ways of texts'))(
    'of %j is %s, the first time and when it was kept',
    (text, way) => {
      const api = newApi(served)
      const target = `/api/v1/index?query=${encodeURIComponent(text)}`
      for (let time = 0; time < 2; time += 1) {
        expect(ask(api, target).headers['x-search-way']).toBe(way)
      }
    },
  )

  it('is never related where `related` is false', () => {
    const { json, headers } = search('marine biologist', '&related=false')
    expect([headers['x-search-way'], json.results]).toEqual(['nobody', []])
    expect(search('marine biologist', '&related=true').text).toContain('Margit Halloran')
  })

  it('is said by searches only', () => {
    expect(ask(newApi(served), '/api/v1/detail?sdu=1001').headers).not.toHaveProperty(
      'x-search-way',
    )
  })
})

describe('explain=true', () => {
  it('adds how the text was understood, the first time and when it was kept', () => {
    const api = newApi(served)
    const target = '/api/v1/index?query=who+is+margit+haloran&explain=true'
    for (let time = 0; time < 2; time += 1) {
      const { json } = ask(api, target)
      expect(json.results.map(({ sdu }) => sdu)).toEqual(['1001'])
      expect(json.query).toMatchObject({
        way: 'corrected',
        corrected: [{ from: 'haloran', to: 'halloran' }],
        country: null,
        topics: [],
      })
    }
  })

  it('names the country and the topic that were understood', () => {
    expect(search('marine biology from France', '&explain=true').json.query).toMatchObject({
      way: 'words',
      country: 'France',
      topics: ['Marine biology'],
    })
  })

  it('suggests topics and names where nobody was found, and answers with none of them', () => {
    const { results, query } = search('marine nowack gibberish', '&explain=query').json
    expect(results).toEqual([])
    expect(query).toMatchObject({
      way: 'nobody',
      suggestions: { topics: ['Marine biology'], names: ['Peter Nowak'] },
    })
    expect(search('margit', '&explain=query').json.query).not.toHaveProperty('suggestions')
    expect(search('marine nowack gibberish').json).not.toHaveProperty('query')
  })
})
