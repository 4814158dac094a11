/** Pocket files that are cut, too long or damaged: both readers refuse them in a sentence. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pocketOf } from '../../../src/export/pocket.ts'
import { openPocket } from '../../../src/library/pocket-reader.ts'
import { snapshotOf, temporaryDirectory } from '../../support/built.ts'
import { authority, social } from '../../support/records.ts'

const root = join(import.meta.dirname, '../../..')
const hasPython = spawnSync('python3', ['--version']).status === 0
const ann = authority({ sdu: '1', socials: [social('x', 'ann')] })
const whole = pocketOf(snapshotOf({ authorities: [ann] }))

/** The file with a number in its head. */
function withNumber(at: number, value: number): Buffer {
  const file = Buffer.from(whole)
  file.writeUInt32LE(value, at)
  return file
}

const wrong: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
  empty: [Buffer.alloc(0), /no pocket file/],
  'cut in its first word': [whole.subarray(0, 5), /no pocket file/],
  'cut in its head': [whole.subarray(0, 20), /cut or too long/],
  'cut behind its head': [whole.subarray(0, 32), /cut or too long/],
  'cut in its JSON': [whole.subarray(0, 60), /cut or too long/],
  'cut at its end': [whole.subarray(0, -8), /cut or too long/],
  'too long': [Buffer.concat([whole, Buffer.alloc(8)]), /cut or too long/],
  'with more entries than bytes': [withNumber(16, 0xffff_ffff), /cut or too long/],
  'of another version': [withNumber(8, 2), /version 2, not 1/],
  'with a head that is no JSON': [withNumber(32, 0x2020_2020), /damaged: its head is not JSON/],
  'another file': [Buffer.from('sdu,name,topics\n1,Ann,AI\n'), /no pocket file/],
}

function fileOf(bytes: Buffer): string {
  const file = join(temporaryDirectory(), 'authorities.pocket')
  writeFileSync(file, bytes)
  return file
}

describe('a pocket file that is', () => {
  it.each(Object.entries(wrong))('%s, is refused', (_, [bytes, message]) => {
    const file = fileOf(bytes)
    expect(() => openPocket(file)).toThrow(message)
  })

  it('any of these, is refused by Python, too', () => {
    if (!hasPython) return console.warn('python3 is missing: its reader was not tried')
    const files = Object.values(wrong).map(([bytes]) => fileOf(bytes))
    const program = `
import sys
sys.path.insert(0, ${JSON.stringify(join(root, 'clients', 'python'))})
from authority_index_pocket import Pocket
for path in sys.argv[1:]:
    try:
        Pocket(path)
        print("opened")
    except ValueError as error:
        print(error)`
    const { stdout } = spawnSync('python3', ['-B', '-c', program, ...files], { encoding: 'utf8' })
    const lines = stdout.trimEnd().split('\n')
    const expected = Object.values(wrong).map(([, message]) => message)
    expect(lines).toHaveLength(expected.length)
    for (const [place, message] of expected.entries()) expect(lines[place]).toMatch(message)
  })

  it('whole, is read', () => {
    expect(openPocket(fileOf(whole)).lookup('@Ann')).toMatchObject({ topic: 'Rust', rank: 1 })
  })
})
