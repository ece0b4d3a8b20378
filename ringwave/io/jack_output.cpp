// SPDX-License-Identifier: Apache-2.0
#include "ringwave/io/jack_output.hpp"

#include <jack/jack.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "ringwave/core/error.hpp"
#include "ringwave/core/opened_library.hpp"

namespace ringwave::io {
namespace {

/// libjack, opened at run time: it must be the one that belongs to the server of this machine (JACK's or
/// PipeWire's), so that none can be linked or packaged, and a machine without any still runs Ringwave.
class Library {
 public:
  static const Library& instance() {
    static const Library library;
    return library;
  }

  decltype(&::jack_set_error_function) set_error_function = nullptr;
  decltype(&::jack_set_info_function) set_info_function = nullptr;
  decltype(&::jack_client_open) client_open = nullptr;
  decltype(&::jack_client_close) client_close = nullptr;
  decltype(&::jack_get_client_name) get_client_name = nullptr;
  decltype(&::jack_get_sample_rate) get_sample_rate = nullptr;
  decltype(&::jack_get_buffer_size) get_buffer_size = nullptr;
  decltype(&::jack_set_process_callback) set_process_callback = nullptr;
  decltype(&::jack_set_xrun_callback) set_xrun_callback = nullptr;
  decltype(&::jack_on_shutdown) on_shutdown = nullptr;
  decltype(&::jack_port_register) port_register = nullptr;
  decltype(&::jack_port_name) port_name = nullptr;
  decltype(&::jack_port_get_buffer) port_get_buffer = nullptr;
  decltype(&::jack_activate) activate = nullptr;
  decltype(&::jack_get_ports) get_ports = nullptr;
  decltype(&::jack_connect) connect = nullptr;
  decltype(&::jack_free) free = nullptr;

 private:
  Library() {
    const OpenedLibrary library(
        "libjack.so.0",
        "the audio device was asked for, and libjack.so.0, by which it is reached, is not on this machine; "
        "install JACK (Debian's jackd2) or PipeWire (pipewire-jack), or write a file with 'ringwave "
        "render'",
        "the one of JACK 2 or PipeWire");
    library.load("jack_set_error_function", set_error_function);
    library.load("jack_set_info_function", set_info_function);
    library.load("jack_client_open", client_open);
    library.load("jack_client_close", client_close);
    library.load("jack_get_client_name", get_client_name);
    library.load("jack_get_sample_rate", get_sample_rate);
    library.load("jack_get_buffer_size", get_buffer_size);
    library.load("jack_set_process_callback", set_process_callback);
    library.load("jack_set_xrun_callback", set_xrun_callback);
    library.load("jack_on_shutdown", on_shutdown);
    library.load("jack_port_register", port_register);
    library.load("jack_port_name", port_name);
    library.load("jack_port_get_buffer", port_get_buffer);
    library.load("jack_activate", activate);
    library.load("jack_get_ports", get_ports);
    library.load("jack_connect", connect);
    library.load("jack_free", free);
    // What it has to say is said by our sentences.
    set_error_function([](const char*) {});
    set_info_function([](const char*) {});
  }
};

}  // namespace

struct JackOutput::Client {
  const Library& jack = Library::instance();
  jack_client_t* handle;
  int sample_rate_hz;
  PlaybackRing ring;
  jack_port_t* left = nullptr;
  jack_port_t* right = nullptr;
  std::atomic<bool> gone{false};
  std::atomic<std::int64_t> xruns{0};

  Client(const std::string& name, double lead_seconds)
      : handle(open(name)),
        sample_rate_hz(static_cast<int>(jack.get_sample_rate(handle))),
        ring(static_cast<int>(lead_seconds * sample_rate_hz)) {}
  ~Client() { jack.client_close(handle); }
  Client(const Client&) = delete;  // the server knows its address
  Client& operator=(const Client&) = delete;

  [[nodiscard]] jack_client_t* open(const std::string& name) const {
    jack_client_t* opened = jack.client_open(name.c_str(), JackNoStartServer, nullptr);
    if (opened == nullptr)
      throw DeviceUnavailable(
          "the audio device was asked for, and no JACK or PipeWire server answers; start one, as 'jackd -d "
          "alsa', or use PipeWire's with 'pw-jack ringwave play', or write a file with 'ringwave render'");
    return opened;
  }

  RW_REALTIME std::span<float> buffer(jack_port_t* port, jack_nframes_t frames) const noexcept {
    return {static_cast<float*>(jack.port_get_buffer(port, frames)), frames};
  }

  RW_REALTIME static int process(jack_nframes_t frames, void* self) noexcept {
    auto& client = *static_cast<Client*>(self);
    client.ring.play(client.buffer(client.left, frames), client.buffer(client.right, frames));
    return 0;
  }

  RW_REALTIME static int count_xrun(void* self) noexcept {
    static_cast<Client*>(self)->xruns.fetch_add(1, std::memory_order_relaxed);
    return 0;
  }

  static void note_shutdown(void* self) noexcept {
    static_cast<Client*>(self)->gone.store(true, std::memory_order_release);
  }

  jack_port_t* make_port(const char* name) const {
    jack_port_t* port = jack.port_register(handle, name, JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput, 0);
    if (port == nullptr) throw DeviceUnavailable(refusal("another port"));
    return port;
  }

  /// To the first two playback ports, or to the only one.
  bool connect() const {
    const std::unique_ptr<const char*, void (*)(const char**)> ports(
        jack.get_ports(handle, nullptr, JACK_DEFAULT_AUDIO_TYPE, JackPortIsPhysical | JackPortIsInput),
        [](const char** names) { Library::instance().free(names); });
    const char** names = ports.get();
    if (names == nullptr || names[0] == nullptr) return false;
    return jack.connect(handle, jack.port_name(left), names[0]) == 0 &&
           jack.connect(handle, jack.port_name(right), names[1] != nullptr ? names[1] : names[0]) == 0;
  }

  static std::string refusal(const std::string& what) {
    return "the audio server answers but refuses " + what + "; look at its own messages, or start it again";
  }
};

JackOutput::JackOutput(const std::string& client_name, double lead_seconds)
    : client_(std::make_unique<Client>(client_name, lead_seconds)) {}

JackOutput::~JackOutput() = default;

PlaybackRing& JackOutput::ring() noexcept {
  return client_->ring;
}

bool JackOutput::start() {
  const Library& jack = client_->jack;
  client_->left = client_->make_port("left");
  client_->right = client_->make_port("right");
  jack.on_shutdown(client_->handle, Client::note_shutdown, client_.get());
  if (jack.set_process_callback(client_->handle, Client::process, client_.get()) != 0 ||
      jack.set_xrun_callback(client_->handle, Client::count_xrun, client_.get()) != 0 ||
      jack.activate(client_->handle) != 0)
    throw DeviceUnavailable(Client::refusal("to play"));
  const bool connected = client_->connect();
  // A connection holds from one of the server's next blocks on, and the first note should be heard whole.
  std::this_thread::sleep_for(
      std::chrono::duration<double>(2.0 * jack.get_buffer_size(client_->handle) / client_->sample_rate_hz));
  client_->ring.begin();
  return connected;
}

std::string JackOutput::name() const {
  return client_->jack.get_client_name(client_->handle);
}

int JackOutput::sample_rate_hz() const noexcept {
  return client_->sample_rate_hz;
}

bool JackOutput::is_gone() const noexcept {
  return client_->gone.load(std::memory_order_acquire);
}

std::int64_t JackOutput::xruns() const noexcept {
  return client_->xruns.load(std::memory_order_relaxed);
}

}  // namespace ringwave::io
