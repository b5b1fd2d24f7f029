#include "cli/json.h"

namespace nacre::cli {
namespace {

// Length of the valid UTF-8 sequence at s[i], or 0.
size_t sequence_length(std::string_view s, size_t i) {
  auto byte = [&](size_t n) { return static_cast<unsigned char>(s[n]); };
  unsigned char c = byte(i);
  size_t n = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3
           : c >= 0xf0 && c < 0xf5 ? 4 : 0;
  if (n == 0 || i + n > s.size()) return 0;
  for (size_t k = 1; k < n; ++k)
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
  if (c == 0xe0 && byte(i + 1) < 0xa0) return 0;
  if (c == 0xed && byte(i + 1) >= 0xa0) return 0;
  if (c == 0xf0 && byte(i + 1) < 0x90) return 0;
  if (c == 0xf4 && byte(i + 1) >= 0x90) return 0;
  return n;
}

void append_escape(std::string& out, unsigned code) {
  constexpr char kHex[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[code >> shift & 15];
}

std::string quoted(std::string_view s) {
  std::string out = "\"";
  for (size_t i = 0; i < s.size();) {
    auto c = static_cast<unsigned char>(s[i]);
    size_t n = sequence_length(s, i);
    if (n == 0) append_escape(out, 0xdc00 + c);
    else if (c == '"' || c == '\\') (out += '\\') += s[i];
    else if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (c == '\r') out += "\\r";
    else if (c < 0x20 || c == 0x7f) append_escape(out, c);
    else out += s.substr(i, n);
    i += n ? n : 1;
  }
  return out + '"';
}

class Object {
 public:
  void text(std::string_view key, std::string_view value) { add(key, quoted(value)); }
  void number(std::string_view key, int64_t value) { add(key, std::to_string(value)); }
  void boolean(std::string_view key, bool value) { add(key, value ? "true" : "false"); }
  void add(std::string_view key, std::string_view value) {
    out_ += out_.size() > 1 ? ", " : "";
    out_ += quoted(key);
    out_ += ": ";
    out_ += value;
  }
  std::string str() const { return out_ + '}'; }

 private:
  std::string out_ = "{";
};

template <class T, class F>
std::string array(const std::vector<T>& items, F&& each) {
  std::string out = "[";
  for (const T& item : items) {
    if (out.size() > 1) out += ", ";
    out += each(item);
  }
  return out + ']';
}

}  // namespace

std::string to_json(const Result& r) {
  Object o;
  o.text("out", r.out);
  o.text("err", r.err);
  o.number("status", r.status);
  o.text("ended", ending_text(r.ended));
  if (r.limit) {
    o.text("limit", limit_text(*r.limit));
    o.number("limit_value", r.limit_value);
  } else {
    o.add("limit", "null");
  }
  o.boolean("out_truncated", r.out_truncated);
  o.add("quotas", array(r.quotas, [](LimitName q) { return quoted(limit_text(q)); }));
  o.add("unsupported", array(r.unsupported, [](const UnsupportedFeature& u) {
          Object f;
          f.text("command", u.command);
          f.text("feature", u.feature);
          return f.str();
        }));
  Object s;
  s.number("commands", r.statistics.commands);
  s.number("loop_iterations", r.statistics.loop_iterations);
  s.number("bytes_in", r.statistics.bytes_in);
  s.number("bytes_out", r.statistics.bytes_out);
  s.number("peak_memory", r.statistics.peak_memory);
  s.number("wall_time_ns", r.statistics.wall_time_ns);
  o.add("statistics", s.str());
  return o.str();
}

}  // namespace nacre::cli
