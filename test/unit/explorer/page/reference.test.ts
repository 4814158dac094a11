/** The reference of the API, from the document that the service serves. */
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../../../src/api/describe/openapi.ts'
import {
  type OpenApiDocument,
  queryOf,
  referenceOf,
} from '../../../../src/explorer/page/model/reference/reference.ts'
import { toolSetups } from '../../../../src/explorer/page/model/reference/tool-setup.ts'
import { requestTargetOf } from '../../../../src/explorer/page/model/requests.ts'
import { defaultPrices, type OperationName, operations } from '../../../../src/operations.ts'

const document = openApiDocument(defaultPrices) as unknown as OpenApiDocument
const reference = referenceOf(document)
const named = (id: string) => reference.find((operation) => operation.id === id)!

describe('the reference', () => {
  it('has every operation by every method once', () => {
    const all = (Object.keys(operations) as OperationName[]).flatMap((name) => {
      const { methods, paths } = operations[name]
      return methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${paths[0]}`)
    })
    expect(reference.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(all.sort())
  })

  it('has a parameter once, with its other spelling', () => {
    const [first, ...others] = named('findPeers').parameters
    expect(first).toMatchObject({ name: 'handles', otherSpellings: ['handle'], isRequired: true })
    expect(others.map(({ name }) => name)).not.toContain('handle')
    expect(first!.text).not.toContain('Required')
  })

  it('tells prices, problems and the fields of items', () => {
    const search = reference.find(({ path }) => path === '/api/v1/index')!
    expect(search.priceUsd).toBe(0.001)
    expect(search.responses.map(({ status }) => status)).toEqual(
      expect.arrayContaining(['200', '304', '400', '401', '402', '429', '503']),
    )
    expect(search.responses.every(({ text }) => text !== '')).toBe(true)
    expect(search.answer.itemFields.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['sdu', 'name', 'rank', 'country_name', 'topic']),
    )
  })

  it('tells what an item is where `fields` is given, and what stands around the items', () => {
    const { itemNotes, fields } = named('searchAuthorities').answer
    expect(itemNotes).toEqual(['With `fields`: those fields alone.'])
    const names = fields.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['duration', 'total', 'next_cursor', 'query.way']))
    expect(names.filter((name) => name.startsWith('results'))).toEqual([])
  })

  it('names what is in a field by its path', () => {
    const fields = named('getAuthorityDetail').answer.itemFields
    const typeOf = (path: string) => fields.find(({ name }) => name === path)?.type
    expect(typeOf('socials')).toBe('object')
    expect(typeOf('socials.*.handle')).toBe('string')
    expect(typeOf('explanation.endorsers[].share')).toBe('number')
  })

  it('knows which operations need no key', () => {
    const open = reference.filter(({ needsKey }) => !needsKey).map(({ path }) => path)
    expect(open.sort()).toEqual(['/healthz', '/metrics', '/openapi.json', '/readyz'])
  })
})

describe('a form', () => {
  it('sends what is filled in and leaves out what is empty', () => {
    const query = queryOf(named('findPeers'), { handles: '@a,b', limit: ' ', country: 'US' }, '')
    expect(requestTargetOf(query)).toBe('/api/v1/peers?handles=%40a,b&country=US')
  })

  it('puts a value into the path', () => {
    expect(requestTargetOf(queryOf(named('getSnapshot'), { id: 'a/b' }, ''))).toBe(
      '/api/v1/snapshots/a%2Fb',
    )
  })

  it('has a body that can be sent as it is', () => {
    const rank = named('rankSources')
    const { method, body } = queryOf(rank, {}, rank.bodyExample!)
    expect(method).toBe('POST')
    expect(JSON.parse(body!)).toHaveProperty('sources')
  })
})

describe('the configuration of tools', () => {
  it('points to the service that was asked, and holds no key', () => {
    for (const { text } of toolSetups('https://index.example.com')) {
      expect(text).toContain('https://index.example.com')
      expect(text).not.toContain('aik_')
    }
  })
})
