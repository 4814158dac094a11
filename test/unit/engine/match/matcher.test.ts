/** Names as people write them: whom the matcher finds, and where a text means nobody. */
import { describe, expect, it } from 'vitest'
import { searchOver } from '../searched.ts'

const names = [
  'Jürgen Müller',
  'Hans Mueller',
  'Geoffrey Hinton',
  'Wang Xiao-Ming',
  'Li Xiaoming',
  'Jean-Pierre Serre',
  'Alexandria Ocasio-Cortez',
  'Terri A. Sewell',
  'Ludwig van der Rohe',
  'Theodore Cruz',
  'Yo-Yo Ma',
  'Louis Armstrong',
  'Mariana Dorn Quell Basque Lindqvist',
  'Marana Voss',
  'Bryan Shields',
  'Ryan Cole',
  'Nicholas B. Orme III',
  'Nicolas Vane',
]
const { search, found } = searchOver(
  names.map((name) => ({ name, alsoKnownAs: name === 'Theodore Cruz' ? ['Rafael Cruz'] : [] })),
)

describe('a name', () => {
  it.each([
    ['Sewell T', 'Terri A. Sewell'],
    ['Sewell, T. A.', 'Terri A. Sewell'],
    ['T.A. Sewell', 'Terri A. Sewell'],
    ['Terri Anne Sewell', 'Terri A. Sewell'],
    ['Geoffrey Everest Hinton', 'Geoffrey Hinton'],
    ['Geoffrey E. Hinton', 'Geoffrey Hinton'],
    ['geoffreyhinton', 'Geoffrey Hinton'],
    ['hintongeoffrey', 'Geoffrey Hinton'],
    ['Wang Xiaoming', 'Wang Xiao-Ming'],
    ['Xiaoming Wang', 'Wang Xiao-Ming'],
    ['J.-P. Serre', 'Jean-Pierre Serre'],
    ['jp serre', 'Jean-Pierre Serre'],
    ['ocasiocortez', 'Alexandria Ocasio-Cortez'],
    ['alexandriaocasiocortez', 'Alexandria Ocasio-Cortez'],
    ['ocasiocortezalexandria', 'Alexandria Ocasio-Cortez'],
    ['terriasewell', 'Terri A. Sewell'],
    ['ludwigvanderrohe', 'Ludwig van der Rohe'],
    ['vanderrohe', 'Ludwig van der Rohe'],
    ['#OcasioCortez', 'Alexandria Ocasio-Cortez'],
    ['Alexan\u00addria Ocasio-Cor\u00adtez', 'Alexandria Ocasio-Cortez'],
    ['Rep. Alexandria Ocasio-Cortez, D-N.Y.', 'Alexandria Ocasio-Cortez'],
    ['Juergen Mueller', 'Jürgen Müller'],
    ['ludwig rohe', 'Ludwig van der Rohe'],
    ['Yoyo Ma', 'Yo-Yo Ma'],
    ['ted cruz (R)', 'Theodore Cruz'],
    ['Theodore Cruz FRS', 'Theodore Cruz'],
    ['Theodore Cruz (@tcruz) / X', 'Theodore Cruz'],
    ['Rafael Cruz, PhD', 'Theodore Cruz'],
    ['geofrey hintn', 'Geoffrey Hinton'],
    ['theodore%20cruz', 'Theodore Cruz'],
    ['jeanserre', 'Jean-Pierre Serre'],
    ['serrejeanpierre', 'Jean-Pierre Serre'],
    ['nicholas orme', 'Nicholas B. Orme III'],
  ])('is found as %j', (text, name) => {
    expect(found(text)[1]).toBe(name)
  })

  it.each([
    'Hinton Q',
    'Q. Hinton',
    'Cruz I',
    'louis 9',
    'Geoffrey Serre',
    'Geoffrey Everest Serre',
    'terri b. sewell',
    'hinton zzyzx',
    'geoffreyserre',
    'marana basque',
    'marana quell',
    'ryan orme',
    'voss lindqvist',
  ])('is nobody’s where a letter, a number or a word contradicts it: %j', (text) => {
    expect(found(text)).toEqual(['nobody'])
  })

  it.each([
    ['marana lindqvist', 'Mariana Dorn Quell Basque Lindqvist'],
    ['ryan shields', 'Bryan Shields'],
    ['nicolas iii', 'Nicholas B. Orme III'],
  ])(
    'with a slip that makes it another known word is found by first and last name: %j',
    (text, name) => {
      expect(found(text).slice(1)).toEqual([name])
    },
  )

  it('says what was corrected and what was left out', () => {
    const { corrected, way } = search.find('geoffrey hintn', 10)
    expect([way, corrected]).toEqual(['corrected', [{ from: 'hintn', to: 'hinton' }]])
    expect(search.find('Theodore Cruz FRS', 10).leftOut).toEqual(['frs'])
  })
})

it('is no stranger’s who is found by a slip beside a beginning, where both fit many', () => {
  const people = [{ name: 'Carl Winter' }]
  for (let number = 0; number < 40; number += 1) {
    const others = [`Carol Harper${number}`, `Carl Fisher${number}`, 'Anna Winter']
    people.push(...others.map((name) => ({ name })))
  }
  const many = searchOver(people.map((person) => ({ ...person, authorityScore: undefined })))
  expect(many.found('carol win')).toHaveLength(1)
  expect(many.found('carl win')[1]).toBe('Carl Winter')
})
