/** Sync as a job beside services: again and again, one at a time, and never a bad announcement. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { acquireLock } from '../../../src/process/lock.ts'
import { pathOf } from '../../../src/snapshot/store/directory.ts'
import { readHeldBack, readPointer } from '../../../src/snapshot/store/states.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { until } from '../../support/operated.ts'
import { endOf, start } from '../../support/program.ts'
import { lineOf, sourceOf, sync, syncWords, writeSource } from '../../support/synced.ts'

/** What is in a snapshot directory beside the lock, which stays, and the list of announcements. */
function filesOf(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => !name.startsWith('sync.lock') && name !== 'ANNOUNCED')
    .sort()
}

interface Line {
  readonly id: string
  readonly published: boolean
  readonly authorities: number
}

function job(source: string, snapshots: string, ...more: string[]) {
  const child = start([...syncWords(source, snapshots), ...more])
  const ended = endOf(child)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let printed = ''
  child.stdout?.on('data', (text: string) => {
    printed += text
  })
  let errors = ''
  child.stderr?.on('data', (text: string) => {
    errors += text
  })
  const lines = (): Line[] =>
    printed
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
  return { child, ended, lines, errors: () => errors }
}

describe('a sync of an unchanged source', () => {
  it('publishes nothing, touches no file and does not build', async () => {
    const source = sourceOf(20)
    const snapshots = temporaryDirectory()
    const { id, path } = JSON.parse((await sync(source, snapshots)).stdout)
    const files = filesOf(snapshots)
    const timesOf = () => [path, join(snapshots, 'CURRENT')].map((file) => statSync(file).mtimeMs)
    const times = timesOf()
    const { exitCode, stdout, stderr } = await sync(source, snapshots)
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { id, published: false, records: 0 }])
    expect(stderr).not.toContain('reading')
    expect([filesOf(snapshots), timesOf()]).toEqual([files, times])
  })

  it('builds all the same when the current snapshot is damaged, or when it is forced', async () => {
    const source = sourceOf(20)
    const snapshots = temporaryDirectory()
    const { id, path } = JSON.parse((await sync(source, snapshots)).stdout)
    const whole = readFileSync(path)
    writeFileSync(path, whole.subarray(0, -1))
    expect(JSON.parse((await sync(source, snapshots)).stdout)).toMatchObject({
      id,
      published: true,
    })
    expect(readFileSync(path).equals(whole)).toBe(true)
    const forced = await sync(source, snapshots, '--force')
    expect(JSON.parse(forced.stdout)).toMatchObject({ id, published: false, records: 20 })
  })
})

describe('the gates of a sync', () => {
  it('hold back too large a change, and leave no file', async () => {
    const snapshots = temporaryDirectory()
    const { id } = JSON.parse((await sync(sourceOf(20), snapshots)).stdout)
    const changes = readdirSync(join(snapshots, 'changes'))
    const { exitCode, stdout, stderr } = await sync(sourceOf(26), snapshots)
    expect([exitCode, stdout]).toEqual([1, ''])
    const { message: line } = JSON.parse(stderr.trimEnd().split('\n').at(-1)!)
    const why = 'authorities: 30.0 % new, 20.0 % at most (--gate authorities-change-max)'
    expect(line).toContain(why)
    expect(line).toMatch(/; if this is meant, use --force; nothing was published$/)
    expect(readPointer(snapshots, 'CURRENT')).toBe(id)
    const files = [`${id}.msgpack`, 'CURRENT', 'HELD-BACK', 'SYNCED', 'VERIFIED', 'changes']
    expect(filesOf(snapshots)).toEqual(files.sort())
    expect(readdirSync(join(snapshots, 'changes'))).toEqual(changes)
    expect(readHeldBack(snapshots)?.reason).toContain(why)
  })

  it('tell of nothing held back any more once a sync succeeds, changed or not', async () => {
    const snapshots = temporaryDirectory()
    const source = sourceOf(20)
    await sync(source, snapshots)
    const syncedAtMs = () => Date.parse(readFileSync(join(snapshots, 'SYNCED'), 'utf8').trim())
    for (const better of [source, sourceOf(21)]) {
      const lastMs = syncedAtMs()
      await sync(sourceOf(40), snapshots)
      expect(readHeldBack(snapshots)).toBeDefined()
      expect(syncedAtMs()).toBe(lastMs)
      expect((await sync(better, snapshots)).exitCode).toBe(0)
      expect(readHeldBack(snapshots)).toBeUndefined()
      expect(syncedAtMs()).toBeGreaterThan(lastMs)
    }
  })

  it.each([
    [
      'names no snapshot',
      (snapshots: string) => writeFileSync(join(snapshots, 'CURRENT'), 'latest'),
    ],
    [
      'names one that is gone',
      (snapshots: string) => rmSync(pathOf(snapshots, readPointer(snapshots, 'CURRENT')!)),
    ],
    [
      'names one that is damaged',
      (snapshots: string) =>
        truncateSync(pathOf(snapshots, readPointer(snapshots, 'CURRENT')!), 99),
    ],
  ])('stay shut where CURRENT %s, until they are forced', async (_, damage) => {
    const snapshots = temporaryDirectory()
    await sync(sourceOf(20), snapshots)
    damage(snapshots)
    const pointer = readFileSync(join(snapshots, 'CURRENT'), 'utf8')
    const { exitCode, stderr } = await sync(sourceOf(21), snapshots)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('--force')])
    expect(readFileSync(join(snapshots, 'CURRENT'), 'utf8')).toBe(pointer)
    expect((await sync(sourceOf(21), snapshots, '--force')).exitCode).toBe(0)
  })

  it('never remove a snapshot that was there before', async () => {
    const snapshots = temporaryDirectory()
    const large = JSON.parse((await sync(sourceOf(40), snapshots)).stdout)
    await sync(sourceOf(20), snapshots, '--force')
    expect((await sync(sourceOf(40), snapshots)).exitCode).toBe(1)
    expect(existsSync(pathOf(snapshots, large.id))).toBe(true)
  })
})

