#include "tests/security/threats.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace nacre::tests {
namespace {

constexpr Ending kEndings[] = {Ending::completed, Ending::exited,       Ending::limit,
                               Ending::timeout,   Ending::cancelled,    Ending::syntax_error,
                               Ending::deadlock};

std::optional<Ending> find_ending(std::string_view text) {
  for (Ending e : kEndings)
    if (text == ending_text(e)) return e;
  return std::nullopt;
}

// "1000000", "64M", "16K", "unlimited".
int64_t parse_amount(const std::string& text) {
  if (text == "unlimited") return Limits::kUnlimited;
  char* end = nullptr;
  int64_t n = std::strtoll(text.c_str(), &end, 10);
  if (*end == 'K') n <<= 10;
  if (*end == 'M') n <<= 20;
  return n;
}

// `\n`, `\t`, `\\`, `\0`, `\xHH`.
std::string unescaped(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    char c = text[++i];
    if (c == 'n') out += '\n';
    else if (c == 't') out += '\t';
    else if (c == '0') out += '\0';
    else if (c == 'x' && i + 2 < text.size()) {
      out += static_cast<char>(std::strtol(std::string(text.substr(i + 1, 2)).c_str(), nullptr, 16));
      i += 2;
    } else out += c;
  }
  return out;
}

// Splits at the first blank.
std::pair<std::string, std::string> split_word(std::string_view line) {
  size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return {std::string(line), {}};
  return {std::string(line.substr(0, blank)), std::string(line.substr(blank + 1))};
}

void add_line(std::optional<std::string>& to, const std::string& line) {
  if (!to) to.emplace();
  *to += unescaped(line) + "\n";
}

// A line of a script: itself, or one that the `@` forms generate.
std::string script_line(std::string_view line) {
  if (line.starts_with("@repeat ")) {
    auto [count, text] = split_word(line.substr(8));
    std::string piece = unescaped(text), out;
    for (int64_t n = parse_amount(count); n > 0; --n) out += piece;
    return out;
  }
  if (line.starts_with("@bytes ")) return unescaped(line.substr(7));
  return std::string(line) + "\n";
}

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  std::vector<Threat> read() {
    while (at_ < text_.size()) take_line(next());
    return std::move(threats_);
  }

 private:
  enum class Part { comment, settings, script, expect };

  std::string_view next() {
    size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = std::string_view(text_).substr(at_, end - at_);
    at_ = end + 1;
    return line;
  }

  void take_line(std::string_view line) {
    if (line.starts_with("=== ")) return open_case(line.substr(4));
    if (part_ == Part::comment) return;
    Threat& t = threats_.back();
    if (line == "---" || line == "--- then" || line == "--- atomic" || line == "--- other shell") {
      t.runs.emplace_back();
      t.runs.back().shell = line == "--- other shell";
      t.runs.back().atomic = line == "--- atomic";
      part_ = Part::script;
    } else if (line == "--- expect") {
      part_ = Part::expect;
    } else if (part_ == Part::script) {
      t.runs.back().script += script_line(line);
    } else if (!line.empty() && !(part_ == Part::settings ? setting(t, line)
                                                          : promise(t.runs.back().expect, line))) {
      t.mistake += "not understood: " + std::string(line) + "\n";
    }
  }

  void open_case(std::string_view line) {
    Threat t;
    size_t colon = line.find(": ");
    t.name = line.substr(0, colon);
    if (colon != std::string_view::npos) t.tries = line.substr(colon + 2);
    threats_.push_back(std::move(t));
    part_ = Part::settings;
  }

  static bool setting(Threat& t, std::string_view line) {
    auto [key, value] = split_word(line);
    if (key == "limits") {
      if (value == "strict") t.limits = Limits::strict();
      else if (value == "standard") t.limits = Limits::standard();
      else if (value == "permissive") t.limits = Limits::permissive();
      else return false;
    } else if (key == "limit") {
      size_t equals = value.find('=');
      if (equals == std::string::npos) return false;
      std::optional<LimitName> name = Limits::find(value.substr(0, equals));
      if (!name) return false;
      t.limits.set(*name, parse_amount(value.substr(equals + 1)));
    } else if (key == "clock") {
      t.clock = value == "virtual" ? ClockKind::virtual_ : ClockKind::real;
    } else if (key == "stdin") {
      t.stdin_text += unescaped(value) + "\n";
    } else if (key == "stdin-endless") {
      t.endless_stdin = true;
    } else if (key == "cancel-after") {
      t.cancel_after_ms = parse_amount(value);
    } else if (key == "file") {
      auto [path, contents] = split_word(value);
      t.files.emplace_back(path, unescaped(contents));
    } else {
      return false;
    }
    return true;
  }

  static bool promise(Expectation& e, std::string_view line) {
    auto [key, value] = split_word(line);
    if (key == "status") e.status = static_cast<int>(parse_amount(value));
    else if (key == "stdout") add_line(e.out, value);
    else if (key == "stderr") add_line(e.err, value);
    else if (key == "no-stdout") e.out.emplace();
    else if (key == "no-stderr") e.err.emplace();
    else if (key == "stdout-has") e.out_has.push_back(unescaped(value));
    else if (key == "stderr-has") e.err_has.push_back(unescaped(value));
    else if (key == "stdout-lacks") e.out_lacks.push_back(unescaped(value));
    else if (key == "stderr-lacks") e.err_lacks.push_back(unescaped(value));
    else if (key == "stdout-bytes") e.out_bytes = parse_amount(value);
    else if (key == "peak-memory-below") e.peak_memory_below = parse_amount(value);
    else if (key == "within") e.within_ms = parse_amount(value);
    else if (key == "out-truncated") e.out_truncated = true;
    else if (key == "ended") return (e.ended = find_ending(value)).has_value();
    else if (key == "quota") {
      std::optional<LimitName> name = Limits::find(value);
      if (name) e.quotas.push_back(*name);
      return name.has_value();
    } else if (key == "limit") {
      auto [name, number] = split_word(value);
      e.limit = Limits::find(name);
      if (!number.empty()) e.limit_value = parse_amount(number);
      return e.limit.has_value();
    } else if (key != "no-crash") {
      return false;
    }
    return true;
  }

  const std::string& text_;
  size_t at_ = 0;
  Part part_ = Part::comment;
  std::vector<Threat> threats_;
};

