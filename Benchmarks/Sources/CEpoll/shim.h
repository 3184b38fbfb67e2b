// What the module Glibc leaves out.
#include <sys/epoll.h>
