/** One holder at a time, after any death, and however many processes find the same dead holder. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Refusal } from '../../../src/problems.ts'
import { acquireLock, type Lock, type LockOptions } from '../../../src/process/lock.ts'
import { compiled } from '../../support/processes/compiled.ts'

const holder = compiled(join(import.meta.dirname, 'lock-holder.ts'))

let directory: string
let file: string
let children: ChildProcess[]

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lock-'))
  file = join(directory, 'serve.lock')
  children = []
})

afterEach(async () => {
  for (const child of children) await killed(child)
  rmSync(directory, { recursive: true, force: true })
})

/** A process that is ready to try to take the lock. */
async function startHolder(): Promise<ChildProcess> {
  const child = fork(holder, [file], { execArgv: [] })
  children.push(child)
  await once(child, 'message')
  return child
}

/** Lets a process try, and answers whether it has the lock. */
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

/** Field 22 of `/proc/<pid>/stat`. */
function startedAt(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!
}

/** The lock of a process that cannot be looked at. */
function writeForeignLock(text: string): void {
  writeFileSync(`${file}.1`, text)
}

/** Takes the lock, which must be free. */
async function takeAndRelease(options: LockOptions = {}): Promise<void> {
  const lock = await acquireLock(file, options)
  lock.release()
}

/** Sleeps for no time. */
async function noTime(): Promise<void> {}

const foreignHolder = JSON.stringify({
  host: 'another-host',
  bootId: '',
  pidNamespace: '',
  pid: 1,
  startedAt: '1',
})

