/** Versions: where they stand, and which comes next. */
import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  compareVersions,
  minorAfter,
  setVersion,
  versionsIn,
} from '../../../scripts/release/version.ts'
import { temporaryDirectory } from '../../support/built.ts'

const root = join(import.meta.dirname, '..', '..', '..')

describe('the version', () => {
  it('is the same in every file that has it', () => {
    const versions = versionsIn(root).map(({ version }) => version)
    expect(new Set(versions).size).toBe(1)
  })

  it('is written into every place and nowhere else by one call', () => {
    const copy = temporaryDirectory()
    const before = versionsIn(root)
    for (const { path } of before) {
      mkdirSync(dirname(join(copy, path)), { recursive: true })
      cpSync(join(root, path), join(copy, path))
    }
    setVersion(copy, '12.3.4')
    expect(new Set(versionsIn(copy).map(({ version }) => version))).toEqual(new Set(['12.3.4']))
    setVersion(copy, before[0]!.version)
    expect(versionsIn(copy)).toEqual(before)
  })

  it('is three numbers', () => {
    expect(() => setVersion(root, '1.2')).toThrow("'1.2' is no version: three numbers, as in 0.2.0")
    expect(() => setVersion(root, 'v1.2.3')).toThrow('is no version')
  })

  it('is compared by its numbers', () => {
    expect(compareVersions('0.10.0', '0.9.9')).toBeGreaterThan(0)
    expect(compareVersions('1.0.0', '0.99.0')).toBeGreaterThan(0)
    expect(compareVersions('0.2.1', '0.2.1')).toBe(0)
    expect(minorAfter('0.9.3')).toBe('0.10.0')
  })
})
