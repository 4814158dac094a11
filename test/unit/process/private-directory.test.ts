/** Directories for their owner alone, and the line about those that are not. */
import { execFileSync } from 'node:child_process'
import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makePrivateDirectory, openRights } from '../../../src/process/private-directory.ts'
import { temporaryDirectory } from '../../support/built.ts'

const userId = process.getuid!()

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

describe('a private directory', () => {
  it('is made for its owner, with those above it', () => {
    const place = temporaryDirectory()
    makePrivateDirectory(join(place, 'above', 'data'))
    expect([modeOf(join(place, 'above')), modeOf(join(place, 'above', 'data'))]).toEqual([
      '700',
      '700',
    ])
  })

  it('keeps the rights that it has', () => {
    const place = temporaryDirectory()
    chmodSync(place, 0o2770)
    makePrivateDirectory(place)
    expect(modeOf(place)).toBe('770')
  })
})

describe('the rights of a directory', () => {
  it.each([0o700, 0o750, 0o770])('%o are no matter: others have none', (mode) => {
    const place = temporaryDirectory()
    chmodSync(place, mode)
    expect(openRights(place, userId)).toBeUndefined()
  })

  it.each([0o701, 0o755, 0o777])('%o are told with a command that mends them', (mode) => {
    const place = join(temporaryDirectory(), "with a space and a '")
    makePrivateDirectory(place)
    chmodSync(place, mode)
    const line = openRights(place, userId)!
    expect(line).toContain(`(mode ${mode.toString(8)})`)
    execFileSync('sh', ['-c', line.split('; type: ')[1]!])
    expect(openRights(place, userId)).toBeUndefined()
  })

  it('of a directory of another user are not told: this user cannot mend them', () => {
    const place = temporaryDirectory()
    chmodSync(place, 0o777)
    expect(openRights(place, userId + 1)).toBeUndefined()
  })

  it('of a secret file are told as well, and of none nothing', () => {
    const path = join(temporaryDirectory(), 'secret')
    writeFileSync(path, 'x')
    chmodSync(path, 0o644)
    expect(openRights(path, userId)).toContain('(mode 644); type: chmod o= ')
    chmodSync(path, 0o640)
    expect([path, `${path}.no`, ''].map((each) => openRights(each, userId))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
