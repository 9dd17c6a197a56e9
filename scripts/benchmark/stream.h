// Splits the bytes of a server into messages, whose contents the load generators do not read.
#ifndef LIMIT_STREAM_H
#define LIMIT_STREAM_H

#include "common.h"

// The broker and the limit send frames with a length of four bytes. Redis sends lines and counted
// bytes. dbus-broker sends lines while a client logs in, and then D-Bus messages.
typedef enum { FRAMES, REDIS, DBUS } Protocol;

// A connection. Between two messages, the numbers are zero. A message has one or more parts, each
// with a header.
typedef struct {
  int descriptor;
  Protocol protocol;
  size_t header_count, missing, parts;
  char header[64];
} Stream;

static char input[1 << 16];

// Sets `missing` and `parts` to what follows a whole header. Returns 0 if the header has no end yet.
static inline int read_header(Stream *stream) {
  Protocol protocol = stream->protocol;
  const char *header = stream->header;
  size_t count = stream->header_count;
  if (protocol == FRAMES) {
    if (count < 4) return 0;
    stream->missing = frame_length(header);
  } else if (protocol == DBUS && header[0] == 'l') {
    if (count < 16) return 0;
    uint32_t body, fields;
    memcpy(&body, header + 4, 4);
    memcpy(&fields, header + 12, 4);
    stream->missing = (fields + 7) / 8 * 8 + body;
    stream->parts = 0;
  } else {
    if (header[count - 1] != '\n') return 0;
    size_t number = strtoul(header + 1, NULL, 10);
    if (protocol == DBUS) stream->parts = 1;
    else if (stream->parts > 0) stream->parts--;
    if (header[0] == '*') stream->parts += number;
    if (header[0] == '$') stream->missing = number + 2;
  }
  stream->header_count = 0;
  return 1;
}

// Returns the number of messages that end in the bytes.
static inline size_t messages_in(Stream *stream, const char *bytes, size_t count) {
  size_t messages = 0;
  while (count > 0) {
    if (stream->missing == 0) {
      // The end of a line that is too long for the header replaces the last byte.
      if (stream->header_count == sizeof stream->header) stream->header_count--;
      stream->header[stream->header_count++] = *bytes++;
      count--;
      if (!read_header(stream)) continue;
    }
    size_t taken = count < stream->missing ? count : stream->missing;
    stream->missing -= taken;
    bytes += taken;
    count -= taken;
    if (stream->missing == 0 && stream->parts == 0) messages++;
  }
  return messages;
}

// Returns the length of the first message.
static inline size_t first_length(Protocol protocol, Bytes bytes) {
  Stream stream = {.protocol = protocol};
  for (size_t at = 0; at < bytes.count; at++)
    if (messages_in(&stream, bytes.bytes + at, 1) == 1) return at + 1;
  return bytes.count;
}

// Receives what the socket has, or waits for something. Returns the number of messages.
static inline size_t receive(Stream *stream) {
  ssize_t count = recv(stream->descriptor, input, sizeof input, 0);
  if (count <= 0) die("the server closed the connection");
  return messages_in(stream, input, (size_t)count);
}

static inline void await(Stream *stream, size_t messages) {
  for (size_t received = 0; received < messages;) received += receive(stream);
}

// Returns the number of messages that answer a prelude. dbus-broker also sends NameAcquired.
static inline size_t answers_to(Protocol protocol, Bytes prelude) {
  Stream stream = {.protocol = protocol};
  size_t messages = messages_in(&stream, prelude.bytes, prelude.count);
  return protocol == DBUS ? messages + 1 : messages;
}

// Connects, sends a prelude and awaits its answers.
static inline Stream greeted(Protocol protocol, const char *socket, Bytes prelude) {
  Stream stream = {.descriptor = connect_to(socket), .protocol = protocol};
  send_all(stream.descriptor, prelude);
  await(&stream, answers_to(protocol, prelude));
  return stream;
}

// Reads an option that names a protocol. Returns 0 if the word is another option.
static inline int read_protocol(const char *word, Protocol *protocol) {
  if (strcmp(word, "--redis") == 0) *protocol = REDIS;
  else if (strcmp(word, "--dbus") == 0) *protocol = DBUS;
  else return 0;
  return 1;
}

#endif
