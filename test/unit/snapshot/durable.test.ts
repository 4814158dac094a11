/** Small files that are written whole or not at all, and leave nothing behind. */
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSmallFile, writeDurably } from '../../../src/snapshot/store/durable.ts'
import { temporaryDirectory } from '../../support/built.ts'

it('a file that cannot get its name leaves no temporary one', () => {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'CURRENT'))
  expect(() => writeDurably(directory, 'CURRENT', 'text')).toThrow('EISDIR')
  expect(readdirSync(directory)).toEqual(['CURRENT'])
})

it('a file that gets its name leaves no temporary one either', () => {
  const directory = temporaryDirectory()
  writeDurably(directory, 'CURRENT', 'one')
  writeDurably(directory, 'CURRENT', 'two')
  expect(readSmallFile(directory, 'CURRENT')).toBe('two')
  expect(readdirSync(directory)).toEqual(['CURRENT'])
})
