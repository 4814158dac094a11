/**
 * What the documents say is so: tables are those of the code, examples are answers of a running
 * service, what they point to is there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withAnswers } from '../../scripts/document-answers.ts'
import { documentNames, documentTables, readDocument } from '../../scripts/document-tables.ts'
import {
  rowsOf,
  rowsWithoutWords,
  tableNames,
  withFigures,
  withTables,
} from '../../scripts/markdown-table.ts'
import { recordedFigures } from '../../scripts/recorded-tables.ts'
import { parametersOf } from '../../src/api/schemas/inputs.ts'
import { listFilters, numberFilters } from '../../src/explorer/page/model/address.ts'
import type { AnswerSource } from '../../src/mcp/answer-source.ts'
import { problems } from '../../src/problems.ts'
import { choiceNames, fieldNames, filterNames } from '../../src/request-parameters.ts'
import { readPointer } from '../../src/snapshot/store/states.ts'
import { temporaryDirectory } from '../support/built.ts'
import { defaultSnapshots, startService } from '../support/program.ts'

const root = join(import.meta.dirname, '..', '..')
const documents = documentNames().map((name) => ({ name, text: readDocument(name) }))

function documentNamed(name: string): string {
  return documents.find((document) => document.name === name)!.text
}

function sectionOf(name: string, heading: string): string {
  const [, section = ''] = documentNamed(name).split(`\n## ${heading}\n`)
  return section.split('\n## ')[0]!
}

describe('tables', () => {
  const tables = documentTables()

  it.each(documents)('of $name are as the code has them, and figures as the record', ({ text }) => {
    expect(text).toBe(withFigures(withTables(text, tables), recordedFigures()))
  })

  it.each(documents)('of $name have words in every row', ({ text }) => {
    expect(rowsWithoutWords(text, tables)).toEqual([])
  })

  it('stand in one document each', () => {
    const found = documents.flatMap(({ text }) => tableNames(text))
    expect(found.sort()).toEqual(Object.keys(tables).sort())
  })
})

describe('figures in sentences', () => {
  const figures = recordedFigures()

  it('stand in a document each', () => {
    const unused = Object.keys(figures).filter(
      (name) => !documents.some(({ text }) => text.includes(`<!-- figure: ${name} -->`)),
    )
    expect(unused).toEqual([])
  })
})

describe('examples', () => {
  it('are what a running service answers', async () => {
    const service = await startService(temporaryDirectory())
    const ask: AnswerSource['ask'] = async ({ path, query }) => {
      const { headers } = service
      const response = await fetch(`${service.address}${path}?${query}`, { headers })
      return { status: response.status, json: JSON.parse(await response.text()) }
    }
    const answered = await Promise.all(documents.map(({ text }) => withAnswers(text, ask)))
    await service.stop('SIGKILL')
    expect(answered).toEqual(documents.map(({ text }) => text))
  })
})

describe('the table of what one account can do to another', () => {
  const [, told = ''] = sectionOf('docs/operations.md', 'Limits').split(
    '\n### What one account can do to another\n',
  )

  it('names the test of each row', () => {
    const rows = rowsOf(told).slice(1)
    expect(rows.length).toBeGreaterThan(12)
    const isTest = /^`test\/[\w./-]+\.(?:test|suite)\.ts`$/
    const untested = rows.filter(
      (cells) =>
        !cells
          .at(-1)!
          .split(', ')
          .every((path) => isTest.test(path)),
    )
    expect(untested).toEqual([])
  })
})

describe('what a document points to', () => {
  it.each(documents)('in $name is there: files of the repository', ({ text }) => {
    const named = text.match(/(?<=`)(?:src|test|bench|scripts|ops|docs)\/[\w./*-]*/g) ?? []
    const paths = named.filter((path) => !path.includes('*'))
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it.each(documents)('in $name is there: documents and their sections', ({ name, text }) => {
    const links = [...text.matchAll(/\]\(([^):\s]+)\)/g)].map(([, link = '']) => link)
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#')
      const file = path === '' ? join(root, name) : join(root, dirname(name), path)
      return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor))
    })
    expect(broken).toEqual([])
  })
})

function anchorsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

describe('the README', () => {
  const text = documentNamed('README.md')

  it('has at most 120 lines', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(121)
  })

  it('says on the first screen how to start, how to test and on which Node', () => {
    const screen = text.split('\n').slice(0, 25).join('\n')
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(screen).toContain('npm ci && npm start')
    expect(screen).toContain('npm ci && npm test')
    expect(screen).toContain(`Node ${/\d+\.\d+/.exec(engines.node)?.[0]}`)
  })

  it('serves the default snapshot, of which the repository has one', () => {
    const id = readPointer(defaultSnapshots, 'CURRENT')
    const published = readdirSync(defaultSnapshots).filter((name) => name.endsWith('.msgpack'))
    expect(published).toEqual([`${id}.msgpack`])
    expect(text).toContain(`serving snapshot ${id} `)
  })
})

describe('the architecture', () => {
  it('has an exit for every problem in the life of a request', () => {
    const life = sectionOf('docs/ARCHITECTURE.md', "A request's life")
    const exits = Object.entries(problems).map(([code, { status }]) => `${status}   ${code}`)
    expect(exits.filter((exit) => !life.includes(exit))).toEqual([])
  })
})

// Of a guided change (docs/ARCHITECTURE.md, "Edit here") what it lacks; other parts of one do not compile.
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
