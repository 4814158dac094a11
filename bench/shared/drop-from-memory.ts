import { execFileSync } from 'node:child_process'

/** Drops what is on the disk of a file from the cache of the operating system (posix_fadvise, by dd). */
export function dropFromMemory(path: string): void {
  execFileSync('dd', [`if=${path}`, 'iflag=nocache', 'count=0', 'status=none'])
}
