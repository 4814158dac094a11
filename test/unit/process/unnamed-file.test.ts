/** Files without a name, and what they say of a disk that takes nothing. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { UnnamedFile } from '../../../src/process/unnamed-file.ts'
import { temporaryDirectory } from '../../support/built.ts'

it('gives back what was added, and leaves nothing in its directory', () => {
  const directory = join(temporaryDirectory(), 'new')
  const file = new UnnamedFile(directory, 'texts.tmp')
  expect(readdirSync(directory)).toEqual([])
  file.append(Buffer.from('one '))
  file.append(Buffer.from('two'))
  const read = Buffer.alloc(5)
  file.read(read, 5, 2)
  expect([file.length, read.toString()]).toEqual([7, 'e two'])
  expect(() => file.read(read, 5, 4)).toThrow('nothing stands at 7')
  file.close()
})

it('takes the place of one that a killed process left', () => {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'texts.tmp'), 'left behind')
  const file = new UnnamedFile(directory, 'texts.tmp')
  expect([file.length, readdirSync(directory)]).toEqual([0, []])
  file.close()
})

it('is refused where there is no room for it', () => {
  const path = join(temporaryDirectory(), 'file')
  writeFileSync(path, '')
  const make = () => new UnnamedFile(path, 'texts.tmp')
  expect(make).toThrow(expect.objectContaining({ code: 'store-refused' }))
})
