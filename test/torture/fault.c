/*
 * Counts the calls of a process that change files below a folder, and lets one
 * of them go wrong. It is loaded before the C library (LD_PRELOAD), so that it
 * meets the writes of native libraries too.
 *
 * FAULT_BELOW   folder; calls on other paths are neither counted nor changed
 * FAULT_TRACE   file that gets a line "NUMBER CALL PATH" for each counted call
 * FAULT_AT      number of the call that goes wrong, from 1; none when 0
 * FAULT_EFFECT  kill   the process ends before the call
 *               torn   half of a write is done, other calls wholly; then the process ends
 *               short  half of a write is done, as the system may; other calls are not changed
 *               once   the call fails with FAULT_ERRNO
 *               on     it fails, and so do all that follow and take room on the disk
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum effect { KILL, TORN, SHORT, ONCE, ON };
enum verdict { GO, HALVE, FAIL };

static const char *below;
static size_t below_length;
static enum effect effect;
static int error_number;
static long at;
static int trace = -1;
static atomic_long counted;

__attribute__((constructor)) static void start(void) {
  const char *text;
  below = getenv("FAULT_BELOW");
  below_length = below ? strlen(below) : 0;
  at = (text = getenv("FAULT_AT")) ? atol(text) : 0;
  error_number = (text = getenv("FAULT_ERRNO")) ? atoi(text) : EIO;
  text = getenv("FAULT_EFFECT");
  effect = !text || !strcmp(text, "kill") ? KILL
         : !strcmp(text, "torn")          ? TORN
         : !strcmp(text, "short")         ? SHORT
         : !strcmp(text, "once")          ? ONCE
                                          : ON;
  if ((text = getenv("FAULT_TRACE")))
    trace = (int)syscall(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static void end(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* A path without "." and "..": programs may name a file relative to where they are. */
static int is_below(const char *path) {
  char whole[PATH_MAX];
  if (!below) return 0;
  if (path[0] != '/') {
    size_t length;
    if (!getcwd(whole, sizeof whole)) return 0;
    length = strlen(whole);
    if (length + strlen(path) + 2 > sizeof whole) return 0;
    whole[length] = '/';
    strcpy(whole + length + 1, path);
    path = whole;
  }
  return !strncmp(path, below, below_length) && (path[below_length] == '/' || !path[below_length]);
}

static int path_of(int file, char *path) {
  char link[64];
  ssize_t length;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return path[0] == '/'; /* Pipes and sockets have other names. */
}

/* Decides about a call on a path. `takes_room` is 1 for calls that a full disk refuses. */
static enum verdict meet(const char *call, const char *path, int takes_room, int can_halve) {
  long number;
  if (!path || !is_below(path)) return GO;
  number = atomic_fetch_add(&counted, 1) + 1;
  if (trace >= 0) {
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", number, call, path);
    syscall(SYS_write, trace, line, (size_t)length);
  }
  if (!at || number < at) return GO;
  if (effect == ON) return number == at || takes_room ? FAIL : GO;
  if (number > at) return GO;
  if (effect == KILL) end();
  if (effect == ONCE) return FAIL;
  return can_halve || effect == TORN ? HALVE : GO;
}

static enum verdict meet_file(const char *call, int file, int takes_room, int can_halve) {
  char path[PATH_MAX];
  if (!below || !path_of(file, path)) return GO;
  return meet(call, path, takes_room, can_halve);
}

/* Ends the process after a call that was to be the last. */
#define AFTER(verdict) \
  do { if ((verdict) == HALVE && effect == TORN) end(); } while (0)

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define REFUSE(verdict) \
  do { if ((verdict) == FAIL) { errno = error_number; return -1; } } while (0)

/* Calls without a length: name, parameters, arguments, how the path is found, whether they take room. */
#define CALL(name, parameters, arguments, verdict_of) \
  int name parameters { \
    enum verdict verdict; int result; \
    REAL(name); \
    verdict = verdict_of; \
    REFUSE(verdict); \
    result = real arguments; \
    AFTER(verdict); \
    return result; \
  }

