// The physical limit: a server that does only the work that the traffic requires. The server splits
// the stream into frames by their length, does not parse them, and answers each frame with a reply
// of a fixed size. With --save, the server sends a reply when the frame is on disk. A thread writes
// batches to a preallocated file while the next batch fills. With --fanout, a frame that begins with
// "o" makes its sender an observer, and each other frame is sent to all observers as well.
//
//   limit serve SOCKET REPLY-BYTES [--save FILE | --fanout]
//   limit ping SOCKET FRAME-FILE      connect, send the frames, await a reply for each
//   limit scene SOCKET FRAME-FILE     connect, send the frames, answer the callbacks until
//                                     didBecomeActive, and print a line
//   limit read FILE…                  read every byte, and print the time in nanoseconds
#include "common.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

enum { INPUT = 1 << 16, DESCRIPTORS = 1 << 17, EVENTS = 256, FILE_BYTES = 64 << 20 };

// The received part of an incomplete frame.
typedef struct {
  char *bytes;
  size_t count;
} Unfinished;

static Unfinished unfinished[DESCRIPTORS];
static char input[INPUT + INPUT];
static Bytes reply;

// MARK: - Saving

// The bytes of one sync, and the connections that wait for its end.
typedef struct {
  char *bytes;
  size_t count;
  int *waiting;
  size_t waiting_count;
} Batch;

static struct {
  pthread_mutex_t lock;
  pthread_cond_t filled;
  Batch gathering;
  // Connections whose frames are on disk and whose replies are not sent.
  int told[DESCRIPTORS];
  size_t told_count;
  int wakeup, file;
  off_t position;
} saves = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER, .file = -1};

static Batch new_batch(void) {
  return (Batch){.bytes = room(4 << 20), .waiting = room(DESCRIPTORS * sizeof(int))};
}

static void *sync_batches(void *unused) {
  (void)unused;
  Batch batch = new_batch();
  for (;;) {
    pthread_mutex_lock(&saves.lock);
    while (saves.gathering.count == 0) pthread_cond_wait(&saves.filled, &saves.lock);
    Batch empty = batch;
    batch = saves.gathering;
    saves.gathering = empty;
    pthread_mutex_unlock(&saves.lock);

    if (saves.position + (off_t)batch.count > FILE_BYTES) saves.position = 0;
    if (pwrite(saves.file, batch.bytes, batch.count, saves.position) != (ssize_t)batch.count)
      die("pwrite");
    if (fdatasync(saves.file) != 0) die("fdatasync");
    saves.position += (off_t)batch.count;

    pthread_mutex_lock(&saves.lock);
    memcpy(saves.told + saves.told_count, batch.waiting, batch.waiting_count * sizeof(int));
    saves.told_count += batch.waiting_count;
    pthread_mutex_unlock(&saves.lock);
    batch.count = batch.waiting_count = 0;
    uint64_t one = 1;
    if (write(saves.wakeup, &one, sizeof one) != sizeof one) die("eventfd");
  }
}

static void begin_saving(const char *path) {
  saves.file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (saves.file < 0) die("open %s", path);
  char *zeros = room(1 << 20);
  for (off_t at = 0; at < FILE_BYTES; at += 1 << 20)
    if (pwrite(saves.file, zeros, 1 << 20, at) != 1 << 20) die("pwrite %s", path);
  if (fsync(saves.file) != 0) die("fsync %s", path);
  free(zeros);
  saves.gathering = new_batch();
  saves.wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  pthread_t thread;
  if (pthread_create(&thread, NULL, sync_batches, NULL) != 0) die("pthread_create");
}

static void save(int descriptor, const char *frame, size_t count) {
  pthread_mutex_lock(&saves.lock);
  memcpy(saves.gathering.bytes + saves.gathering.count, frame, count);
  saves.gathering.count += count;
  saves.gathering.waiting[saves.gathering.waiting_count++] = descriptor;
  pthread_mutex_unlock(&saves.lock);
}

