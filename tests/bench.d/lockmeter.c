/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 * For tests/bench cost: how long slurmctld's own read-write locks are held. Preloaded, it stands
 * before pthread's calls and counts in the file that GANGWAY_LOCKMETER names: 64 slots of six
 * numbers of 64 bits: the lock's address, nanoseconds for which a writer held it, how often,
 * nanoseconds for which at least one reader did, how often one came first, and nanoseconds that
 * writers waited. Locks of libraries and of single lists are left out.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SLOTS 64

/* What the file holds of a lock. */
struct figures {
	uint64_t address;
	uint64_t write_ns;
	uint64_t writes;
	uint64_t read_ns;
	uint64_t reads;
	uint64_t wait_ns;
};

/* Beside it: who holds it now. Readers come and go together under the spin lock. */
struct holders {
	atomic_flag busy;
	pthread_t writer;
	bool written;
	uint64_t write_from;
	unsigned int readers;
	uint64_t read_from;
};

typedef int (*lock_fn)(pthread_rwlock_t *);

/* A preloaded library has no other place for what its callers share. */
static struct figures *figures;
static struct holders holders[SLOTS];
static uintptr_t program_begin, program_end;
static lock_fn next_rdlock, next_wrlock, next_tryrdlock, next_trywrlock, next_unlock;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static lock_fn next(const char *name)
{
	union {
		void *object;
		lock_fn function;
	} found = {dlsym(RTLD_NEXT, name)};

	if (!found.function)
		abort();
	return found.function;
}

static void map_figures(void)
{
	const char *path = getenv("GANGWAY_LOCKMETER");
	void *map;
	int fd;

	if (!path)
		return;
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return;
	if (!ftruncate(fd, SLOTS * sizeof(struct figures))) {
		map = mmap(NULL, SLOTS * sizeof(struct figures), PROT_READ | PROT_WRITE, MAP_SHARED,
			   fd, 0);
		if (map != MAP_FAILED)
			figures = map;
	}
	close(fd);
}

/* The first object is the program itself; the others are not asked for. */
static int find_program(struct dl_phdr_info *object, size_t size, void *unused)
{
	uintptr_t begin, end;
	int i;

	(void)size;
	(void)unused;
	program_begin = UINTPTR_MAX;
	for (i = 0; i < object->dlpi_phnum; i++) {
		if (object->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
		end = begin + object->dlpi_phdr[i].p_memsz;
		program_begin = begin < program_begin ? begin : program_begin;
		program_end = end > program_end ? end : program_end;
	}
	return 1;
}

__attribute__((constructor)) static void begin(void)
{
	next_rdlock = next("pthread_rwlock_rdlock");
	next_wrlock = next("pthread_rwlock_wrlock");
	next_tryrdlock = next("pthread_rwlock_tryrdlock");
	next_trywrlock = next("pthread_rwlock_trywrlock");
	next_unlock = next("pthread_rwlock_unlock");
	dl_iterate_phdr(find_program, NULL);
	map_figures();
}

/* The slot of a lock, or -1: no file, not the program's, or all are taken. */
static int slot_of(pthread_rwlock_t *lock)
{
	uint64_t address = (uint64_t)(uintptr_t)lock, none;
	int i;

	if (!figures || address < program_begin || address >= program_end)
		return -1;
	for (i = 0; i < SLOTS; i++) {
		if (__atomic_load_n(&figures[i].address, __ATOMIC_RELAXED) == address)
			return i;
		none = 0;
		if (__atomic_compare_exchange_n(&figures[i].address, &none, address, false,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
		    none == address)
			return i;
	}
	return -1;
}

static struct holders *enter(int slot)
{
	while (atomic_flag_test_and_set_explicit(&holders[slot].busy, memory_order_acquire))
		;
	return &holders[slot];
}

static void leave(struct holders *held)
{
	atomic_flag_clear_explicit(&held->busy, memory_order_release);
}

static int read_with(lock_fn call, pthread_rwlock_t *lock)
{
	int status = call(lock), slot = status ? -1 : slot_of(lock);
	struct holders *held;

	if (slot < 0)
		return status;
	held = enter(slot);
	if (!held->readers++) {
		held->read_from = now_ns();
		figures[slot].reads++;
	}
	leave(held);
	return status;
}

static int write_with(lock_fn call, pthread_rwlock_t *lock)
{
	uint64_t from = now_ns();
	int status = call(lock), slot = status ? -1 : slot_of(lock);
	struct holders *held;

	if (slot < 0)
		return status;
	held = enter(slot);
	held->writer = pthread_self();
	held->written = true;
	held->write_from = now_ns();
	figures[slot].writes++;
	figures[slot].wait_ns += held->write_from - from;
	leave(held);
	return status;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	return read_with(next_rdlock, lock);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
	return read_with(next_tryrdlock, lock);
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	return write_with(next_wrlock, lock);
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
	return write_with(next_trywrlock, lock);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
	int slot = slot_of(lock);
	struct holders *held;
	uint64_t now;

	if (slot < 0)
		return next_unlock(lock);
	now = now_ns();
	held = enter(slot);
	if (held->written && pthread_equal(held->writer, pthread_self())) {
		held->written = false;
		figures[slot].write_ns += now - held->write_from;
	} else if (held->readers && !--held->readers) {
		figures[slot].read_ns += now - held->read_from;
	}
	leave(held);
	return next_unlock(lock);
}