describe('sync --watch', () => {
  it('publishes at once and after each change, many changes as one', async () => {
    const source = sourceOf(20)
    const snapshots = temporaryDirectory()
    const { child, ended, lines } = job(source, snapshots, '--watch')
    await until(() => lines().length === 1)
    for (let number = 21; number <= 23; number += 1) {
      appendFileSync(join(source, 'authorities.ndjson'), lineOf(number))
    }
    await until(() => lines().length === 2)
    expect(lines().map(({ published, authorities }) => [published, authorities])).toEqual([
      [true, 20],
      [true, 23],
    ])
    expect(readPointer(snapshots, 'CURRENT')).toBe(lines()[1]!.id)
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ exitCode: 0, signal: null })
    expect(lines().length).toBe(2)
  })

  it('goes on after a source that was held back or could not be read', async () => {
    const source = sourceOf(20)
    const snapshots = temporaryDirectory()
    const { lines, errors } = job(source, snapshots, '--watch')
    await until(() => lines().length === 1)
    writeSource(source, 40)
    await until(() => errors().includes('authorities: 100.0 % new'))
    writeFileSync(join(source, 'authorities.ndjson'), '{"sdu":\n')
    await until(() => errors().split('nothing was published').length > 2)
    expect(readPointer(snapshots, 'CURRENT')).toBe(lines()[0]!.id)
    writeSource(source, 22)
    await until(() => lines().length === 2)
    expect(lines()[1]).toMatchObject({ published: true, authorities: 22 })
  })

  it('ends with 1 where there is no source to watch', async () => {
    const source = join(temporaryDirectory(), 'none')
    const { exitCode, stderr } = await sync(source, temporaryDirectory(), '--watch')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stderr).message).toBe(`${source} holds no authorities.ndjson`)
  })

  it.each([
    [
      'moved away, and another put in its place',
      renameSync,
      (folder: string, next: string) => {
        renameSync(folder, `${folder}-before`)
        renameSync(next, folder)
      },
    ],
    [
      'removed and made anew',
      renameSync,
      (folder: string) => {
        rmSync(folder, { recursive: true })
        mkdirSync(folder)
        writeSource(folder, 22)
      },
    ],
    [
      'a link that leads elsewhere now',
      symlinkSync,
      (folder: string, next: string) => {
        symlinkSync(next, `${folder}-link`)
        renameSync(`${folder}-link`, folder)
      },
    ],
  ])('follows a folder that was %s', async (_, place, replace) => {
    const directory = temporaryDirectory()
    const [first, next, folder] = ['first', 'next', 'folder'].map((name) => join(directory, name))
    mkdirSync(first!)
    writeSource(first!, 20)
    mkdirSync(next!)
    writeSource(next!, 22)
    place(first!, folder!)
    const { lines } = job(folder!, temporaryDirectory(), '--watch')
    await until(() => lines().length === 1)
    replace(folder!, next!)
    await until(() => lines().length === 2)
    expect(lines()[1]).toMatchObject({ published: true, authorities: 22 })
  })
})

describe('sync --interval', () => {
  it('syncs again and again, and publishes what has changed', async () => {
    const source = sourceOf(20)
    const snapshots = temporaryDirectory()
    const { child, ended, lines } = job(source, snapshots, '--interval', '1')
    // It goes on by itself: a test that was held up sees three at once.
    await until(() => lines().length >= 2)
    writeSource(source, 21)
    await until(() => lines().some(({ published, authorities }) => published && authorities === 21))
    expect(lines().slice(0, 2)).toMatchObject([{ published: true }, { published: false }])
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ exitCode: 0, signal: null })
  })
})

it('a sync of a directory in which another works is refused with one line', async () => {
  const snapshots = temporaryDirectory()
  const lock = acquireLock(join(snapshots, 'sync.lock'))
  const { exitCode, stdout, stderr } = await sync(sourceOf(20), snapshots)
  expect([exitCode, stdout]).toEqual([1, ''])
  const { message } = JSON.parse(stderr)
  expect(message).toBe(`another process is already using the directory ${snapshots}`)
  expect(filesOf(snapshots)).toEqual([])
  lock.release()
  expect((await sync(sourceOf(20), snapshots)).exitCode).toBe(0)
})
