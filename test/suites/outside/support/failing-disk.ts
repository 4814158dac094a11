/**
 * A disk that refuses writes to one file while a switch is on: a small library that is compiled in a temporary
 * directory and preloaded into a program.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Which calls fail with EIO: writes of the two meta pages, syncs, or all of them. */
export type Refused = 'meta' | 'sync' | 'all'

const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* Whether a call is to be refused: the switch holds the first letter of what is. */
static int refused(int fd, off_t at, int is_sync) {
  char link[64], path[4096], word[1];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  const char *name = getenv("REFUSED_FILE");
  size_t wanted = strlen(name);
  if (length < (ssize_t)wanted || memcmp(path + length - wanted, name, wanted) != 0) return 0;
  int file = open(getenv("REFUSED_SWITCH"), O_RDONLY);
  if (file < 0) return 0;
  int known = read(file, word, 1) == 1;
  close(file);
  if (!known) return 0;
  if (word[0] == 'a') return 1;
  if (word[0] == 's') return is_sync;
  return !is_sync && at < 8192;
}
#define NEXT(name, type) static type next; if (!next) next = (type)dlsym(RTLD_NEXT, name)
#define REFUSE(fd, at, sync) if (refused(fd, at, sync)) { errno = EIO; return -1; }
typedef ssize_t (*one)(int, const void *, size_t, off_t);
typedef ssize_t (*many)(int, const struct iovec *, int, off_t);
typedef int (*sync_call)(int);
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { NEXT("pwrite", one); REFUSE(fd, o, 0) return next(fd, b, n, o); }
ssize_t pwrite64(int fd, const void *b, size_t n, off_t o) { NEXT("pwrite64", one); REFUSE(fd, o, 0) return next(fd, b, n, o); }
ssize_t pwritev(int fd, const struct iovec *v, int n, off_t o) { NEXT("pwritev", many); REFUSE(fd, o, 0) return next(fd, v, n, o); }
ssize_t pwritev64(int fd, const struct iovec *v, int n, off_t o) { NEXT("pwritev64", many); REFUSE(fd, o, 0) return next(fd, v, n, o); }
int fdatasync(int fd) { NEXT("fdatasync", sync_call); REFUSE(fd, 0, 1) return next(fd); }
int fsync(int fd) { NEXT("fsync", sync_call); REFUSE(fd, 0, 1) return next(fd); }
`

/** Whether there is a compiler; says so when there is none. */
export function isCompilerInstalled(): boolean {
  const installed = spawnSync('cc', ['--version']).status === 0
  if (!installed) console.error('skipped: no C compiler (apt-get install gcc)')
  return installed
}

/** A disk that can be switched. */
interface FailingDisk {
  /** For the program. */
  readonly variables: Readonly<Record<string, string>>
  readonly refuse: (what: Refused) => void
  readonly allow: () => void
}

/** @param fileName how the path of the file ends. @param directory where the library and the switch are. */
export function failingDisk(directory: string, fileName: string): FailingDisk {
  const library = join(directory, 'failing-disk.so')
  const code = join(directory, 'failing-disk.c')
  const isRefused = join(directory, 'refused')
  writeFileSync(code, source)
  execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, code, '-ldl'])
  return {
    variables: { LD_PRELOAD: library, REFUSED_FILE: fileName, REFUSED_SWITCH: isRefused },
    refuse: (what) => writeFileSync(isRefused, what),
    allow: () => rmSync(isRefused, { force: true }),
  }
}
