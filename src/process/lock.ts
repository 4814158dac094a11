/**
 * A lock that admits one process to a directory. It is a sequence of files `<file>.<generation>`: the creator
 * of the highest one holds the lock. A process creates a generation only after it has seen that the one
 * before is released or dead. Creation is exclusive, so exactly one of the processes that see the same dead
 * holder becomes the next. The last file stays after a release: otherwise a slow process could create a
 * generation that had been held before.
 */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname } from 'node:path'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Refusal } from '../problems.ts'

/** A lock that this process holds. */
export interface Lock {
  /** False after `release`, and after another process took the lock from a holder that stood still. */
  isHeld(): boolean
  /**
   * Admits the next process. A second call does nothing. Never throws: a write that the disk refuses is
   * repeated with every heartbeat while this process lives.
   */
  release(): void
}

/** Options of acquiring a lock. */
export interface LockOptions {
  /** The time between two heartbeats of the holder. */
  readonly heartbeatMs?: number
  /** Time without a heartbeat after which a holder in another container or on another host counts as dead. */
  readonly silenceMs?: number
  readonly sleep?: (milliseconds: number) => Promise<unknown>
  /** The mode of its files, less the umask; that of other new files unless given. */
  readonly fileMode?: number
}

/** The holder of a lock: its machine and its process. An unknown member is empty. */
interface Holder {
  readonly host: string
  readonly bootId: string
  readonly pidNamespace: string
  readonly pid: number
  /** Clock ticks from boot to the start of the process: with the pid, this names it for ever. */
  readonly startedAt: string
}

const releasedMark = 'released'

/** Maximum number of attempts in which another process is faster, before this one gives up. */
const triesMax = 1_000

/** The time between two looks at another holder's heartbeat. */
const lookMs = 250

/**
 * Takes the lock, or finds its holder. A holder on this machine is dead when its process is. Another holder is
 * dead if its heartbeat stands still while this process watches it; no clock is compared, because two clocks
 * need not agree. The heartbeat comes from a thread of its own until the release, so a busy process keeps the
 * lock; that thread keeps no process alive.
 * @throws Refusal `already-running` naming the directory and the process that holds it.
 */
export async function acquireLock(file: string, options: LockOptions = {}): Promise<Lock> {
  const { heartbeatMs = 1_000, silenceMs = 10_000, sleep = sleepFor, fileMode = 0o666 } = options
  mkdirSync(dirname(file), { recursive: true })
  for (let tries = 0; tries < triesMax; tries += 1) {
    const last = lastGeneration(file)
    if (last > 0) await refuseIfHeld(`${file}.${last}`, silenceMs, sleep)
    const path = `${file}.${last + 1}`
    if (!createExclusively(path, fileMode)) continue
    if (lastGeneration(file) === last + 1) {
      removeGenerationsBefore(file, last + 1)
      return heldLock(path, heartbeatMs)
    }
    rmSync(path, { force: true })
  }
  throw new Refusal('already-running', `${dirname(file)}: others keep taking its lock`)
}

/**
 * Checks whether a process holds the lock, without taking it. The answer comes at once if the holder is a
 * process of this machine, else after at most `silenceMs`.
 * @throws Refusal `already-running` as `acquireLock`.
 */
export async function refuseWhileHeld(file: string, options: LockOptions = {}): Promise<void> {
  const { silenceMs = 10_000, sleep = sleepFor } = options
  if (!isPresent(dirname(file))) return
  const last = lastGeneration(file)
  if (last > 0) await refuseIfHeld(`${file}.${last}`, silenceMs, sleep)
}

function heldLock(path: string, heartbeatMs: number): Lock {
  let held = true
  const heart = startHeart(path, heartbeatMs)
  return {
    isHeld: () => {
      held &&= isPresent(path)
      return held
    },
    release: () => {
      void heart.terminate()
      if (held) markReleased(path, heartbeatMs)
      held = false
    },
  }
}

