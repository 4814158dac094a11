/** The JSON of the published items: fields in the published order, whatever is in them. */
import { describe, expect, it } from 'vitest'
import {
  countryMember,
  identity,
  profileHead,
  profileTail,
  rankMember,
  topicMember,
} from '../../../src/indexer/items.ts'
import { social } from '../../support/records.ts'

describe('a summary item', () => {
  it('has the published fields in the published order', () => {
    const head = identity({ sdu: '1', name: 'Ann' })
    const tail = countryMember('France') + topicMember('Rust')
    expect(`${head}${rankMember}7${tail}`).toBe(
      '{"sdu":"1","name":"Ann","rank":7,"country_name":"France","topic":"Rust"}',
    )
  })

  it('escapes what JSON must escape', () => {
    const name = '"\\\n\u2028 é😀'
    const head = identity({ sdu: '1', name })
    const tail = countryMember('"') + topicMember('\\')
    expect(JSON.parse(`${head}${rankMember}1${tail}`)).toEqual({
      sdu: '1',
      name,
      rank: 1,
      country_name: '"',
      topic: '\\',
    })
  })
})

describe('a profile item', () => {
  const begins = identity({ sdu: '1', name: 'Ann' })
  const head = profileHead({
    bio: 'Wrote "it".',
    countryName: '',
    topics: ['Rust', 'C#'],
    socials: [social('youtube', '@Ann', 3), social('instagram', 'ann')],
  })

  it('has the published fields in the published order', () => {
    expect(
      `${begins}${head}12.5${profileTail({ website: 'https://a.example', attributes: [] })}`,
    ).toBe(
      '{"sdu":"1","name":"Ann","bio":"Wrote \\"it\\".","country":"","topics":["Rust","C#"],' +
        '"socials":{"youtube":{"handle":"@Ann","followers":3},"instagram":{"handle":"ann","followers":0}},' +
        '"authority_score":12.5,"website":"https://a.example"}',
    )
  })

  it('has null where there is no website', () => {
    expect(
      JSON.parse(`${begins}${head}0${profileTail({ website: null, attributes: [] })}`).website,
    ).toBeNull()
  })
})
