/** A disk of a chosen size, which can be full: a tmpfs that the test mounts and that ends with it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'

/** Whether this process may mount a file system; says so where it may not. */
export function canMount(): boolean {
  const probe = ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', '/mnt']
  const isPossible = process.getuid?.() === 0 && spawnSync('unshare', probe).status === 0
  if (!isPossible) console.error('skipped: to mount a tmpfs takes root (CAP_SYS_ADMIN)')
  return isPossible
}

/** A mounted disk. */
interface SmallDisk {
  readonly path: string
  /** Gives it another size; what lies there stays. */
  resize(bytes: number): void
  /** Fills it to the last byte with one file. */
  fill(): void
  /** Removes that file. */
  empty(): void
}

/** Mounts a disk of so many bytes; it is unmounted when the test is over. */
export function mountSmallDisk(bytes: number): SmallDisk {
  const path = temporaryDirectory()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'none', path])
  // Lazily: a service that the test has killed may still be on its way out.
  onTestFinished(() => void execFileSync('umount', ['--lazy', path]))
  const filling = join(path, 'filling')
  return {
    path,
    resize: (size) => void execFileSync('mount', ['-o', `remount,size=${size}`, path]),
    fill: () => {
      const { bavail, bsize } = statfsSync(path)
      writeFileSync(filling, Buffer.alloc(bavail * bsize))
    },
    empty: () => rmSync(filling, { force: true }),
  }
}
