/** The commands of the snapshot directory where something is in their way. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { acquireLock } from '../../../../src/process/lock.ts'
import { announce, publish } from '../../../../src/snapshot/store/directory.ts'
import { readPointer } from '../../../../src/snapshot/store/states.ts'
import { snapshotOf, temporaryDirectory } from '../../../support/built.ts'
import { run } from '../../../support/program.ts'
import { authority } from '../../../support/records.ts'

function published(): { directory: string; id: string } {
  const directory = temporaryDirectory()
  const snapshot = snapshotOf({ authorities: [authority({ sdu: '1' })] })
  publish(directory, snapshot)
  announce(directory, snapshot.header.id)
  return { directory, id: snapshot.header.id }
}

function snapshotCommand(name: string, directory: string, ...operands: string[]) {
  return run(['snapshot', name, ...operands, '--snapshots', directory])
}

describe('snapshot pin', () => {
  it('refuses an ID of no digits, though only one snapshot is there', async () => {
    const { directory } = published()
    const { exitCode, stderr } = await snapshotCommand('pin', directory, '')
    expect([exitCode, stderr]).toEqual([2, 'an ID has at least one digit\n'])
    expect(readPointer(directory, 'PINNED')).toBeUndefined()
  })

  it('waits for nobody: it is refused while a sync could remove what it pins', async () => {
    const { directory, id } = published()
    const lock = acquireLock(join(directory, 'sync.lock'))
    const refused = await snapshotCommand('pin', directory, id)
    expect([refused.exitCode, refused.stderr]).toEqual([
      1,
      expect.stringContaining('already using'),
    ])
    lock.release()
    expect((await snapshotCommand('pin', directory, id)).exitCode).toBe(0)
    expect(readPointer(directory, 'PINNED')).toBe(id)
  })
})

describe('snapshot list', () => {
  it('of a folder that is not there fails in one line', async () => {
    const directory = join(temporaryDirectory(), 'none')
    const { exitCode, stdout, stderr } = await snapshotCommand('list', directory)
    expect([exitCode, stdout, stderr]).toEqual([1, '', `${directory}: no such directory\n`])
  })
})

describe('what the file system refuses', () => {
  it('is one line of every command', async () => {
    const { directory, id } = published()
    mkdirSync(join(directory, 'PINNED.tmp'))
    const pin = await snapshotCommand('pin', directory, id)
    expect([pin.exitCode, pin.stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^${directory}: EEXIST: [^\n]*\n$`)),
    ])
    const file = join(directory, 'file')
    writeFileSync(file, '')
    const list = await snapshotCommand('list', file)
    expect([list.exitCode, list.stderr]).toEqual([
      1,
      expect.stringMatching(/^\S+: ENOTDIR: [^\n]*\n$/),
    ])
  })
})
