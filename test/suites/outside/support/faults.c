/*
 * A library to preload that has calls on some files fail, as one line of the file $OUTSIDE_FAULTS says:
 *   CALLS ERRNO FROM TO AFTER FILE
 * CALLS is any, open, write, doubt, sync, rename or read; bytes outside FROM..TO pass; AFTER calls pass first;
 * FILE is how the path ends, or a directory with / at its end. Without the file nothing fails. A call that fails has done nothing, but for doubt:
 * the first write at a place is done, and fails; what follows it is not done.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct fault {
  char calls[16], file[2048];
  int error;
  long long from, to, after;
};

#define REAL(result, name, ...) \
  static result (*real)(__VA_ARGS__); \
  if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* The C library's own calls, which this library does not replace for itself. */
static int plain_open(const char *path, int flags) {
  REAL(int, "open", const char *, int, ...);
  return real(path, flags);
}
static ssize_t plain_read(int fd, void *into, size_t count) {
  REAL(ssize_t, "read", int, void *, size_t);
  return real(fd, into, count);
}

static _Atomic long long passed;
static _Atomic long long passed_of;

/* What is told now; 0 where nothing is. */
static int told(struct fault *fault) {
  const char *path = getenv("OUTSIDE_FAULTS");
  if (!path) return 0;
  int before = errno;
  int fd = plain_open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) { errno = before; return 0; }
  char text[2304];
  ssize_t got = plain_read(fd, text, sizeof text - 1);
  struct stat seen;
  int is_seen = fstat(fd, &seen) == 0;
  close(fd);
  errno = before;
  if (got <= 0 || !is_seen) return 0;
  text[got] = 0;
  int words = sscanf(text, "%15s %d %lld %lld %lld %2047[^\n]", fault->calls, &fault->error,
                     &fault->from, &fault->to, &fault->after, fault->file);
  if (words != 6) return 0;
  /* Each line is a file of its own: its calls are counted from the first. */
  if (atomic_exchange(&passed_of, (long long)seen.st_ino) != (long long)seen.st_ino) passed = 0;
  return 1;
}

static int is_of(const struct fault *fault, const char *call) {
  if (strcmp(fault->calls, "any") == 0) return strcmp(call, "read") && strcmp(call, "doubt");
  return strcmp(fault->calls, call) == 0;
}

static int is_about(const struct fault *fault, const char *path) {
  size_t wanted = strlen(fault->file), has = strlen(path);
  if (wanted == 0) return 0;
  if (fault->file[wanted - 1] == '/') return strstr(path, fault->file) != NULL;
  if (has >= wanted && strcmp(path + has - wanted, fault->file) == 0) return 1;
  /* A file that was removed while it is open. */
  const char *gone = " (deleted)";
  size_t tail = strlen(gone);
  return has >= wanted + tail && strcmp(path + has - tail, gone) == 0 &&
         strncmp(path + has - tail - wanted, fault->file, wanted) == 0;
}

static int fails(const struct fault *fault) {
  if (atomic_fetch_add(&passed, 1) < fault->after) return 0;
  errno = fault->error;
  return 1;
}

/* Whether a call with a path fails; errno says how. */
static int fails_at(const char *call, const char *path) {
  struct fault fault;
  return told(&fault) && is_of(&fault, call) && is_about(&fault, path) && fails(&fault);
}

/* Whether a call on an open file fails; `at` is -1 where it is about no bytes in particular. */
static int fails_on(const char *call, int fd, long long at, long long count) {
  struct fault fault;
  if (fd <= 2 || !told(&fault) || !is_of(&fault, call)) return 0;
  int before = errno;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  errno = before;
  if (length <= 0 || path[0] != '/') return 0;
  path[length] = 0;
  if (!is_about(&fault, path)) return 0;
  if (at >= 0 && (at + count <= fault.from || at >= fault.to)) return 0;
  return fails(&fault);
}

/* Where the next byte goes of a file that is written or read in its order; -1 where nobody knows. */
static long long place(int fd) {
  int before = errno;
  long long at = lseek(fd, 0, SEEK_CUR);
  errno = before;
  return at;
}

static long long sum(const struct iovec *parts, int count) {
  long long all = 0;
  for (int part = 0; part < count; part += 1) all += parts[part].iov_len;
  return all;
}