/**
 * Touches the file again and again, each time with a later time, even if the clock goes back. A
 * heartbeat that the disk refuses is only missed: the next one may succeed, and `isHeld` finds out
 * whether another process took the lock in between.
 */
const heartbeat = `
  const { utimesSync } = require('node:fs')
  const { path, heartbeatMs } = require('node:worker_threads').workerData
  let lastMs = 0
  setInterval(() => {
    lastMs = Math.max(Date.now(), lastMs + 1000)
    try {
      utimesSync(path, lastMs / 1000, lastMs / 1000)
    } catch {}
  }, heartbeatMs)
`

/** The heart is a text and not a module, so that it starts at once under any flags of the process. */
function startHeart(path: string, heartbeatMs: number): Worker {
  const workerData = { path, heartbeatMs }
  const heart = new Worker(heartbeat, { eval: true, execArgv: [], workerData })
  heart.unref()
  return heart
}

/** A follower removes the files before its own, so a file that is gone means that the lock is. */
function isPresent(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/**
 * Writes the mark over the beginning of the file, for which a full disk has room. The file of a holder
 * begins otherwise, so a reader never takes half a mark for a holder.
 */
function markReleased(path: string, retryMs: number): void {
  try {
    if (isPresent(path)) overwrite(path, releasedMark)
  } catch {
    // The holder goes on with its work; the process that wants the lock waits until the disk works.
    setTimeout(() => markReleased(path, retryMs), retryMs).unref()
  }
}

function overwrite(path: string, text: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    writeSync(descriptor, text, 0)
    ftruncateSync(descriptor, text.length)
  } finally {
    closeSync(descriptor)
  }
}

/** Creates a file; false if it exists. Leaves no file behind that it could not write. */
function createExclusively(path: string, mode: number): boolean {
  let descriptor: number
  try {
    descriptor = openSync(path, 'wx', mode)
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return false
    throw error
  }
  try {
    writeFileSync(descriptor, JSON.stringify(currentHolder()))
    return true
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

/** The highest generation; 0 for a lock that was never held. */
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

async function refuseIfHeld(
  path: string,
  silenceMs: number,
  sleep: (milliseconds: number) => Promise<unknown>,
): Promise<void> {
  let seen = look(path)
  let silentMs = 0
  while (seen !== undefined && silentMs < silenceMs) {
    const holder = parseHolder(seen.text)
    if (holder !== undefined && isHere(holder)) {
      if (isRunning(holder)) throw heldBy(holder, path)
      return
    }
    await sleep(lookMs)
    const now = look(path)
    // A lock that is being taken differs from a heartbeat: it names its holder.
    const isBeaten = now?.text === seen.text && now.beatAtMs !== seen.beatAtMs
    if (isBeaten) throw heldBy(holder, path)
    silentMs = now?.text === seen.text ? silentMs + lookMs : 0
    seen = now
  }
}

/** Reads a lock file; undefined if the lock is free. Opening the file makes a network file system look anew. */
function look(path: string): { readonly text: string; readonly beatAtMs: number } | undefined {
  const descriptor = unlessMissing(() => openSync(path, 'r'))
  if (descriptor === undefined) return undefined
  try {
    const text = readFileSync(descriptor, 'utf8')
    const isReleased = text.startsWith(releasedMark)
    return isReleased ? undefined : { text, beatAtMs: fstatSync(descriptor).mtimeMs }
  } finally {
    closeSync(descriptor)
  }
}

function heldBy(holder: Holder | undefined, path: string): Refusal {
  const who = holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host}`
  return new Refusal('already-running', `${who} is already using the directory ${dirname(path)}`)
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

/**
 * Whether the pid of the holder means the same process here: only then can its death be proven. The
 * boot says more than the name of the host, which may change meanwhile.
 */
function isHere(holder: Holder): boolean {
  const { host, bootId, pidNamespace } = currentPlace()
  if (holder.bootId !== bootId || holder.pidNamespace !== pidNamespace) return false
  return bootId !== '' || holder.host === host
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

/** Returns the result of `read`, or undefined when there is no such file or process. */
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
