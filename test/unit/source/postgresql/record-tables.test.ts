/** Which query reads a table, and where a row stands: what can be said of it without a database. */
import { describe, expect, it } from 'vitest'
import { Faults, type Reader } from '../../../../src/reading/readers.ts'
import { readCorrection } from '../../../../src/source/corrections.ts'
import {
  linesQuery,
  positionsIn,
  recordTables,
} from '../../../../src/source/postgresql/record-tables.ts'
import { readAuthority, readConnection, readTopic } from '../../../../src/source/record-readers.ts'
import { neededFields, sourceFiles } from '../../../../src/source/source-files.ts'
import { fieldNamesOf } from '../../../../src/source/table-fields.ts'
import { tableAt } from '../../../support/table-sections.ts'

const rowsOf = tableAt(new URL('positions.tsv', import.meta.url))

const readers = {
  authorities: readAuthority,
  connections: readConnection,
  topics: readTopic,
  corrections: readCorrection,
}

/** The fields that a reader takes from a record, and those that it misses in an empty one. */
function fieldsOf(reader: Reader<unknown>) {
  const taken = new Set<string>()
  const faults = new Faults(false)
  const empty = new Proxy({}, { get: (_, name) => void taken.add(String(name)) })
  reader(empty, faults)
  const missing = faults.all.filter(({ path }) => path.length === 1).map(({ path }) => path[0])
  return { taken: [...taken], missing: [...new Set(missing)] }
}

function tableNamed(name: string) {
  return recordTables.find((table) => table.name === name)!
}

describe('the tables of records', () => {
  it('are one for each file, with the fields of its records and those that are needed', () => {
    expect(recordTables.map(({ file }) => file).sort()).toEqual([...sourceFiles].sort())
    for (const { name, file } of recordTables) {
      const { taken, missing } = fieldsOf(readers[name as keyof typeof readers])
      expect([...fieldNamesOf(file)].sort()).toEqual(taken.sort())
      expect(neededFields[file]).toEqual(missing)
    }
  })

  it('are read by the columns that are there, in the order of the fields', () => {
    const query = linesQuery(tableNamed('connections'), ['kind', 'id', 'to', 'from'])
    expect(query).toContain('SELECT "from"::text AS "from", "to"::text AS "to", "kind" FROM')
  })
})

describe('the position of a row', () => {
  it.each(rowsOf('positions'))('in %s is its key: %s', (name, line, position) => {
    expect(positionsIn(tableNamed(name))(line)).toBe(position)
  })
})
