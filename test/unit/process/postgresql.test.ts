/** Addresses of databases: which are accepted, and how messages show them. */
import { describe, expect, it } from 'vitest'
import { readPostgresqlAddress } from '../../../src/process/postgresql.ts'

describe('the address of a database', () => {
  it.each([
    ['postgres://ann@host/db', 'postgres://ann@host/db'],
    ['postgres://ann:secret@host:5432/db', 'postgres://ann@host:5432/db'],
    [
      'postgresql://ann:p@secret:/@host/db?sslmode=require',
      'postgresql://ann@host/db?sslmode=require',
    ],
    [
      'postgres:///db?host=/run&password=secret&user=ann',
      'postgres:///db?host=/run&password=&user=ann',
    ],
    ['postgres://:secret@host/db', 'postgres://@host/db'],
  ])('is called by what is not its password: %s', (uri, name) => {
    expect(readPostgresqlAddress(uri).name).toBe(name)
  })

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
