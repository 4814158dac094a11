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

describe('diffSnapshots', () => {
  const ann = authority({ sdu: '1', name: 'Ann', authorityScore: 10 })

  function diff(directory: string, before: string, after: string, ...words: string[]) {
    const ids = [`before=${before}`, `after=${after}`]
    return run(['admin', 'diffSnapshots', ...ids, '--snapshots', directory, ...words])
  }

  function two(more = 1) {
    const directory = temporaryDirectory()
    const crowd = Array.from({ length: more }, (_, index) =>
      authority({ sdu: String(index + 2), name: `Bob${index}`, bio: 'Writes '.repeat(20) }),
    )
    const [before, after] = [
      snapshotOf({ authorities: [ann] }),
      snapshotOf({ authorities: [{ ...ann, authorityScore: 20.5 }, ...crowd] }),
    ]
    for (const snapshot of [before, after]) publish(directory, snapshot)
    return { directory, before: before.header.id, after: after.header.id }
  }

  it('tells a program every change and how steady the orders are', async () => {
    const { directory, before, after } = two(30)
    const { exitCode, stdout } = await diff(directory, before, after, '--json')
    const told = JSON.parse(stdout)
    expect([exitCode, told.before, told.after]).toEqual([0, before, after])
    expect(told.stability).toMatchObject({ first_ten: { topics: 0 }, kendall_tau: { topics: 0 } })
    expect(told.results).toContainEqual({
      type: 'score',
      sdu: '1',
      topic: null,
      before: 10,
      after: 20.5,
    })
    const added = told.results.filter(({ type }: { type: string }) => type === 'added')
    expect(added.length).toBe(30)
    expect(added[0].after.bio).toBe('Writes '.repeat(20))
  })

  it('of a snapshot and itself tells that nothing changed', async () => {
    const { directory, before } = two()
    const json = await diff(directory, before, before, '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ before, after: before, results: [] })
    const table = await diff(directory, before.slice(0, 8), before)
    expect([table.exitCode, table.stdout.includes('SDU')]).toEqual([0, false])
  })

  it('of an ID that no snapshot has fails in one line', async () => {
    const { directory, before } = two()
    const none = 'f'.repeat(32)
    for (const ids of [
      [none, before],
      [before, none],
    ] as const) {
      const { exitCode, stdout, stderr } = await diff(directory, ...ids)
      const line = `${directory}: no snapshot with id ${none}\n`
      expect([exitCode, stdout, stderr]).toEqual([1, '', line])
    }
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