CALL(fsync, (int file), (file), meet_file("fsync", file, 1, 0))
CALL(fdatasync, (int file), (file), meet_file("fdatasync", file, 1, 0))
CALL(rename, (const char *from, const char *to), (from, to), meet("rename", to, 0, 0))
CALL(renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), meet("renameat", to, 0, 0))
CALL(renameat2, (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags), meet("renameat2", to, 0, 0))
CALL(link, (const char *from, const char *to), (from, to), meet("link", to, 1, 0))
CALL(unlink, (const char *path), (path), meet("unlink", path, 0, 0))
CALL(unlinkat, (int folder, const char *path, int flags), (folder, path, flags), meet("unlinkat", path, 0, 0))
CALL(remove, (const char *path), (path), meet("remove", path, 0, 0))
CALL(rmdir, (const char *path), (path), meet("rmdir", path, 0, 0))
CALL(mkdir, (const char *path, mode_t mode), (path, mode), meet("mkdir", path, 1, 0))
CALL(chmod, (const char *path, mode_t mode), (path, mode), meet("chmod", path, 0, 0))
CALL(fchmod, (int file, mode_t mode), (file, mode), meet_file("fchmod", file, 0, 0))
CALL(ftruncate, (int file, off_t length), (file, length), meet_file("ftruncate", file, 0, 0))
CALL(ftruncate64, (int file, off64_t length), (file, length), meet_file("ftruncate", file, 0, 0))
CALL(truncate, (const char *path, off_t length), (path, length), meet("truncate", path, 0, 0))
CALL(truncate64, (const char *path, off64_t length), (path, length), meet("truncate", path, 0, 0))
CALL(fallocate, (int file, int mode, off_t from, off_t length), (file, mode, from, length), meet_file("fallocate", file, 1, 0))
CALL(fallocate64, (int file, int mode, off64_t from, off64_t length), (file, mode, from, length), meet_file("fallocate", file, 1, 0))

/* Opening for writing. */
#define OPEN(name, parameters, arguments, path) \
  int name parameters { \
    mode_t mode = 0; enum verdict verdict = GO; int result; \
    REAL(name); \
    if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); } \
    if (flags & (O_CREAT | O_WRONLY | O_RDWR | O_TRUNC)) verdict = meet("open", path, 1, 0); \
    REFUSE(verdict); \
    result = real arguments; \
    AFTER(verdict); \
    return result; \
  }

OPEN(open, (const char *path, int flags, ...), (path, flags, mode), path)
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode), path)
OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode), path)
OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode), path)

/* Half of the bytes, at least one less than all. */
static size_t half(size_t length) { return length / 2; }

#define WRITE(name, parameters, whole, halved, length) \
  ssize_t name parameters { \
    enum verdict verdict; ssize_t result; \
    REAL(name); \
    verdict = meet_file("write", file, 1, (length) > 1); \
    REFUSE(verdict); \
    if (verdict != HALVE) return real whole; \
    result = real halved; \
    AFTER(verdict); \
    return result; \
  }

WRITE(write, (int file, const void *bytes, size_t length), (file, bytes, length), (file, bytes, half(length)), length)
WRITE(pwrite, (int file, const void *bytes, size_t length, off_t to), (file, bytes, length, to), (file, bytes, half(length), to), length)
WRITE(pwrite64, (int file, const void *bytes, size_t length, off64_t to), (file, bytes, length, to), (file, bytes, half(length), to), length)

/* Of several buffers the first one is halved, and the others are left out. */
static const struct iovec *first_half(const struct iovec *buffers, struct iovec *halved) {
  *halved = *buffers;
  halved->iov_len = half(buffers->iov_len);
  return halved;
}

WRITE(writev, (int file, const struct iovec *buffers, int count), (file, buffers, count), (file, first_half(buffers, &(struct iovec){0}), 1), buffers->iov_len)
WRITE(pwritev, (int file, const struct iovec *buffers, int count, off_t to), (file, buffers, count, to), (file, first_half(buffers, &(struct iovec){0}), 1, to), buffers->iov_len)
WRITE(pwritev64, (int file, const struct iovec *buffers, int count, off64_t to), (file, buffers, count, to), (file, first_half(buffers, &(struct iovec){0}), 1, to), buffers->iov_len)
