/** One holder at a time, after any death, and however many processes find the same dead holder. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Refusal } from '../../../src/problems.ts'
import { acquireLock, refuseWhileHeld } from '../../../src/process/lock.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { compiled } from '../../support/processes/compiled.ts'

const holder = compiled(join(import.meta.dirname, 'lock-holder.ts'))

let directory: string
let file: string

beforeEach(() => {
  directory = temporaryDirectory()
  file = join(directory, 'serve.lock')
})

async function startHolder(): Promise<ChildProcess> {
  const child = fork(holder, [file], { execArgv: [] })
  onTestFinished(() => killed(child))
  await once(child, 'message')
  return child
}

async function outcome(child: ChildProcess): Promise<string> {
  child.send('try')
  const [message] = await once(child, 'message')
  return message as string
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

function takeAndRelease(): void {
  const lock = acquireLock(file)
  lock.release()
}

describe('the lock', () => {
  test('keeps a second holder out, and names the directory', () => {
    const lock = acquireLock(file)
    const refusal = new Refusal(
      'already-running',
      `another process is already using the directory ${directory}`,
    )
    expect(() => acquireLock(file)).toThrow(refusal)
    expect(() => refuseWhileHeld(file)).toThrow(refusal)
    expect(lock.isHeld()).toBe(true)
    lock.release()
    refuseWhileHeld(file)
  })

  test('lets the next one in after a release, and a second release takes nothing from it', () => {
    const first = acquireLock(file)
    first.release()
    expect(first.isHeld()).toBe(false)
    const second = acquireLock(file)
    first.release()
    expect(second.isHeld()).toBe(true)
    expect(() => acquireLock(file)).toThrow(Refusal)
    second.release()
  })

  test('is one empty file, however often it was held', () => {
    for (let i = 0; i < 4; i++) takeAndRelease()
    const lock = acquireLock(file)
    expect(readdirSync(directory)).toEqual(['serve.lock'])
    expect(statSync(file).size).toBe(0)
    lock.release()
  })

  test('can be taken by those who may write to its directory', () => {
    chmodSync(directory, 0o770)
    takeAndRelease()
    expect(statSync(file).mode & 0o777).toBe(0o660)
  })

  test('is refused while another process holds it, running or stopped, and free at once when that one is killed', async () => {
    const child = await startHolder()
    expect(await outcome(child)).toBe('held')
    expect(() => acquireLock(file)).toThrow('another process is already using')
    child.kill('SIGSTOP')
    expect(() => acquireLock(file)).toThrow('another process is already using')
    await killed(child)
    takeAndRelease()
  })

  test('goes to exactly one of the processes that find the same dead holder', async () => {
    const dead = await startHolder()
    expect(await outcome(dead)).toBe('held')
    await killed(dead)
    const racers = await Promise.all(Array.from({ length: 6 }, startHolder))
    const outcomes = await Promise.all(racers.map(outcome))
    expect(outcomes.filter((text) => text === 'held')).toHaveLength(1)
    expect(outcomes.filter((text) => text === 'already-running')).toHaveLength(5)
  })

  test('of a file that was removed or replaced is not held any more', () => {
    const lock = acquireLock(file)
    renameSync(file, `${file}-before`)
    expect(lock.isHeld()).toBe(false)
    const other = acquireLock(file)
    expect(lock.isHeld()).toBe(false)
    expect(other.isHeld()).toBe(true)
    renameSync(`${file}-before`, file)
    expect([lock.isHeld(), other.isHeld()]).toEqual([false, false])
    lock.release()
    other.release()
  })

  test('on a file that is no lock fails as the file system does', () => {
    writeFileSync(file, 'x'.repeat(4096))
    expect(() => acquireLock(file)).toThrow(expect.objectContaining({ syscall: 'lock' }))
  })
})
