// Starts dbus-broker without its launcher, which needs systemd, and writes D-Bus messages to files.
//
//   dbus serve SOCKET            the process becomes dbus-broker; its child is the controller
//   dbus frames DIRECTORY BYTES  write the messages that clients send; the signal of dbus-post has
//                                BYTES bytes when dbus-broker delivers it
//
// dbus-broker gets its listening socket and its policy from a controller. The policy allows all.
#include "common.h"

// The types of a message, and the codes of its fields.
enum { CALL = 1, SIGNAL = 4 };
enum { PATH = 1, INTERFACE, MEMBER, DESTINATION = 6, SIGNATURE = 8, DESCRIPTOR_COUNT };

// The positions of two lengths in each message.
enum { BODY_LENGTH = 4, FIELDS_LENGTH = 12 };

static const char bus[] = "org.freedesktop.DBus";

// MARK: - Values

typedef struct {
  char bytes[4096];
  size_t count, body;
} Message;

static void align(Message *message, size_t alignment) {
  while (message->count % alignment != 0) message->bytes[message->count++] = 0;
}

static void put_byte(Message *message, int value) {
  message->bytes[message->count++] = (char)value;
}

static void set_number(Message *message, size_t at, size_t value) {
  for (int index = 0; index < 4; index++) message->bytes[at++] = (char)(value >> 8 * index);
}

static void put_number(Message *message, size_t value) {
  align(message, 4);
  set_number(message, message->count, value);
  message->count += 4;
}

static void put_long(Message *message, uint64_t value) {
  align(message, 8);
  put_number(message, value & UINT32_MAX);
  put_number(message, value >> 32);
}

static void put_text(Message *message, const char *text) {
  put_number(message, strlen(text));
  strcpy(message->bytes + message->count, text);
  message->count += strlen(text) + 1;
}

static void put_signature(Message *message, const char *signature) {
  put_byte(message, (int)strlen(signature));
  strcpy(message->bytes + message->count, signature);
  message->count += strlen(signature) + 1;
}

// Begins an array of structures. Returns the position of its length.
static size_t begin_array(Message *message) {
  put_number(message, 0);
  size_t length_at = message->count - 4;
  align(message, 8);
  return length_at;
}

// The length of an array does not include the padding before its first element.
static void end_array(Message *message, size_t length_at) {
  set_number(message, length_at, message->count - (length_at + 4 + 7) / 8 * 8);
}

// MARK: - Messages

static void put_field(Message *message, int code, const char *type, const char *value) {
  if (value == NULL) return;
  align(message, 8);
  put_byte(message, code);
  put_signature(message, type);
  if (*type == 'g') put_signature(message, value);
  else put_text(message, value);
}

static Message begin(int type, const char *path, const char *interface, const char *member,
                     const char *destination, const char *signature, size_t descriptor_count) {
  Message message = {.bytes = {'l', (char)type, 0, 1}, .count = BODY_LENGTH};
  put_number(&message, 0);
  put_number(&message, 1);
  size_t fields = begin_array(&message);
  put_field(&message, PATH, "o", path);
  put_field(&message, INTERFACE, "s", interface);
  put_field(&message, MEMBER, "s", member);
  put_field(&message, DESTINATION, "s", destination);
  put_field(&message, SIGNATURE, "g", signature);
  if (descriptor_count > 0) {
    align(&message, 8);
    put_byte(&message, DESCRIPTOR_COUNT);
    put_signature(&message, "u");
    put_number(&message, descriptor_count);
  }
  end_array(&message, fields);
  align(&message, 8);
  message.body = message.count;
  return message;
}

static void end(Message *message) {
  set_number(message, BODY_LENGTH, message->count - message->body);
}

static Message call(const char *member) {
  return begin(CALL, "/org/freedesktop/DBus", bus, member, bus, NULL, 0);
}

// MARK: - The controller

// Puts a rule that allows each message, for one direction.
static void put_rule(Message *message) {
  size_t rules = begin_array(message);
  put_number(message, 1);
  put_long(message, 1);
  for (int name = 0; name < 4; name++) put_text(message, "");
  put_number(message, 0);
  put_number(message, 0);
  put_long(message, 0);
  put_long(message, UINT64_MAX);
  end_array(message, rules);
}

static Message add_listener(void) {
  static const char rules[] = "(bta(btbs)a(btssssuutt)a(btssssuutt))";
  char policy[256];
  snprintf(policy, sizeof policy, "(a(u%s)a(buu%s)a(ss)bs)", rules, rules);
  Message message = begin(CALL, "/org/bus1/DBus/Broker", "org.bus1.DBus.Broker", "AddListener",
                          NULL, "ohv", 1);
  put_text(&message, "/org/bus1/DBus/Listener/0");
  put_number(&message, 0);
  put_signature(&message, policy);
  align(&message, 8);
  // The rules of all users: connect, own no name, send, receive.
  size_t users = begin_array(&message);
  put_number(&message, UINT32_MAX);
  align(&message, 8);
  put_number(&message, 1);
  put_long(&message, 1);
  begin_array(&message);
  put_rule(&message);
  put_rule(&message);
  end_array(&message, users);
  // No ranges of users, no labels of SELinux, no AppArmor.
  begin_array(&message);
  begin_array(&message);
  put_number(&message, 0);
  put_text(&message, "session");
  end(&message);
  return message;
}

