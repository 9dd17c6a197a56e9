#ifndef CPLATFORM_H
#define CPLATFORM_H
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif
#endif
