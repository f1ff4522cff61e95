/* SPDX-License-Identifier: Apache-2.0
 *
 * Binds to the oldest versions of symbols that newer C libraries moved or renewed, so that a
 * library built here loads with glibc 2.17. Behaviour is the same; only the version node differs.
 */
#ifndef OUTBOARD_GLIBC_H
#define OUTBOARD_GLIBC_H

#include <features.h>

#ifdef __GLIBC__
#if defined(__x86_64__)
#define OB_OLDEST "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define OB_OLDEST "GLIBC_2.17"
#endif
#endif

#ifdef OB_OLDEST
#define OB_BIND(name) __asm__(".symver " #name "," #name "@" OB_OLDEST)
OB_BIND(pthread_create);
OB_BIND(pthread_detach);
OB_BIND(pthread_join);
OB_BIND(pthread_attr_getstack);
OB_BIND(pthread_getattr_np);
OB_BIND(pthread_getspecific);
OB_BIND(pthread_key_create);
OB_BIND(pthread_key_delete);
OB_BIND(pthread_mutex_timedlock);
OB_BIND(pthread_mutex_trylock);
OB_BIND(pthread_once);
OB_BIND(pthread_setspecific);
OB_BIND(pthread_sigmask);
OB_BIND(pthread_rwlock_init);
OB_BIND(pthread_rwlock_rdlock);
OB_BIND(pthread_rwlock_wrlock);
OB_BIND(pthread_rwlock_unlock);
OB_BIND(dlopen);
OB_BIND(dlsym);
OB_BIND(dlerror);
#endif

#endif