static int listener_at(const char *path) {
  struct sockaddr_un address = address_of(path);
  unlink(path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0) die("bind %s", path);
  if (listen(listener, 1024) != 0) die("listen");
  return listener;
}

static void send_with_descriptor(int connection, Message message, int descriptor) {
  union {
    char bytes[CMSG_SPACE(sizeof descriptor)];
    struct cmsghdr header;
  } control = {.header = {CMSG_LEN(sizeof descriptor), SOL_SOCKET, SCM_RIGHTS}};
  memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
  struct iovec part = {message.bytes, message.count};
  struct msghdr all = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                       .msg_controllen = sizeof control.bytes};
  if (sendmsg(connection, &all, MSG_NOSIGNAL) != (ssize_t)message.count) die("sendmsg");
}

static const char login[] = "\0AUTH EXTERNAL\r\nDATA\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n";

// Keeps the connection open until dbus-broker ends, because dbus-broker ends with its controller.
static void control(int connection, int listener) {
  char input[4096];
  size_t count = 0;
  send_all(connection, (Bytes){(char *)login, sizeof login - 1});
  while (memmem(input, count, "AGREE_UNIX_FD\r\n", 15) == NULL) {
    ssize_t received = recv(connection, input + count, sizeof input - count, 0);
    if (received <= 0) die("dbus-broker did not accept its controller");
    count += (size_t)received;
  }
  send_with_descriptor(connection, add_listener(), listener);
  close(listener);
  // The second byte of a message is its type.
  if (recv(connection, input, sizeof input, 0) < 2 || input[1] != 2)
    die("dbus-broker did not accept its listener");
  while (recv(connection, input, sizeof input, 0) > 0) continue;
}

static void serve(const char *path) {
  int ends[2], listener = listener_at(path);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) die("socketpair");
  if (fork() == 0) {
    close(ends[0]);
    control(ends[1], listener);
    _exit(0);
  }
  close(ends[1]);
  char number[16];
  snprintf(number, sizeof number, "%d", ends[0]);
  // All clients have the same user, and each needs a descriptor of the user's quota.
  execlp("dbus-broker", "dbus-broker", "--controller", number, "--machine-id",
         "0123456789abcdef0123456789abcdef", "--max-fds", "1000000", NULL);
  die("dbus-broker");
}

// MARK: - The messages of clients

// Writes a login, if the file is a prelude, and two messages. The second may be empty.
static void write_file(const char *name, int is_prelude, Message one, Message other) {
  FILE *file = fopen(name, "w");
  if (file == NULL) die("open %s", name);
  if (is_prelude) fwrite(login, sizeof login - 1, 1, file);
  fwrite(one.bytes, one.count, 1, file);
  fwrite(other.bytes, other.count, 1, file);
  if (fclose(file) != 0) die("write %s", name);
}

static Message signal_of(size_t size) {
  // dbus-broker adds the name of the sender: 16 bytes.
  enum { SENDER = 16 };
  char text[1024] = "";
  Message signal = begin(SIGNAL, "/bench", "scene.bench", "Event", NULL, "s", 0);
  size_t rest = size - signal.count - SENDER - 5;
  if (rest >= sizeof text) die("no signal has %zu bytes", size);
  memset(text, 'x', rest);
  put_text(&signal, text);
  end(&signal);
  return signal;
}

static void write_frames(const char *directory, size_t size) {
  if (chdir(directory) != 0) die("%s", directory);
  Message none = {.count = 0}, hello = call("Hello"), get_id = call("GetId");
  Message observe = begin(CALL, "/org/freedesktop/DBus", bus, "AddMatch", bus, "s", 0);
  put_text(&observe, "type='signal',interface='scene.bench'");
  end(&observe);
  write_file("dbus-hello", 1, hello, none);
  write_file("dbus-hello-get", 1, hello, get_id);
  write_file("dbus-get", 0, get_id, none);
  write_file("dbus-observe", 1, hello, observe);
  write_file("dbus-post", 0, signal_of(size), none);
}

int main(int count, char **words) {
  errno = 0;
  if (count == 3 && strcmp(words[1], "serve") == 0) serve(words[2]);
  else if (count == 4 && strcmp(words[1], "frames") == 0)
    write_frames(words[2], strtoul(words[3], NULL, 10));
  else die("dbus serve SOCKET | frames DIRECTORY BYTES");
  return 0;
}