static void answer(int descriptor, size_t count) {
  static char output[INPUT * 8];
  size_t length = 0;
  for (; count > 0 && length + reply.count <= sizeof output; count--, length += reply.count)
    memcpy(output + length, reply.bytes, reply.count);
  ssize_t sent = send(descriptor, output, length, MSG_NOSIGNAL);
  // The client may have closed the connection.
  if (sent != (ssize_t)length && errno != EPIPE && errno != ECONNRESET && errno != EBADF)
    die("send");
}

static void answer_saved(void) {
  static int told[DESCRIPTORS];
  uint64_t signals;
  if (read(saves.wakeup, &signals, sizeof signals) != sizeof signals) return;
  pthread_mutex_lock(&saves.lock);
  size_t count = saves.told_count;
  memcpy(told, saves.told, count * sizeof *told);
  saves.told_count = 0;
  pthread_mutex_unlock(&saves.lock);
  for (size_t index = 0; index < count; index++) answer(told[index], 1);
}

// MARK: - Events

static struct {
  int is_enabled;
  int observers[DESCRIPTORS];
  size_t observer_count, posted;
} events;

static void take_event(int descriptor, const char *frame) {
  if (frame[4] == 'o') events.observers[events.observer_count++] = descriptor;
  else events.posted++;
}

static void remove_observer(int descriptor) {
  for (size_t index = 0; index < events.observer_count; index++)
    if (events.observers[index] == descriptor)
      events.observers[index] = events.observers[--events.observer_count];
}

static void deliver(void) {
  for (size_t index = 0; events.posted > 0 && index < events.observer_count; index++)
    answer(events.observers[index], events.posted);
  events.posted = 0;
}

// MARK: - Serving

static void leave(int descriptor) {
  free(unfinished[descriptor].bytes);
  unfinished[descriptor] = (Unfinished){0};
  remove_observer(descriptor);
  close(descriptor);
}

static void take(int descriptor) {
  Unfinished *rest = &unfinished[descriptor];
  size_t count = rest->count;
  memcpy(input, rest->bytes, count);
  ssize_t received = recv(descriptor, input + count, INPUT, 0);
  if (received <= 0) return leave(descriptor);
  count += (size_t)received;
  size_t start = 0, replies = 0;
  while (count - start >= 4 && count - start - 4 >= frame_length(input + start)) {
    size_t length = 4 + frame_length(input + start);
    if (saves.file >= 0) save(descriptor, input + start, length); else replies++;
    if (events.is_enabled) take_event(descriptor, input + start);
    start += length;
  }
  if (count - start != rest->count) {
    free(rest->bytes);
    *rest = (Unfinished){.bytes = start < count ? room(count - start) : NULL};
    rest->count = count - start;
  }
  if (rest->count > 0) memcpy(rest->bytes, input + start, rest->count);
  if (replies > 0) answer(descriptor, replies);
}

static void watch(int poller, int descriptor) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) != 0) die("epoll_ctl");
}

