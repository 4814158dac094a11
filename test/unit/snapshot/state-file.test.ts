/** State files: written whole or not at all, and read as a value, as missing or as damaged. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../src/problems.ts'
import { naturalNumber, objectOf } from '../../../src/reading/readers.ts'
import {
  asJson,
  asLine,
  asLines,
  required,
  stateFile,
  writeDurably,
} from '../../../src/snapshot/store/state-file.ts'
import { temporaryDirectory } from '../../support/built.ts'

const shape = asJson(objectOf({ count: naturalNumber }))
const file = stateFile('SYNCED', { ...shape, fault: 'is no count', mode: 0o600 })

describe('a state file', () => {
  it('that cannot get its name leaves no temporary one', () => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'CURRENT'))
    expect(() => writeDurably(directory, 'CURRENT', 'text')).toThrow('EISDIR')
    expect(readdirSync(directory)).toEqual(['CURRENT'])
  })

  it('that gets its name leaves no temporary one either, and has its mode', () => {
    const directory = temporaryDirectory()
    file.write(directory, { count: 1 })
    file.write(directory, { count: 2 })
    expect(file.read(directory)).toEqual({ kind: 'found', value: { count: 2 } })
    expect(readdirSync(directory)).toEqual(['SYNCED'])
    expect(statSync(join(directory, 'SYNCED')).mode & 0o777).toBe(0o600)
  })

  it('that is missing is a value, before it is written and after it is removed', () => {
    const directory = temporaryDirectory()
    expect(file.read(directory)).toEqual({ kind: 'missing' })
    expect(required(file.read(directory))).toBeUndefined()
    expect(file.remove(directory)).toBe(false)
    file.write(directory, { count: 1 })
    expect(file.remove(directory)).toBe(true)
    expect(file.read(directory)).toEqual({ kind: 'missing' })
  })

  it.each(['', '{"count":', '{"count":-1}', '[]'])('that is damaged is a value: %o', (text) => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'SYNCED'), text)
    const stored = file.read(directory)
    expect(stored.kind).toBe('damaged')
    expect(stored.fault).toBeInstanceOf(Refusal)
    expect(() => required(stored)).toThrow(`${join(directory, 'SYNCED')}: is no count`)
  })

  it('that the file system refuses has its error', () => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'SYNCED'))
    expect(file.read(directory)).toMatchObject({ kind: 'damaged', fault: { code: 'EISDIR' } })
  })

  it('has a line, or lines', () => {
    const directory = temporaryDirectory()
    const line = stateFile('CURRENT', asLine(/^[0-9a-f]+$/))
    line.write(directory, 'abc')
    expect(readFileSync(join(directory, 'CURRENT'), 'utf8')).toBe('abc\n')
    expect(line.read(directory).value).toBe('abc')
    writeFileSync(join(directory, 'CURRENT'), 'ABC\n')
    expect(line.read(directory).kind).toBe('damaged')
    const lines = stateFile('ANNOUNCED', asLines)
    lines.write(directory, ['one', 'two'])
    expect(readFileSync(join(directory, 'ANNOUNCED'), 'utf8')).toBe('one\ntwo\n')
    expect(lines.read(directory).value).toEqual(['one', 'two'])
  })
})