// The end of a run's stderr that says which limit ended it.
std::string limit_line(LimitName name, int64_t value) {
  std::string number = std::to_string(value);
  if (name == LimitName::timeout || name == LimitName::parse_timeout) {
    number = std::to_string(value / 1000);
    if (value % 1000 != 0) {
      std::string part = std::to_string(1000 + value % 1000).substr(1);
      part.erase(part.find_last_not_of('0') + 1);
      number += "." + part;
    }
    number += "s";
  }
  return "bash: resource limit exceeded: " + std::string(limit_text(name)) + " (limit: " + number +
         ")\n";
}

std::string shortened(const std::string& s) {
  if (s.size() <= 600) return printable(s);
  return printable(s.substr(0, 300)) + " ... " + printable(s.substr(s.size() - 200)) + " (" +
         std::to_string(s.size()) + " bytes)";
}

}  // namespace

std::string printable(std::string_view bytes) {
  std::string out;
  char buffer[8];
  for (unsigned char c : bytes) {
    if (c == '\n') out += "\\n";
    else if (c >= 0x20 && c < 0x7f) out += static_cast<char>(c);
    else {
      std::snprintf(buffer, sizeof buffer, "\\x%02x", c);
      out += buffer;
    }
  }
  return out;
}

std::vector<Threat> parse_threats(const std::string& text) { return Reader(text).read(); }

std::string broken_promises(const Expectation& e, const Result& r) {
  std::string broken;
  auto fail = [&](std::string what) { broken += "  " + std::move(what) + "\n"; };
  auto name_of = [](const std::optional<LimitName>& l) {
    return l ? std::string(limit_text(*l)) : std::string("none");
  };
  bool about_limit = e.limit.has_value();
  std::optional<Ending> ended = e.ended;
  std::optional<int> status = e.status;
  // What every limit promises, said once here.
  if (about_limit) {
    bool late = *e.limit == LimitName::timeout;
    if (!ended) ended = late ? Ending::timeout : Ending::limit;
    if (!status) status = late ? 124 : 1;
    if (r.limit != e.limit) fail("limit is " + name_of(r.limit) + ", not " + name_of(e.limit));
    if (e.limit_value && r.limit_value != *e.limit_value)
      fail("limit value is " + std::to_string(r.limit_value));
    std::string line = limit_line(*e.limit, e.limit_value.value_or(r.limit_value));
    // Output may have been what ran out, and then stderr has no room but for this.
    if (!r.err.ends_with(line)) fail("stderr does not end with " + printable(line));
  } else if (ended && *ended != Ending::limit && r.limit && *ended != Ending::timeout) {
    fail("a limit was met: " + name_of(r.limit));
  }
  if (ended && r.ended != *ended)
    fail("ended by " + std::string(ending_text(r.ended)) + ", not " +
         std::string(ending_text(*ended)));
  if (status && r.status != *status)
    fail("status is " + std::to_string(r.status) + ", not " + std::to_string(*status));
  for (LimitName q : e.quotas)
    if (std::find(r.quotas.begin(), r.quotas.end(), q) == r.quotas.end())
      fail("quota not reported: " + std::string(limit_text(q)));
  if (e.out && r.out != *e.out) fail("stdout is not: " + shortened(*e.out));
  if (e.err && r.err != *e.err) fail("stderr is not: " + shortened(*e.err));
  auto has = [](const std::string& s, const std::string& part) {
    return s.find(part) != std::string::npos;
  };
  for (const std::string& s : e.out_has)
    if (!has(r.out, s)) fail("stdout lacks: " + printable(s));
  for (const std::string& s : e.err_has)
    if (!has(r.err, s)) fail("stderr lacks: " + printable(s));
  for (const std::string& s : e.out_lacks)
    if (has(r.out, s)) fail("stdout has: " + printable(s));
  for (const std::string& s : e.err_lacks)
    if (has(r.err, s)) fail("stderr has: " + printable(s));
  if (e.out_bytes && static_cast<int64_t>(r.out.size()) != *e.out_bytes)
    fail("stdout has " + std::to_string(r.out.size()) + " bytes");
  if (e.out_truncated && !r.out_truncated) fail("out_truncated is not set");
  if (e.peak_memory_below && r.statistics.peak_memory >= *e.peak_memory_below)
    fail("peak memory is " + std::to_string(r.statistics.peak_memory));
  if (r.status < 0 || r.status > 255) fail("status out of range: " + std::to_string(r.status));
  if (!broken.empty())
    broken += "  got status " + std::to_string(r.status) + ", " + std::string(ending_text(r.ended)) +
              ", limit " + name_of(r.limit) + "\n  stdout: " + shortened(r.out) +
              "\n  stderr: " + shortened(r.err) + "\n";
  return broken;
}

}  // namespace nacre::tests
