/** Where a first key goes: a file of its owner's, unless a terminal shows it. */
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Refusal } from '../../../src/problems.ts'
import { keepFirstKey } from '../../../src/service/ledger/first-key.ts'
import { temporaryDirectory } from '../../support/built.ts'

describe('a first key', () => {
  test('lies in a file that only its owner can read, under any umask', () => {
    const umask = process.umask(0)
    onTestFinished(() => void process.umask(umask))
    const directory = temporaryDirectory()
    const kept = keepFirstKey('the text', false, directory)
    expect(kept).toEqual({ text: 'the text', file: join(directory, 'first-key') })
    expect(readFileSync(kept!.file!, 'utf8')).toBe('the text\n')
    expect(statSync(kept!.file!).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory)).toEqual(['first-key'])
  })

  test('replaces the one of an earlier start, and a link to another file, which it leaves alone', () => {
    const directory = temporaryDirectory()
    const other = join(directory, 'other')
    writeFileSync(other, 'kept')
    symlinkSync(other, join(directory, 'first-key'))
    symlinkSync(other, join(directory, 'first-key.tmp'))
    for (const text of ['first', 'second']) keepFirstKey(text, false, directory)
    expect(readFileSync(join(directory, 'first-key'), 'utf8')).toBe('second\n')
    expect(readFileSync(other, 'utf8')).toBe('kept')
  })

  test('is in no file where a terminal shows it, or where there is none', () => {
    const directory = temporaryDirectory()
    expect(keepFirstKey('the text', true, directory)).toEqual({ text: 'the text', file: undefined })
    expect(keepFirstKey(undefined, false, directory)).toBeUndefined()
    expect(readdirSync(directory)).toEqual([])
  })

  test('that cannot be written ends the start with the path and the way on', () => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'first-key', 'full'), { recursive: true })
    const keep = () => keepFirstKey('the text', false, directory)
    expect(keep).toThrow(Refusal)
    expect(keep).toThrow(/first-key could not be written: .*; the next start makes another$/)
  })
})
