#include "regex/regex.h"

#include <re2/re2.h>

#include <cstring>
#include <utility>

#include "base/utf8.h"
#include "regex/backtracker.h"
#include "regex/perl_parser.h"
#include "regex/posix_parser.h"
#include "regex/re2_writer.h"
#include "regex/regex_program.h"

namespace nacre::regex {

namespace {

using internal::Backtracker;
using internal::RegexProgram;
using internal::Tree;

// RE2 takes tens of microseconds to compile, so short texts go to the
// backtracker until it has shown to be slow on this pattern.
constexpr size_t kShortText = 256;
constexpr int64_t kTrialBytes = 16 * 1024;
constexpr int64_t kSlowStepsPerByte = 2;

bool valid_utf8(std::string_view s) {
  for (size_t i = 0; i < s.size();) {
    base::Utf8Char c = base::decode_utf8(s, i);
    if (!c.valid) return false;
    i += c.size;
  }
  return true;
}

std::expected<Tree, std::string> parse(std::string_view pattern, RegexOptions options,
                                       limits::Meter& meter) {
  return options.dialect == Dialect::perl ? internal::parse_perl(pattern, options, meter)
                                          : internal::parse_posix(pattern, options, meter);
}

}  // namespace

struct Regex::Impl {
  RegexProgram program;
  // RE2 gets its own version of the pattern, made from the source when a text
  // first calls for it.
  std::string source;
  RegexOptions options;
  enum class Re2State : uint8_t { untried, ready, impossible };
  Re2State re2_state = Re2State::untried;
  internal::Re2Pattern re2_pattern;
  std::unique_ptr<re2::RE2> re2;
  int64_t tried_bytes = 0, tried_steps = 0;

  bool prefers_re2(size_t bytes) const {
    if (re2_state == Re2State::impossible) return false;
    if (bytes > kShortText) return true;
    return tried_bytes > kTrialBytes && tried_steps / kSlowStepsPerByte > tried_bytes;
  }
  bool have_re2(limits::Meter& meter);
  // A match by RE2: found, absent, or not to be trusted.
  enum class Found : uint8_t { yes, no, unknown };
  Found search_re2(std::string_view text, size_t from, Match& match, limits::Meter& meter);
  bool search(std::string_view text, size_t from, std::vector<Match>& groups,
              limits::Meter& meter);
};

bool Regex::Impl::have_re2(limits::Meter& meter) {
  if (re2_state != Re2State::untried) return re2_state == Re2State::ready;
  re2_state = Re2State::impossible;
  if (program.stateful || program.keeps || program.uses_search_start) return false;
  auto tree = parse(source, options, meter);
  if (!tree) return false;
  re2_pattern = internal::write_re2(*tree, meter);
  if (!re2_pattern.possible) return false;
  re2::RE2::Options o;
  o.set_log_errors(false);
  o.set_longest_match(program.longest);
  o.set_never_capture(true);
  o.set_max_mem(meter.limits().max_regex_bytes);
  auto compiled = std::make_unique<re2::RE2>(re2_pattern.text, o);
  re2_pattern.text.clear();
  // When it is too large for RE2, the backtracker's program still fits.
  if (!compiled->ok()) return false;
  re2 = std::move(compiled);
  re2_state = Re2State::ready;
  return true;
}

Regex::Impl::Found Regex::Impl::search_re2(std::string_view text, size_t from, Match& match,
                                           limits::Meter& meter) {
  if (re2_pattern.needs_no_final_newline && text.ends_with('\n')) return Found::unknown;
  re2::StringPiece whole;
  bool found = re2->Match(re2::StringPiece(text.data(), text.size()), from, text.size(),
                          re2::RE2::UNANCHORED, &whole, 1);
  size_t end = text.size();
  if (found) {
    match.begin = static_cast<size_t>(whole.data() - text.data());
    match.end = match.begin + whole.size();
    end = match.end;
  }
  meter.charge_work(static_cast<int64_t>((end - from) / 256 + 1));
  // RE2's . takes some sequences that are not UTF-8, and its \b looks one byte
  // around.
  std::string_view passed = text.substr(from, end - from);
  if (re2_pattern.needs_ascii) {
    size_t low = from > 0 ? from - 1 : 0;
    if (!base::is_ascii(text.substr(low, end + 1 - low))) return Found::unknown;
  } else if (!valid_utf8(passed)) {
    return Found::unknown;
  }
  return found ? Found::yes : Found::no;
}

bool Regex::Impl::search(std::string_view text, size_t from, std::vector<Match>& groups,
                         limits::Meter& meter) {
  if (from > text.size()) return false;
  if (program.anchored && from > 0) return false;
  if (!program.required.empty()) {
    const std::string& required = program.required;
    const void* at =
        memmem(text.data() + from, text.size() - from, required.data(), required.size());
    size_t found = at ? static_cast<const char*>(at) - text.data() : text.size();
    if (found - from > 4096) meter.charge_work(static_cast<int64_t>((found - from) / 4096));
    if (!at) return false;
    if (program.is_literal) {
      for (Match& m : groups) m = Match{};
      if (!groups.empty()) groups[0] = {found, found + required.size()};
      return true;
    }
  }
  if (prefers_re2(text.size() - from) && have_re2(meter)) {
    Match whole;
    Found found = search_re2(text, from, whole, meter);
    if (found == Found::no) return false;
    if (found == Found::yes) {
      for (Match& m : groups) m = Match{};
      if (!groups.empty()) groups[0] = whole;
      if (groups.size() < 2 || program.groups == 0) return true;
      if (Backtracker(program, text, meter).match_exactly(whole.begin, whole.end, groups))
        return true;
    }
  }
  Backtracker backtracker(program, text, meter);
  bool ok = backtracker.search(from, groups);
  tried_bytes += static_cast<int64_t>(text.size() - from);
  tried_steps += backtracker.steps();
  return ok;
}

std::expected<Regex, std::string> Regex::compile(std::string_view pattern, RegexOptions options,
                                                 limits::Meter& meter) {
  auto tree = parse(pattern, options, meter);
  if (!tree) return std::unexpected(std::move(tree.error()));
  auto impl = std::make_unique<Impl>();
  impl->program = internal::compile_program(std::move(*tree), meter);
  impl->source = pattern;
  impl->options = options;
  return Regex(std::move(impl));
}

Regex::Regex(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Regex::~Regex() = default;
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;

bool Regex::search(std::string_view text, size_t from, std::vector<Match>& groups,
                   limits::Meter& meter) const {
  return impl_->search(text, from, groups, meter);
}

bool Regex::matches(std::string_view text, limits::Meter& meter) const {
  std::vector<Match> none;
  return impl_->search(text, 0, none, meter);
}

size_t Regex::group_count() const { return impl_->program.groups; }

}  // namespace nacre::regex
