/**
 * One process at a time for a directory. The lock is a row of files `<file>.<generation>`; whoever
 * created the highest one holds it, and a generation is only ever created after the one before it
 * was seen to be released or dead. Creation is exclusive, so of all the processes that see the same
 * dead holder exactly one follows it. The last file stays after a release: were it removed, a slow
 * process could create a generation that had already been held.
 */
import { randomUUID } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname } from 'node:path'
import { Refusal } from '../problems.ts'

/** A lock that this process holds. */
export interface Lock {
  /** False after `release`, and once another process has taken over from a holder that stood still. */
  isHeld(): boolean
  /** Lets the next process in. Calling it again does nothing. */
  release(): void
}

/** How a lock is acquired. */
export interface LockOptions {
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** How often the holder says that it lives. */
  readonly heartbeatMs?: number
  /** Age of a heartbeat after which a holder in another container or on another host is dead. */
  readonly staleAfterMs?: number
}

/** Who holds a lock: where the process runs, and which process it is. Empty where unknown. */
interface Holder {
  readonly host: string
  readonly bootId: string
  readonly pidNamespace: string
  readonly pid: number
  /** Clock ticks from boot to the start of the process: with the pid, this names it for ever. */
  readonly startedAt: string
}

const releasedMark = 'released'

/**
 * Takes the lock, or learns who has it. Writes a heartbeat every second until it is released; the
 * timer keeps no process alive.
 * @throws Refusal `already-running` naming the directory and the process that holds it.
 */
export function acquireLock(file: string, options: LockOptions): Lock {
  const { clock, heartbeatMs = 1_000, staleAfterMs = 5_000 } = options
  mkdirSync(dirname(file), { recursive: true })
  for (;;) {
    const last = lastGeneration(file)
    if (last > 0) refuseIfHeld(file, last, clock(), staleAfterMs)
    const path = `${file}.${last + 1}`
    if (!createExclusively(path, clock())) continue
    if (lastGeneration(file) === last + 1) {
      removeGenerationsBefore(file, last + 1)
      return heldLock(path, clock, heartbeatMs)
    }
    rmSync(path, { force: true })
  }
}

function heldLock(path: string, clock: () => number, heartbeatMs: number): Lock {
  let held = true
  const timer = setInterval(() => beat(path, clock()), heartbeatMs)
  timer.unref()
  return {
    isHeld: () => {
      held &&= isPresent(path)
      return held
    },
    release: () => {
      clearInterval(timer)
      if (held && isPresent(path)) markReleased(path)
      held = false
    },
  }
}

/**
 * A heartbeat that the disk refuses is missed and no more: the next one may succeed, and `isHeld`
 * finds out whether somebody followed in between.
 */
function beat(path: string, nowMs: number): void {
  try {
    utimesSync(path, nowMs / 1000, nowMs / 1000)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}

/** A follower removes the files before its own, so a file that is gone means that the lock is. */
function isPresent(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Replaced in one step, so that nobody reads half a mark. */
function markReleased(path: string): void {
  const temporary = `${path}-${randomUUID()}`
  writeFileSync(temporary, releasedMark)
  renameSync(temporary, path)
}

function createExclusively(path: string, nowMs: number): boolean {
  try {
    writeFileSync(path, JSON.stringify(currentHolder()), { flag: 'wx' })
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false
    throw error
  }
  beat(path, nowMs)
  return true
}

/** The highest generation there is; 0 when nobody ever held the lock. */
function lastGeneration(file: string): number {
  return Math.max(0, ...generations(file))
}

function generations(file: string): number[] {
  const prefix = `${basename(file)}.`
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
}

function removeGenerationsBefore(file: string, generation: number): void {
  for (const earlier of generations(file)) {
    if (earlier < generation) rmSync(`${file}.${earlier}`, { force: true })
  }
}

function refuseIfHeld(file: string, generation: number, nowMs: number, staleAfterMs: number): void {
  const path = `${file}.${generation}`
  const text = unlessMissing(() => readFileSync(path, 'utf8'))
  const beatAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (text === undefined || beatAtMs === undefined || text === releasedMark) return
  const holder = parseHolder(text)
  const isLive =
    holder !== undefined && isHere(holder)
      ? isRunning(holder)
      : Math.abs(nowMs - beatAtMs) < staleAfterMs
  if (!isLive) return
  const who = holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host}`
  throw new Refusal('already-running', `${who} is already using the directory ${dirname(file)}`)
}

function currentHolder(): Holder {
  return {
    ...currentPlace(),
    pid: process.pid,
    startedAt: processStat(process.pid)?.startedAt ?? '',
  }
}

function currentPlace(): Pick<Holder, 'host' | 'bootId' | 'pidNamespace'> {
  return {
    host: hostname(),
    bootId: (readIfAny('/proc/sys/kernel/random/boot_id') ?? '').trim(),
    pidNamespace: unlessMissing(() => readlinkSync('/proc/self/ns/pid')) ?? '',
  }
}

/** Whether the pid of the holder means the same process here: only then can its death be proven. */
function isHere(holder: Holder): boolean {
  const here = currentPlace()
  return (
    holder.host === here.host &&
    holder.bootId === here.bootId &&
    holder.pidNamespace === here.pidNamespace
  )
}

/** A process whose parent has not collected it yet is dead; one that cannot be looked at is not. */
function isRunning(holder: Holder): boolean {
  const stat = processStat(holder.pid)
  if (stat === undefined) return existsForSignals(holder.pid)
  if (stat.state === 'Z' || stat.state === 'X') return false
  return holder.startedAt === '' || holder.startedAt === stat.startedAt
}

function existsForSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isSystemError(error, 'EPERM')
  }
}

/**
 * State and start time of a process from `/proc/<pid>/stat` (proc_pid_stat(5): fields 3 and 22).
 * The name in field 2 can hold anything, so fields are counted from its closing bracket.
 */
function processStat(pid: number): { state: string; startedAt: string } | undefined {
  const stat = readIfAny(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', startedAt: fields[19] ?? '' }
}

/** Undefined for a file that its creator has not finished writing, or never will. */
function parseHolder(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value?.pid === 'number' ? (value as Holder) : undefined
  } catch {
    return undefined
  }
}

function readIfAny(path: string): string | undefined {
  return unlessMissing(() => readFileSync(path, 'utf8'))
}

/** What `read` returns, or undefined when there is no such file or process. */
function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isSystemError(error, 'ENOENT') || isSystemError(error, 'ESRCH')) return undefined
    throw error
  }
}

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code
}
