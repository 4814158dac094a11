/** One holder at a time, whoever dies, and however many processes find the same dead holder. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
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
import { Refusal } from '../../src/problems.ts'
import { acquireLock, type Lock } from '../../src/process/lock.ts'

const holder = join(import.meta.dirname, 'lock-holder.ts')
const clock = Date.now

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
  const child = fork(holder, [file], { execArgv: ['--import', 'tsx'] })
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

/** The lock of a process that cannot be looked at: another host, its last heartbeat so long ago. */
function writeForeignLock(text: string, ageMs: number): void {
  const path = `${file}.1`
  writeFileSync(path, text)
  const beatAtS = (clock() - ageMs) / 1000
  utimesSync(path, beatAtS, beatAtS)
}

const foreignHolder = JSON.stringify({
  host: 'another-host',
  bootId: '',
  pidNamespace: '',
  pid: 1,
  startedAt: '1',
})

describe('the lock', () => {
  test('keeps a second holder out, and names the directory and the first', () => {
    const lock = acquireLock(file, { clock })
    const who = `process ${process.pid} on ${hostname()}`
    expect(() => acquireLock(file, { clock })).toThrow(
      new Refusal('already-running', `${who} is already using the directory ${directory}`),
    )
    expect(lock.isHeld()).toBe(true)
    lock.release()
  })

  test('lets the next one in after a release, and a second release takes nothing from it', () => {
    const first = acquireLock(file, { clock })
    first.release()
    expect(first.isHeld()).toBe(false)
    const second = acquireLock(file, { clock })
    first.release()
    expect(second.isHeld()).toBe(true)
    expect(() => acquireLock(file, { clock })).toThrow(Refusal)
    second.release()
  })

  test('leaves one file behind, however often it was held', () => {
    for (let i = 0; i < 5; i++) acquireLock(file, { clock }).release()
    expect(readdirSync(directory)).toEqual(['serve.lock.5'])
  })

  test('is refused while another process holds it, and free at once when that one is killed', async () => {
    const child = await startHolder()
    expect(await outcome(child)).toBe('held')
    expect(() => acquireLock(file, { clock })).toThrow(`process ${child.pid} on`)
    await killed(child)
    acquireLock(file, { clock }).release()
  })

  test('is not taken from a live process here, however old its heartbeat is', async () => {
    const child = await startHolder()
    expect(await outcome(child)).toBe('held')
    const muchLater = () => clock() + 3_600_000
    expect(() => acquireLock(file, { clock: muchLater })).toThrow(`process ${child.pid} on`)
  })

  test('is taken from a dead process whose pid belongs to another one now', () => {
    const lock = acquireLock(file, { clock })
    const text = readFileSync(`${file}.1`, 'utf8')
    lock.release()
    const earlier = { ...JSON.parse(text), startedAt: '1' }
    writeFileSync(`${file}.1`, JSON.stringify(earlier))
    acquireLock(file, { clock }).release()
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

  test('is not given to a slow process by the generation that it saw before others came and went', () => {
    acquireLock(file, { clock }).release()
    let third: Lock | undefined
    // The clock is read after the last holder was found and before a new generation is created.
    const slowClock = () => {
      if (third === undefined) {
        acquireLock(file, { clock }).release()
        third = acquireLock(file, { clock })
      }
      return clock()
    }
    expect(() => acquireLock(file, { clock: slowClock })).toThrow('already using')
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
    const lock = acquireLock(file, { clock })
    const here = JSON.parse(readFileSync(`${file}.1`, 'utf8'))
    lock.release()
    writeFileSync(`${file}.1`, JSON.stringify({ ...here, pid, startedAt: startedAt(pid) }))
    expect(() => acquireLock(file, { clock })).toThrow(`process ${pid} on`)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)
    acquireLock(file, { clock }).release()
  })

  test('of a process that cannot be looked at is kept while its heartbeat is young', () => {
    writeForeignLock(foreignHolder, 2_000)
    expect(() => acquireLock(file, { clock })).toThrow('process 1 on another-host')
  })

  test('of a process that cannot be looked at is taken when its heartbeat is old', () => {
    writeForeignLock(foreignHolder, 60_000)
    acquireLock(file, { clock }).release()
  })

  test('that is being written is kept while it is young, and taken when it was never finished', () => {
    writeForeignLock('', 0)
    expect(() => acquireLock(file, { clock })).toThrow('another process is already using')
    writeForeignLock('', 60_000)
    acquireLock(file, { clock }).release()
  })

  test('tells a holder that stood still that another one has followed it', () => {
    const lock = acquireLock(file, { clock })
    const text = readFileSync(`${file}.1`, 'utf8')
    writeForeignLock(text.replace(hostname(), 'another-host'), 60_000)
    const follower = acquireLock(file, { clock })
    expect(lock.isHeld()).toBe(false)
    lock.release()
    expect(follower.isHeld()).toBe(true)
    follower.release()
  })

  test('is renewed by a heartbeat', async () => {
    const lock = acquireLock(file, { clock: () => 1_000_000, heartbeatMs: 5 })
    utimesSync(`${file}.1`, 1, 1)
    await expect.poll(() => statSync(`${file}.1`).mtimeMs).toBe(1_000_000)
    lock.release()
  })
})
