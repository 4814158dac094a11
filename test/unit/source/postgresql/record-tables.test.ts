/** Which query reads a table, and where a row stands: what can be said of it without a database. */
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { correctionSchema } from '../../../../src/source/corrections.ts'
import {
  linesQuery,
  positionsIn,
  recordTables,
} from '../../../../src/source/postgresql/record-tables.ts'
import { authoritySchema, connectionSchema, topicSchema } from '../../../../src/source/schema.ts'
import { sourceFiles } from '../../../../src/source/source-files.ts'

const schemas = {
  authorities: authoritySchema,
  connections: connectionSchema,
  topics: topicSchema,
  corrections: correctionSchema,
}

function tableNamed(name: string) {
  return recordTables.find((table) => table.name === name)!
}

describe('the tables of records', () => {
  it('are one for each file, with the fields of its records and those that are needed', () => {
    expect(recordTables.map(({ file }) => file).sort()).toEqual([...sourceFiles].sort())
    for (const { name, fields, needed } of recordTables) {
      const schema = schemas[name as keyof typeof schemas]
      const { properties, required } = z.toJSONSchema(schema, { io: 'input' })
      expect(fields).toEqual(Object.keys(properties!))
      expect(needed).toEqual(required)
    }
  })

  it('are read by the columns that are there, in the order of the fields', () => {
    const query = linesQuery(tableNamed('connections'), ['kind', 'id', 'to', 'from'])
    expect(query).toContain('SELECT "from"::text AS "from", "to"::text AS "to", "kind" FROM')
  })
})

describe('the position of a row', () => {
  it.each([
    ['authorities', '{"sdu":"7","name":"sdu"}', 'authorities[sdu=7]'],
    ['authorities', '{"sdu":null,"name":"x"}', 'authorities[sdu=]'],
    [
      'connections',
      '{"from":"1","to":"x:,\\"to\\":","kind":null}',
      'connections[from=1,to=x:,\\"to\\":]',
    ],
    ['topics', `{"topic":"${'x'.repeat(300)}"}`, `topics[topic=${'x'.repeat(100)}]`],
    ['topics', 'no JSON', 'topics[topic=]'],
  ])('in %s is its key: %s', (name, line, position) => {
    expect(positionsIn(tableNamed(name))(line)).toBe(position)
  })
})
