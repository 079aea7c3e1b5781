// SPDX-License-Identifier: GPL-2.0-or-later
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads up to size bytes; the number read, or -1 with errno. */
static ssize_t read_fully(int fd, char *data, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = read(fd, data + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

static int read_open_file(int fd, const char *path, char **text, struct gw_error *error)
{
	struct stat st;
	char *data;
	ssize_t length;

	if (fstat(fd, &st))
		return gw_error_set(error, "%s: %s", path, strerror(errno));
	errno = 0;
	if (!S_ISREG(st.st_mode))
		return gw_error_set(error, "%s: is not a regular file", path);
	if ((size_t)st.st_size > GW_FILE_LIMIT)
		return gw_error_set(error, "%s: is larger than %zu MiB", path, GW_FILE_LIMIT >> 20);
	data = malloc((size_t)st.st_size + 1);
	if (!data)
		return gw_error_memory(error);
	length = read_fully(fd, data, (size_t)st.st_size);
	if (length < 0) {
		free(data);
		return gw_error_set(error, "%s: %s", path, strerror(errno));
	}
	if (memchr(data, '\0', (size_t)length)) {
		free(data);
		return gw_error_set(error, "%s: is not a text file (it has a NUL byte)", path);
	}
	data[length] = '\0';
	*text = data;
	return 0;
}

int gw_file_read(const char *path, char **text, struct gw_error *error)
{
	/* Without O_NONBLOCK, opening a FIFO would wait for a writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int rc, saved;

	if (fd < 0)
		return gw_error_set(error, "%s: %s", path, strerror(errno));
	rc = read_open_file(fd, path, text, error);
	saved = errno;
	close(fd);
	errno = saved;
	return rc;
}

int gw_file_source(void *arg, const char *path, char **text, struct gw_error *error)
{
	(void)arg;
	return gw_file_read(path, text, error);
}

static int write_fully(int fd, const char *text, size_t length)
{
	while (length > 0) {
		ssize_t n = write(fd, text, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		text += n;
		length -= (size_t)n;
	}
	return fsync(fd);
}

int gw_file_replace(const char *path, mode_t mode, const char *text, size_t length,
		    struct gw_error *error)
{
	char fresh[PATH_MAX];
	int fd, rc;

	if (snprintf(fresh, sizeof(fresh), "%s.new", path) >= (int)sizeof(fresh))
		return gw_error_set(error, "%s: the path is too long", path);
	/* Never what somebody put there: a link would lead to another file. */
	if (unlink(fresh) && errno != ENOENT)
		return gw_error_set(error, "%s: %s", fresh, strerror(errno));
	fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0)
		return gw_error_set(error, "%s: %s", fresh, strerror(errno));
	rc = fchmod(fd, mode) || write_fully(fd, text, length);
	rc = close(fd) || rc;
	if (rc || rename(fresh, path)) {
		gw_error_set(error, "%s: %s", path, strerror(errno));
		unlink(fresh);
		return -1;
	}
	return 0;
}

/* Without it a rename may be undone by a power failure, though the text is on disk. */
static int sync_directory_of(const char *path, struct gw_error *error)
{
	char directory[PATH_MAX] = ".";
	const char *slash = strrchr(path, '/');
	int fd, rc, saved;

	if (slash)
		snprintf(directory, sizeof(directory), "%.*s", (int)(slash - path + 1), path);
	fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return gw_error_set(error, "%s: %s", directory, strerror(errno));
	rc = fsync(fd);
	saved = errno;
	close(fd);
	return rc ? gw_error_set(error, "%s: %s", directory, strerror(saved)) : 0;
}

int gw_file_keep(const char *path, mode_t mode, const char *text, size_t length,
		 struct gw_error *error)
{
	return gw_file_replace(path, mode, text, length, error) || sync_directory_of(path, error)
		       ? -1
		       : 0;
}
