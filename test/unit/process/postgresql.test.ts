/** Addresses of databases: which are accepted, and how messages show them. */
import { describe, expect, it } from 'vitest'
import { readPostgresqlAddress } from '../../../src/process/postgresql.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('postgresql.tsv', import.meta.url))

describe('the address of a database', () => {
  it.each(rowsOf('addresses as they are shown'))(
    'is called by what is not its password: %s',
    (uri, name) => {
      expect(readPostgresqlAddress(uri).name).toBe(name)
    },
  )

  it('has sslmode as libpq means it', () => {
    const { uri } = readPostgresqlAddress('postgres://host/db?sslmode=require')
    expect(new URL(uri).searchParams.get('uselibpqcompat')).toBe('true')
    expect(readPostgresqlAddress('postgres://host/db').uri).toBe('postgres://host/db')
  })

  it.each(['sslmode=prefer', 'sslmode=', 'sslmode=verify-ca'])(
    'is refused with %s, which is less than it seems',
    (parameter) => {
      const uri = `postgres://ann:secret@host/db?${parameter}`
      expect(() => readPostgresqlAddress(uri)).toThrow(
        expect.objectContaining({
          code: 'wrong-usage',
          message: expect.not.stringContaining('secret'),
        }),
      )
    },
  )
})