#define WRITER(name, offset) \
  ssize_t name(int fd, const void *bytes, size_t count, offset at) { \
    REAL(ssize_t, #name, int, const void *, size_t, offset); \
    if (fails_on("doubt", fd, at, count)) { \
      int error = errno; \
      if (passed == 1) (void)!real(fd, bytes, count, at); \
      errno = error; \
      return -1; \
    } \
    return fails_on("write", fd, at, count) ? -1 : real(fd, bytes, count, at); \
  }
WRITER(pwrite, off_t)
WRITER(pwrite64, off64_t)

#define VECTOR_WRITER(name, offset) \
  ssize_t name(int fd, const struct iovec *parts, int count, offset at) { \
    REAL(ssize_t, #name, int, const struct iovec *, int, offset); \
    return fails_on("write", fd, at, sum(parts, count)) ? -1 : real(fd, parts, count, at); \
  }
VECTOR_WRITER(pwritev, off_t)
VECTOR_WRITER(pwritev64, off64_t)

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(ssize_t, "write", int, const void *, size_t);
  return fails_on("write", fd, place(fd), count) ? -1 : real(fd, bytes, count);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, "writev", int, const struct iovec *, int);
  return fails_on("write", fd, place(fd), sum(parts, count)) ? -1 : real(fd, parts, count);
}

ssize_t copy_file_range(int from, off64_t *from_at, int to, off64_t *to_at, size_t count, unsigned flags) {
  REAL(ssize_t, "copy_file_range", int, off64_t *, int, off64_t *, size_t, unsigned);
  long long at = to_at ? *to_at : place(to);
  return fails_on("write", to, at, count) ? -1 : real(from, from_at, to, to_at, count, flags);
}

#define SENDER(name, offset) \
  ssize_t name(int to, int from, offset *at, size_t count) { \
    REAL(ssize_t, #name, int, int, offset *, size_t); \
    return fails_on("write", to, place(to), count) ? -1 : real(to, from, at, count); \
  }
SENDER(sendfile, off_t)
SENDER(sendfile64, off64_t)

#define TRUNCATER(name, offset) \
  int name(int fd, offset length) { \
    REAL(int, #name, int, offset); \
    return fails_on("write", fd, -1, 0) ? -1 : real(fd, length); \
  }
TRUNCATER(ftruncate, off_t)
TRUNCATER(ftruncate64, off64_t)

#define RESERVER(name, offset) \
  int name(int fd, offset at, offset count) { \
    REAL(int, #name, int, offset, offset); \
    return fails_on("write", fd, at, count) ? errno : real(fd, at, count); \
  }
RESERVER(posix_fallocate, off_t)
RESERVER(posix_fallocate64, off64_t)

#define SYNCER(name) \
  int name(int fd) { \
    REAL(int, #name, int); \
    return fails_on("sync", fd, -1, 0) ? -1 : real(fd); \
  }
SYNCER(fsync)
SYNCER(fdatasync)

#define READER(name, offset) \
  ssize_t name(int fd, void *into, size_t count, offset at) { \
    REAL(ssize_t, #name, int, void *, size_t, offset); \
    return fails_on("read", fd, at, count) ? -1 : real(fd, into, count, at); \
  }
READER(pread, off_t)
READER(pread64, off64_t)

ssize_t read(int fd, void *into, size_t count) {
  REAL(ssize_t, "read", int, void *, size_t);
  return fails_on("read", fd, place(fd), count) ? -1 : real(fd, into, count);
}

static int is_to_write(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }

/* The mode is there only where a file may be made. */
#define MODE(last) \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, last); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

#define OPENER(name) \
  int name(const char *path, int flags, ...) { \
    MODE(flags) \
    REAL(int, #name, const char *, int, ...); \
    return is_to_write(flags) && fails_at("open", path) ? -1 : real(path, flags, mode); \
  }
OPENER(open)
OPENER(open64)

#define OPENER_AT(name) \
  int name(int directory, const char *path, int flags, ...) { \
    MODE(flags) \
    REAL(int, #name, int, const char *, int, ...); \
    return is_to_write(flags) && fails_at("open", path) ? -1 : real(directory, path, flags, mode); \
  }
OPENER_AT(openat)
OPENER_AT(openat64)

int mkdir(const char *path, mode_t mode) {
  REAL(int, "mkdir", const char *, mode_t);
  return fails_at("open", path) ? -1 : real(path, mode);
}

int link(const char *from, const char *to) {
  REAL(int, "link", const char *, const char *);
  return fails_at("rename", to) ? -1 : real(from, to);
}

int rename(const char *from, const char *to) {
  REAL(int, "rename", const char *, const char *);
  return fails_at("rename", to) ? -1 : real(from, to);
}
