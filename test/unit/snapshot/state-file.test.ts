/** State files: written whole or not at all, and read as a value, as missing or as damaged. */
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { naturalNumber, objectOf } from '../../../src/reading/readers.ts'
import { asJson, stateFile, writeDurably } from '../../../src/snapshot/store/state-file.ts'
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

  it('that the file system refuses has its error', () => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'SYNCED'))
    expect(file.read(directory)).toMatchObject({ kind: 'damaged', fault: { code: 'EISDIR' } })
  })
})
