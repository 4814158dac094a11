/** Disks of tests: one of a chosen size (tmpfs), and a library that has writes of some files fail (`faults.c`). */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { isAlive } from './stale.ts'

const mountPrefix = 'outside-disk-'
const mountShape = new RegExp(`/${mountPrefix}(\\d+)-[^/ ]*$`)

/** Why no small disk can be mounted here; undefined where one can. */
export function lackOfDisks(): string | undefined {
  if (process.getuid?.() !== 0) return 'a small disk needs root, to mount it'
  const directory = mkdtempSync(join(tmpdir(), 'outside-mount-'))
  const { status, stderr } = spawnSync('mount', mountWords(directory, 65_536), { encoding: 'utf8' })
  if (status === 0) execFileSync('umount', [directory])
  rmdirSync(directory)
  return status === 0 ? undefined : `a small disk cannot be mounted: ${stderr.trim()}`
}

/** What it takes to mount one; the name of its directory says whose it is. */
function mountWords(directory: string, bytes: number): string[] {
  const options = `size=${bytes},mode=0755,noexec,nosuid,nodev`
  return ['-t', 'tmpfs', '--make-private', '-o', options, 'outside', directory]
}

/** A disk of a few bytes that others cannot fill. */
export class SmallDisk {
  readonly directory: string
  readonly #ballast: string

  private constructor(directory: string) {
    this.directory = directory
    this.#ballast = join(directory, 'ballast')
  }

  static mount(bytes: number): SmallDisk {
    unmountStale()
    const directory = mkdtempSync(join(tmpdir(), `${mountPrefix}${process.pid}-`))
    execFileSync('mount', mountWords(directory, bytes))
    const disk = new SmallDisk(directory)
    onTestFinished(() => unmount(directory))
    return disk
  }

  /** Fills it until no page is left; takes back what it filled before. */
  fill(): void {
    this.empty()
    const page = Buffer.alloc(4_096)
    const ballast = openSync(this.#ballast, 'w')
    try {
      for (;;) writeSync(ballast, page)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    } finally {
      closeSync(ballast)
    }
  }

  empty(): void {
    rmSync(this.#ballast, { force: true })
  }

  /** Gives it another size; what lies there stays. */
  resize(bytes: number): void {
    execFileSync('mount', ['-o', `remount,size=${bytes}`, this.directory])
  }
}

function unmount(directory: string): void {
  // Lazily: a process that was killed a moment ago may still hold a file.
  execFileSync('umount', ['--lazy', directory])
  rmdirSync(directory)
}

/** What runs that were killed left behind among temporary files. Other files of a run may do the same at this moment. */
function unmountStale(): void {
  const place = realpathSync(tmpdir())
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
    const directory = line.split(' ')[4] ?? ''
    const owner = mountShape.exec(directory)?.[1]
    if (owner === undefined || dirname(directory) !== place || isAlive(Number(owner))) continue
    spawnSync('umount', ['--lazy', directory])
    try {
      rmdirSync(directory)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

/** Why the library cannot be made here; undefined where it can. */
export function lackOfFaults(): string | undefined {
  if (process.platform !== 'linux') return 'a disk that fails needs Linux'
  const isThere = spawnSync('cc', ['--version']).status === 0
  return isThere ? undefined : 'a disk that fails needs cc (apt-get install gcc libc6-dev)'
}

export interface Fault {
  /**
   * `any` is all but `read`; `write` also stands for making a file longer, `open` for opening to write.
   * `doubt`: the first write is done and fails all the same; later ones fail.
   */
  readonly calls: 'any' | 'open' | 'write' | 'doubt' | 'sync' | 'rename' | 'read'
  readonly error: 'EIO' | 'ENOSPC' | 'EROFS'
  /** How the path ends, of the file that it is about; a path of a directory with `/` at its end: all below it. */
  readonly file: string
  /** Only bytes from here on. */
  readonly from?: number
  /** How many calls pass before the first that fails; 0 where absent. */
  readonly after?: number
}

const errors = { EIO: 5, ENOSPC: 28, EROFS: 30 } as const

/** A disk that fails on command, for processes that are started with its variables. */
export class FaultyDisk {
  readonly variables: Readonly<Record<string, string>>
  readonly #switch: string

  private constructor(library: string, switchFile: string) {
    this.variables = { LD_PRELOAD: library, OUTSIDE_FAULTS: switchFile }
    this.#switch = switchFile
  }

  /** Compiles the library into a directory that goes with the test. Nothing fails yet. */
  static make(): FaultyDisk {
    const directory = mkdtempSync(join(tmpdir(), 'outside-faults-'))
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const library = join(directory, 'faults.so')
    const source = join(import.meta.dirname, 'faults.c')
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl'])
    return new FaultyDisk(library, join(directory, 'switch'))
  }

  /** From the next call on. A fault stands in the place of the one before. */
  fail({ calls, error, file, from = 0, after = 0 }: Fault): void {
    const words = [calls, errors[error], from, 2n ** 62n, after, file]
    this.#put(`${words.join(' ')}\n`)
  }

  heal(): void {
    rmSync(this.#switch, { force: true })
  }

  /** A reader sees the old text or the new one, never a part. */
  #put(text: string): void {
    const made = `${this.#switch}.${basename(this.#switch)}`
    writeFileSync(made, text)
    renameSync(made, this.#switch)
  }
}
