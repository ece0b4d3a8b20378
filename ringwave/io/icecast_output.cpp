// SPDX-License-Identifier: Apache-2.0
// The only file that knows libshout. It is opened at run time: few need it, and with it come the libraries of
// a desktop.
#include "ringwave/io/icecast_output.hpp"

#include <shout/shout.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "ringwave/core/error.hpp"
#include "ringwave/core/opened_library.hpp"

namespace ringwave::io {
namespace {

/// libshout's functions.
struct Library {
  decltype(&::shout_init) init = nullptr;
  decltype(&::shout_new) new_ = nullptr;
  decltype(&::shout_open) open = nullptr;
  decltype(&::shout_close) close = nullptr;
  decltype(&::shout_send) send = nullptr;
  decltype(&::shout_queuelen) queuelen = nullptr;
  decltype(&::shout_get_error) get_error = nullptr;
  decltype(&::shout_get_connected) get_connected = nullptr;
  decltype(&::shout_set_nonblocking) set_nonblocking = nullptr;
  decltype(&::shout_set_host) set_host = nullptr;
  decltype(&::shout_set_port) set_port = nullptr;
  decltype(&::shout_set_user) set_user = nullptr;
  decltype(&::shout_set_password) set_password = nullptr;
  decltype(&::shout_set_mount) set_mount = nullptr;
  decltype(&::shout_set_agent) set_agent = nullptr;
  decltype(&::shout_set_meta) set_meta = nullptr;
  decltype(&::shout_set_content_format) set_content_format = nullptr;

  static const Library& instance() {
    static const Library kLibrary;
    return kLibrary;
  }

 private:
  Library() {
    const OpenedLibrary library(
        "libshout.so.3",
        "a stream to Icecast was asked for, and libshout.so.3, by which it is sent, is not "
        "on this machine; install Debian's libshout3",
        "that of libshout 2.4");
    library.load("shout_init", init);
    library.load("shout_new", new_);
    library.load("shout_open", open);
    library.load("shout_close", close);
    library.load("shout_send", send);
    library.load("shout_queuelen", queuelen);
    library.load("shout_get_error", get_error);
    library.load("shout_get_connected", get_connected);
    library.load("shout_set_nonblocking", set_nonblocking);
    library.load("shout_set_host", set_host);
    library.load("shout_set_port", set_port);
    library.load("shout_set_user", set_user);
    library.load("shout_set_password", set_password);
    library.load("shout_set_mount", set_mount);
    library.load("shout_set_agent", set_agent);
    library.load("shout_set_meta", set_meta);
    library.load("shout_set_content_format", set_content_format);
    init();
  }
};

/// Handles of libshout. Its shout_free() does nothing with a handle that has been closed (2.4.6), so a closed
/// handle is kept and used again: as many live as were ever open at once.
class Handles {
 public:
  static Handles& instance() {
    static Handles& handles = *new Handles;  // lives as long as what nobody can free
    return handles;
  }

  /// A handle that nobody else has, or null where there is no memory for one.
  shout_t* take() {
    const std::lock_guard lock(mutex_);
    if (closed_.empty()) {
      closed_.reserve(++made_);
      return Library::instance().new_();
    }
    shout_t* const handle = closed_.back();
    closed_.pop_back();
    return handle;
  }

  void close(shout_t* handle) noexcept {
    (void)Library::instance().close(handle);
    const std::lock_guard lock(mutex_);
    closed_.push_back(handle);
  }