describe('the lock', () => {
  test('keeps a second holder out, and names the directory and the first', async () => {
    const lock = await acquireLock(file)
    const who = `process ${process.pid} on ${hostname()}`
    await expect(acquireLock(file)).rejects.toThrow(
      new Refusal('already-running', `${who} is already using the directory ${directory}`),
    )
    expect(lock.isHeld()).toBe(true)
    lock.release()
  })

  test('lets the next one in after a release, and a second release takes nothing from it', async () => {
    const first = await acquireLock(file)
    first.release()
    expect(first.isHeld()).toBe(false)
    const second = await acquireLock(file)
    first.release()
    expect(second.isHeld()).toBe(true)
    await expect(acquireLock(file)).rejects.toThrow(Refusal)
    second.release()
  })

  test('is released without an error where the disk refuses the mark, and marked when it takes it', async () => {
    const lock = await acquireLock(file, { heartbeatMs: 5 })
    const text = readFileSync(`${file}.1`, 'utf8')
    // A directory cannot be opened for writing, as a file on a broken disk cannot.
    rmSync(`${file}.1`)
    mkdirSync(`${file}.1`)
    lock.release()
    expect(lock.isHeld()).toBe(false)
    rmSync(`${file}.1`, { recursive: true })
    writeFileSync(`${file}.1`, text)
    await expect.poll(() => readFileSync(`${file}.1`, 'utf8')).toBe('released')
    await takeAndRelease()
  })

  test('leaves one file behind, however often it was held', async () => {
    for (let i = 0; i < 5; i++) await takeAndRelease()
    expect(readdirSync(directory)).toEqual(['serve.lock.5'])
  })

  test('is refused while another process holds it, and free at once when that one is killed', async () => {
    const child = await startHolder()
    expect(await outcome(child)).toBe('held')
    await expect(acquireLock(file)).rejects.toThrow(`process ${child.pid} on`)
    await killed(child)
    await takeAndRelease()
  })

  test('is not taken from a live process here, whatever its host is called and its clock says', async () => {
    const child = await startHolder()
    expect(await outcome(child)).toBe('held')
    const text = readFileSync(`${file}.1`, 'utf8')
    writeFileSync(`${file}.1`, text.replace(hostname(), 'renamed'))
    utimesSync(`${file}.1`, 1, 1)
    await expect(acquireLock(file)).rejects.toThrow(`process ${child.pid} on renamed`)
  })

  test('is taken from a dead process whose pid belongs to another one now', async () => {
    const lock = await acquireLock(file)
    const text = readFileSync(`${file}.1`, 'utf8')
    lock.release()
    const earlier = { ...JSON.parse(text), startedAt: '1' }
    writeFileSync(`${file}.1`, JSON.stringify(earlier))
    await takeAndRelease()
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

  test('is not given to a slow process by the generation that it saw before others came and went', async () => {
    writeForeignLock(foreignHolder)
    let third: Lock | undefined
    // While it watches the last holder, which is dead.
    const sleep = async () => {
      if (third !== undefined) return
      await takeAndRelease({ sleep: noTime })
      third = await acquireLock(file)
    }
    await expect(acquireLock(file, { sleep })).rejects.toThrow('already using')
    expect(third?.isHeld()).toBe(true)
    expect(readdirSync(directory)).toEqual(['serve.lock.3'])
    third?.release()
  })

  test('is taken from a process that was killed and that its parent has not collected', async () => {
    const parent = spawn('/bin/sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    children.push(parent)
    const [output] = await once(parent.stdout, 'data')
    const pid = Number(output)
    // A shell collects its children; the sleep that takes its place does not.
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
    const lock = await acquireLock(file)
    const here = JSON.parse(readFileSync(`${file}.1`, 'utf8'))
    lock.release()
    writeFileSync(`${file}.1`, JSON.stringify({ ...here, pid, startedAt: startedAt(pid) }))
    await expect(acquireLock(file)).rejects.toThrow(`process ${pid} on`)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)
    await takeAndRelease()
  })

  test('of a process that cannot be looked at is kept while its heart beats, whatever the time it says', async () => {
    for (const atS of [1, 4_000_000_000]) {
      writeForeignLock(foreignHolder)
      const sleep = async () => utimesSync(`${file}.1`, atS, atS)
      await expect(acquireLock(file, { sleep })).rejects.toThrow('process 1 on another-host')
    }
  })

  test('of a process that cannot be looked at is taken when it is silent, however young it looks', async () => {
    writeForeignLock(foreignHolder)
    utimesSync(`${file}.1`, 4_000_000_000, 4_000_000_000)
    let sleptMs = 0
    const sleep = async (milliseconds: number) => {
      sleptMs += milliseconds
    }
    await takeAndRelease({ silenceMs: 7_000, sleep })
    expect(sleptMs).toBe(7_000)
  })

  test('that is being written is kept for its writer, and taken when it was never finished', async () => {
    const child = await startHolder()
    expect(await outcome(child)).toBe('held')
    const text = readFileSync(`${file}.1`, 'utf8')
    writeForeignLock('')
    const sleep = async () => writeFileSync(`${file}.1`, text)
    await expect(acquireLock(file, { sleep })).rejects.toThrow(`process ${child.pid} on`)
    await killed(child)
    writeForeignLock('')
    await takeAndRelease({ sleep: noTime })
  })

  test('tells a holder that stood still that another one has followed it', async () => {
    const lock = await acquireLock(file, { heartbeatMs: 1_000_000 })
    const text = readFileSync(`${file}.1`, 'utf8')
    writeForeignLock(text.replace(/"pidNamespace":"[^"]*"/, '"pidNamespace":"another"'))
    const follower = await acquireLock(file, { sleep: noTime })
    expect(lock.isHeld()).toBe(false)
    lock.release()
    expect(follower.isHeld()).toBe(true)
    follower.release()
  })

  test('has a heart that beats while its process is busy, and also where the clock stands', async () => {
    const lock = await acquireLock(file, { heartbeatMs: 5 })
    const beatAtMs = () => statSync(`${file}.1`).mtimeMs
    for (let before = beatAtMs(), beats = 0; beats < 3; beats += 1) {
      // Nothing of this thread runs meanwhile.
      while (beatAtMs() <= before) {}
      before = beatAtMs()
    }
    expect(lock.isHeld()).toBe(true)
    lock.release()
  })
})
