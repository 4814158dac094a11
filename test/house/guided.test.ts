/**
 * The page of guided changes (docs/ARCHITECTURE.md, "Edit here") as tests: what a new filter, parameter, field,
 * tool, route, platform or metric lacks. The oracle and the vocabulary of a filter are tables by filter, so a
 * missing row does not compile.
 */
import { describe, expect, it } from 'vitest'
import { readDocument } from '../../scripts/document-tables.ts'
import { parametersOf } from '../../src/api/schemas/inputs.ts'
import { listFilters, numberFilters } from '../../src/explorer/page/model/address.ts'
import { choiceNames, fieldNames, filterNames } from '../../src/request-parameters.ts'

function sectionOf(name: string, heading: string): string {
  return readDocument(name).split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!
}

describe('a filter', () => {
  it('has a control in the explorer, of the kind of its values', () => {
    const choices: readonly string[] = choiceNames
    expect(Object.keys(listFilters).sort()).toEqual([...choices].sort())
    const numbers = filterNames.filter((name) => !choices.includes(name))
    expect(Object.keys(numberFilters).sort()).toEqual(numbers.sort())
  })

  it('is a parameter of every list of people', () => {
    for (const route of ['search', 'peers'] as const) {
      expect(parametersOf(route).map(({ name }) => name)).toEqual(
        expect.arrayContaining([...filterNames]),
      )
    }
  })

  it.each(filterNames)('is explained in words: %s', (name) => {
    expect(sectionOf('docs/api.md', 'Filters')).toContain(`\`${name}\``)
  })
})

describe('a field', () => {
  it.each(fieldNames)('is named where fields are explained: %s', (name) => {
    expect(sectionOf('docs/api.md', 'Fields')).toContain(`\`${name}\``)
  })
})