static void serve(const char *path) {
  raise_descriptor_limit();
  struct sockaddr_un address = address_of(path);
  unlink(path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) die("bind %s", path);
  if (listen(listener, 1024) != 0) die("listen");
  int poller = epoll_create1(EPOLL_CLOEXEC);
  watch(poller, listener);
  if (saves.file >= 0) watch(poller, saves.wakeup);
  struct epoll_event happened[EVENTS];
  for (;;) {
    int count = epoll_wait(poller, happened, EVENTS, -1);
    if (count < 0 && errno != EINTR) die("epoll_wait");
    for (int index = 0; index < count; index++) {
      int ready = happened[index].data.fd;
      if (ready == listener) {
        int client;
        while ((client = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0)
          watch(poller, client);
      } else if (saves.file >= 0 && ready == saves.wakeup) {
        answer_saved();
      } else {
        take(ready);
      }
    }
    deliver();
    if (saves.file >= 0) {
      pthread_mutex_lock(&saves.lock);
      if (saves.gathering.count > 0) pthread_cond_signal(&saves.filled);
      pthread_mutex_unlock(&saves.lock);
    }
  }
}

// MARK: - The other commands

static void ping(const char *path, const char *frames) {
  Bytes message = contents(frames);
  size_t expected = 0;
  for (size_t at = 0; at < message.count; at += 4 + frame_length(message.bytes + at)) expected++;
  int descriptor = connect_to(path);
  send_all(descriptor, message);
  size_t count = 0, start = 0;
  while (expected > 0) {
    ssize_t received = recv(descriptor, input + count, sizeof input - count, 0);
    if (received <= 0) die("recv");
    count += (size_t)received;
    while (expected > 0 && count - start >= 4
           && count - start - 4 >= frame_length(input + start)) {
      start += 4 + frame_length(input + start);
      expected--;
    }
  }
}

static void answer_callback(int descriptor, int identifier) {
  char frame[4 + 64] = {0};
  int length = snprintf(frame + 4, sizeof frame - 4,
                        "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{}}", identifier);
  frame[3] = (char)length;
  send_all(descriptor, (Bytes){frame, 4 + (size_t)length});
}

// A client of the broker that parses nothing.
static void run_scene(const char *path, const char *frames) {
  int descriptor = connect_to(path);
  send_all(descriptor, contents(frames));
  size_t count = 0;
  for (;;) {
    ssize_t received = recv(descriptor, input + count, sizeof input - count, 0);
    if (received <= 0) die("recv");
    count += (size_t)received;
    while (count >= 4 && count - 4 >= frame_length(input)) {
      size_t length = frame_length(input);
      const char *text = input + 4;
      const char *identifier = memmem(text, length, "\"id\":", 5);
      if (memmem(text, length, "\"scene/didBecomeActive\"", 23) != NULL) {
        puts("active");
        return;
      }
      if (memmem(text, length, "\"scene/", 7) != NULL && identifier != NULL)
        answer_callback(descriptor, atoi(identifier + 5));
      count -= 4 + length;
      memmove(input, text + length, count);
    }
  }
}

static void read_files(int count, char **paths) {
  char *chunk = room(1 << 20);
  int64_t start = nanoseconds();
  for (int index = 0; index < count; index++) {
    int file = open(paths[index], O_RDONLY | O_CLOEXEC);
    if (file < 0) die("open %s", paths[index]);
    ssize_t length;
    while ((length = read(file, chunk, 1 << 20)) > 0) continue;
    if (length < 0) die("read %s", paths[index]);
    close(file);
  }
  printf("{\"ns\":%lld}\n", (long long)(nanoseconds() - start));
}

int main(int count, char **words) {
  errno = 0;
  if (count >= 4 && strcmp(words[1], "serve") == 0) {
    size_t length = strtoul(words[3], NULL, 10);
    reply = (Bytes){room(4 + length), 4 + length};
    for (size_t index = 0; index < length; index++) reply.bytes[4 + index] = 'x';
    for (int index = 0; index < 4; index++) reply.bytes[index] = (char)(length >> (24 - 8 * index));
    if (count == 6 && strcmp(words[4], "--save") == 0) begin_saving(words[5]);
    events.is_enabled = count == 5 && strcmp(words[4], "--fanout") == 0;
    serve(words[2]);
  } else if (count == 4 && strcmp(words[1], "ping") == 0) {
    ping(words[2], words[3]);
  } else if (count == 4 && strcmp(words[1], "scene") == 0) {
    run_scene(words[2], words[3]);
  } else if (count >= 3 && strcmp(words[1], "read") == 0) {
    read_files(count - 2, words + 2);
  } else {
    die("limit serve SOCKET REPLY-BYTES [--save FILE | --fanout] | ping|scene SOCKET FRAMES "
        "| read FILE…");
  }
  return 0;
}