 private:
  std::mutex mutex_;
  std::vector<shout_t*> closed_;  // has room for all that were made
  std::size_t made_ = 0;
};

/// libshout writes to its socket so that a server that has gone is a signal, which would end the program:
/// while this lives, it is not raised in this thread.
class NoBrokenPipe {
 public:
  NoBrokenPipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoBrokenPipe() {
    constexpr timespec kNow{};
    if (sigismember(&before_, SIGPIPE) == 0) (void)sigtimedwait(&pipe_, nullptr, &kNow);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;  // one scope of one thread
  NoBrokenPipe& operator=(const NoBrokenPipe&) = delete;

 private:
  sigset_t pipe_{};
  sigset_t before_{};
};

constexpr std::chrono::milliseconds kGlance{10};

[[noreturn]] void refuse(const std::string& found) {
  throw InvalidArgument("an Icecast address is icecast://[USER:]PASSWORD@HOST[:PORT]/MOUNT.opus or .mp3; " +
                        found);
}

/// What stands before a mark, which is taken away with it; nothing where the mark is not there.
std::string_view cut(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at + mark.size());
  return before;
}

bool is_plain(std::string_view text) {
  for (const char letter : text)
    if (letter <= ' ' || letter == '"' || letter == 0x7f) return false;
  return !text.empty() && text.size() <= 255;
}

}  // namespace

IcecastAddress IcecastAddress::parse(std::string_view url) {
  IcecastAddress made;
  if (cut(url, "://") != "icecast") refuse("this one does not begin with icecast://");
  std::string_view login = cut(url, "@");
  if (login.empty()) refuse("this one has no password");
  if (login.find(':') != std::string_view::npos) made.user = cut(login, ":");
  made.password = login;
  const std::size_t slash = url.find('/');
  if (slash == std::string_view::npos) refuse("this one has no mount");
  made.mount = url.substr(slash);
  std::string_view host = url.substr(0, slash);
  if (host.find(':') != std::string_view::npos) {
    made.host = cut(host, ":");
    const auto read = std::from_chars(host.data(), host.data() + host.size(), made.port);
    if (read.ec != std::errc{} || read.ptr != host.data() + host.size() || made.port < 1 || made.port > 65535)
      refuse("the port of this one is no number from 1 to 65535");
  } else {
    made.host = host;
  }
  if (!is_plain(made.host) || !is_plain(made.mount) || !is_plain(made.user) || !is_plain(made.password))
    refuse("in this one a part is missing or has letters that cannot be");
  const auto format = stream_format_of_ending(std::string_view(made.mount).substr(made.mount.rfind('.') + 1));
  if (format != StreamFormat::ogg_opus && format != StreamFormat::mp3)
    refuse("the mount of this one ends in neither");
  made.format = *format;
  return made;
}

std::string IcecastAddress::text() const {
  return "icecast://" + host + ":" + std::to_string(port) + mount;
}

struct IcecastOutput::Connection {
  explicit Connection(std::string named) : name(std::move(named)) {
    shout = Handles::instance().take();
    if (shout == nullptr) throw OutOfMemory("there is no memory for a connection to " + name);
  }
  ~Connection() {
    const NoBrokenPipe quiet;
    Handles::instance().close(shout);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void require(int result, const char* what) const {
    if (result != SHOUTERR_SUCCESS && result != SHOUTERR_CONNECTED && result != SHOUTERR_BUSY)
      throw Error(name + " " + what + ": " + library.get_error(shout));
  }

  const Library& library = Library::instance();
  std::string name;
  shout_t* shout = nullptr;
};

IcecastOutput::IcecastOutput(const IcecastAddress& address, const std::string& title)
    : connection_(std::make_unique<Connection>(address.text())) {
  const NoBrokenPipe quiet;
  const Connection& to = *connection_;
  constexpr const char* kRefused = "cannot be sent to";
  to.require(to.library.set_host(to.shout, address.host.c_str()), kRefused);
  to.require(to.library.set_port(to.shout, static_cast<unsigned short>(address.port)), kRefused);
  to.require(to.library.set_user(to.shout, address.user.c_str()), kRefused);
  to.require(to.library.set_password(to.shout, address.password.c_str()), kRefused);
  to.require(to.library.set_mount(to.shout, address.mount.c_str()), kRefused);
  to.require(to.library.set_agent(to.shout, "ringwave"), kRefused);
  to.require(to.library.set_meta(to.shout, SHOUT_META_NAME, title.c_str()), kRefused);
  const bool is_mp3 = address.format == StreamFormat::mp3;
  to.require(to.library.set_content_format(to.shout, is_mp3 ? SHOUT_FORMAT_MP3 : SHOUT_FORMAT_OGG,
                                           SHOUT_USAGE_AUDIO, nullptr),
             kRefused);
  to.require(to.library.set_nonblocking(to.shout, 1), kRefused);
  constexpr const char* kNotTaken = "does not take the stream";
  int state = to.library.open(to.shout);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(kConnectSeconds);
  while (state == SHOUTERR_BUSY && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(kGlance);
    state = to.library.get_connected(to.shout);
  }
  if (state == SHOUTERR_BUSY) throw Error(to.name + " " + kNotTaken + ": it does not answer");
  to.require(state, kNotTaken);
}

IcecastOutput::~IcecastOutput() = default;

void IcecastOutput::send(std::span<const std::byte> bytes) {
  const NoBrokenPipe quiet;
  const Connection& to = *connection_;
  to.require(to.library.send(to.shout, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()),
             "takes no more");
  if (to.library.queuelen(to.shout) > kMostWaiting) throw Error(to.name + " takes no more: it is far behind");
}

}  // namespace ringwave::io
