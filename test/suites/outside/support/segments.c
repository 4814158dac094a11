/* A library to preload that has connections of clients ask for the segments of an Ethernet: 1,460 bytes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

int connect(int fd, const struct sockaddr *to, socklen_t length) {
  static int (*real)(int, const struct sockaddr *, socklen_t);
  if (!real) real = (int (*)(int, const struct sockaddr *, socklen_t))dlsym(RTLD_NEXT, "connect");
  int most = 1460;
  if (to->sa_family == AF_INET || to->sa_family == AF_INET6)
    setsockopt(fd, IPPROTO_TCP, TCP_MAXSEG, &most, sizeof most);
  return real(fd, to, length);
}
