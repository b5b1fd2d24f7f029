// read: a line from a descriptor, split over variables.
//
// It takes from the description exactly the bytes up to the delimiter. The
// common line (no backslash or -r, no NUL, whole in the chunk that the
// description shows) is split where it lies, without a copy; everything else
// goes through LineReader, byte by byte.
#include <cstring>
#include <string>
#include <vector>

#include "base/errno_text.h"
#include "base/numbers.h"
#include "base/utf8.h"
#include "builtins/shell/descriptor.h"
#include "builtins/shell/getopt.h"
#include "builtins/shell/read_fields.h"
#include "interp/assign.h"
#include "interp/invoke.h"
#include "interp/jobs.h"
#include "interp/process.h"
#include "interp/traps.h"
#include "interp/variables.h"

namespace nacre::builtins {

using interp::Args;
using interp::Command;
using interp::CommandContext;
using interp::CommandKind;
using interp::Flow;
using interp::OpenFile;
using interp::Outcome;
using interp::Process;
using interp::SetOption;

extern const Command command_read;

namespace {

constexpr int kTimedOut = 128 + 14;  // SIGALRM

struct ReadOptions {
  std::string_view array;
  bool has_array = false;
  bool raw = false;
  int delimiter = '\n';        // -1: none (-N)
  int64_t max_chars = -1;      // -1: no limit
  bool has_timeout = false;
  int64_t timeout = 0;         // ns
  int fd = 0;
};

int fail(Process& p, std::string_view what, std::string_view text) {
  std::string message(what);
  message += ": ";
  message += text;
  interp::builtin_error(p, "read", message);
  return 1;
}

// Seconds with a fraction ("1", ".5", "2.", ""), as bash's uconvert().
bool parse_seconds(std::string_view s, int64_t& ns) {
  size_t i = 0;
  if (i < s.size() && (s[i] == '-' || s[i] == '+')) {
    if (s[i] == '-') return false;
    ++i;
  }
  constexpr int64_t kMost = INT64_MAX / 1'000'000'000 - 1;
  int64_t seconds = 0, fraction = 0;
  for (; i < s.size() && base::is_digit(static_cast<unsigned char>(s[i])); ++i)
    if (seconds < kMost / 10) seconds = seconds * 10 + (s[i] - '0');
    else seconds = kMost / 10;
  if (i < s.size() && s[i] == '.') {
    int64_t unit = 100'000'000;
    for (++i; i < s.size() && base::is_digit(static_cast<unsigned char>(s[i])); ++i, unit /= 10)
      if (unit >= 1000) fraction += (s[i] - '0') * unit;  // microseconds are the finest
  }
  ns = seconds * 1'000'000'000 + fraction;
  return i == s.size();
}

// 0, or the status to return.
int parse_options(Process& p, BuiltinOptions& options, ReadOptions& o) {
  while (char c = options.next()) {
    std::string_view value = options.value();
    switch (c) {
      case 'r': o.raw = true; break;
      case 'e': case 's': case 'i': case 'p': break;  // for terminals only
      case 'a':
        o.array = value;
        o.has_array = true;
        break;
      case 'd': o.delimiter = value.empty() ? 0 : static_cast<unsigned char>(value[0]); break;
      case 'n':
      case 'N': {
        auto n = base::parse_legal_number(value);
        if (!n || *n < 0 || *n > INT32_MAX) return fail(p, value, "invalid number");
        o.max_chars = *n;
        if (c == 'N') o.delimiter = -1;
        break;
      }
      case 't':
        if (!parse_seconds(value, o.timeout))
          return fail(p, value, "invalid timeout specification");
        o.has_timeout = true;
        break;
      case 'u':
        if (!parse_descriptor(p, "read", value, o.fd)) return 1;
        break;
    }
  }
  return options.failed() ? options.status() : 0;
}

bool is_target(std::string_view s) {
  size_t bracket = s.find('[');
  if (bracket == std::string_view::npos) return base::is_identifier(s);
  return base::is_identifier(s.substr(0, bracket)) && s.back() == ']' && s.size() > bracket + 2;
}

int invalid_name(Process& p, std::string_view name) {
  std::string text = "`";
  text += name;
  text += "': not a valid identifier";
  interp::builtin_error(p, "read", text);
  return 1;
}

// Collects one record when it cannot be used where it lies.
class LineReader {
 public:
  LineReader(Process& p, OpenFile* file, const ReadOptions& o, int64_t deadline)
      : p_(p), file_(file), o_(o), deadline_(deadline), charge_(p.meter()) {}

  // The status of the read: 0, 1 at the end or after an error, over 128 when
  // the time was up or a signal ended it.
  int run();

  bool interrupted() const { return interrupted_; }
  std::string_view text() const { return text_; }
  std::string_view escaped() const { return escaped_; }

 private:
  enum class Step : uint8_t { more, done };

  std::expected<std::string_view, std::errc> peek() {
    return deadline_ == INT64_MAX ? file_->peek() : file_->peek_until(deadline_);
  }
  int failed(std::errc e);
  size_t take(std::string_view chunk, Step& step);
  void add(char c, bool escaped);
  void add_plain(std::string_view s);
  Step count(unsigned char c);
  bool continues_character(unsigned char c);

  Process& p_;
  OpenFile* file_;
  const ReadOptions& o_;
  int64_t deadline_;
  std::string text_, escaped_;
  limits::MemoryCharge charge_;
  int64_t chars_ = 0;
  bool escape_ = false;    // the last byte was a backslash
  bool interrupted_ = false;
  bool cut_ = false;       // an escaped NUL ended the text (bash keeps C strings)
  int continuation_ = 0;   // bytes that the current character still wants (-n, -N)
  unsigned char lead_ = 0;
};

void LineReader::add(char c, bool escaped) {
  if (cut_) return;
  if (escaped && escaped_.empty()) escaped_.assign(text_.size(), 0);
  text_ += c;
  if (!escaped_.empty() || escaped) escaped_ += static_cast<char>(escaped);
}

void LineReader::add_plain(std::string_view s) {
  if (cut_) return;
  text_.append(s);
  if (!escaped_.empty()) escaped_.append(s.size(), 0);
}

// Whether `c` goes on with the character that is being read. A byte that shows
// the sequence to be invalid has been taken with it all the same.
bool LineReader::continues_character(unsigned char c) {
  bool valid = (c & 0xc0) == 0x80;
  if (lead_ == 0xe0 && c < 0xa0) valid = false;
  if (lead_ == 0xf0 && c < 0x90) valid = false;
  if (lead_ == 0xf8 && c < 0x88) valid = false;
  if (lead_ == 0xfc && c < 0x84) valid = false;
  if (lead_ == 0xed && c > 0x9f) valid = false;
  lead_ = 0;
  continuation_ = valid ? continuation_ - 1 : 0;
  return continuation_ > 0;
}

LineReader::Step LineReader::count(unsigned char c) {
  if (o_.max_chars < 0) return Step::more;
  if (c >= 0xc2 && c < 0xfe) {
    continuation_ = c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf8 ? 3 : c < 0xfc ? 4 : 5;
    lead_ = c;
    return Step::more;
  }
  return ++chars_ >= o_.max_chars ? Step::done : Step::more;
}

// Takes bytes of the chunk; gives how many.
size_t LineReader::take(std::string_view chunk, Step& step) {
  step = Step::more;
  for (size_t i = 0; i < chunk.size(); ++i) {
    char c = chunk[i];
    if (continuation_ > 0) {
      bool more = continues_character(static_cast<unsigned char>(c));
      add(c, false);
      if (!more && ++chars_ >= o_.max_chars) {
        step = Step::done;
        return i + 1;
      }
      continue;
    }
    if (escape_) {
      escape_ = false;
      if (c == '\n') continue;
      if (c == '\0') cut_ = true;
      add(c, true);
    } else if (c == '\\' && !o_.raw) {
      escape_ = true;
      continue;
    } else if (o_.delimiter >= 0 && static_cast<unsigned char>(c) == o_.delimiter) {
      step = Step::done;
      return i + 1;
    } else if (c == '\0') {
      continue;
    } else if (o_.max_chars < 0) {
      // A run of ordinary bytes.
      size_t end = i;
      while (end < chunk.size() && chunk[end] != '\\' && chunk[end] != '\0' &&
             static_cast<unsigned char>(chunk[end]) != o_.delimiter)
        ++end;
      if (end == i) ++end;  // a backslash under -r
      add_plain(chunk.substr(i, end - i));
      i = end - 1;
      continue;
    } else {
      add(c, false);
    }
    if (count(static_cast<unsigned char>(c)) == Step::done) {
      step = Step::done;
      return i + 1;
    }
  }
  return chunk.size();
}

int LineReader::failed(std::errc e) {
  if (e == std::errc::timed_out) return kTimedOut;
  std::string text = "read error: ";
  base::append_int(text, o_.fd);
  text += ": ";
  text += base::errno_text(e);
  interp::builtin_error(p_, "read", text);
  return 1;
}

int LineReader::run() {
  for (;;) {
    if (uint64_t signals = p_.pending_signals) {
      Outcome o = interp::run_pending_signals(p_);
      if (o.unwinding()) {
        p_.failure = o;
        return o.status;
      }
      // A signal ends a read only in posix mode; nothing is assigned then.
      if (p_.has(SetOption::posix)) {
        interrupted_ = true;
        return 128 + __builtin_ctzll(signals) + 1;
      }
    }
    auto chunk = peek();
    if (!chunk && chunk.error() == std::errc::interrupted) continue;
    if (!chunk) return failed(chunk.error());
    if (chunk->empty()) return 1;
    p_.meter().check_string(static_cast<int64_t>(text_.size() + chunk->size()) -
                            (o_.delimiter >= 0 ? static_cast<int64_t>(chunk->size()) : 0));
    charge_.set(static_cast<int64_t>(text_.size() + escaped_.size()));
    Step step;
    size_t n = take(*chunk, step);
    file_->consume(n);
    p_.meter().check_string(static_cast<int64_t>(text_.size()));
    p_.meter().charge_work(1 + static_cast<int64_t>(n >> 12));
    if (step == Step::done) return 0;
  }
}

// --- assignment -------------------------------------------------------------

// False when the variable could not be set. An error in a value (declare -i)
// drops the rest of the line (of the text, under -c), a readonly variable is
// only a status.
bool assign(Process& p, std::string_view name, std::string_view value) {
  const bool ok = base::is_identifier(name)
                      ? interp::assign_variable(p, p.session.symbols.intern(name), value)
                      : interp::assign_target(p, name, value, "read");
  if (ok) return true;
  const interp::Variable* v = p.state.vars.find(p.session.symbols.find(name));
  bool readonly = v && v->has(interp::kReadonly);
  p.failure = readonly ? Outcome() : Outcome(1, p.runs_string ? Flow::exit : Flow::discard);
  return false;
}

// Without the escape marks: the views that fields are cut from.
int assign_names(Process& p, FieldReader fields, Args names, int status) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (!is_target(names[i])) return invalid_name(p, names[i]);
    bool last = i + 1 == names.size();
    fields.skip_blanks();
    std::string_view value;
    if (last) value = fields.rest();
    else if (!fields.at_end()) value = fields.next();
    if (!assign(p, names[i], value)) return 1;
  }
  return status;
}

int assign_array(Process& p, FieldReader fields, std::string_view name, int status) {
  if (!base::is_identifier(name)) return invalid_name(p, name);
  base::Symbol symbol = p.session.symbols.intern(name);
  base::Symbol target = interp::resolve_nameref(p, symbol);
  const interp::Variable* v =
      target == base::kNoSymbol ? nullptr : p.state.vars.find(target);
  if (v && v->has(interp::kAssoc)) {
    interp::builtin_error(p, "read", std::string(name) + ": not an indexed array");
    return 1;
  }
  std::vector<std::string_view> values;
  fields.skip_blanks();
  while (!fields.at_end()) {
    p.meter().check_elements(static_cast<int64_t>(values.size()) + 1);
    values.push_back(fields.next());
  }
  if (!interp::assign_array(p, symbol, values)) {
    p.failure = Outcome();
    return 1;
  }
  return status;
}

int assign_line(Process& p, const ReadOptions& o, Args names, std::string_view text,
                std::string_view escaped, int status) {
  std::string_view ifs = o.delimiter < 0 ? std::string_view() : std::string_view(p.state.ifs);
  if (o.has_array) return assign_array(p, FieldReader(text, escaped, ifs), o.array, status);
  if (names.empty()) {
    if (interp::assign_variable(p, p.session.names.reply, text)) return status;
    p.failure = Outcome();
    return 1;
  }
  return assign_names(p, FieldReader(text, escaped, ifs), names, status);
}

// The line where it lies in the description, without its delimiter; false when
// it takes more than looking.
bool find_line(std::string_view chunk, const ReadOptions& o, std::string_view& line) {
  const size_t end = chunk.find(static_cast<char>(o.delimiter));
  if (end == std::string_view::npos) return false;
  line = chunk.substr(0, end);
  if (!o.raw && line.find('\\') != std::string_view::npos) return false;
  return line.find('\0') == std::string_view::npos;
}

int64_t default_timeout(Process& p, const OpenFile* file, ReadOptions& o) {
  // TMOUT, and no time limit on a file.
  std::string buffer;
  std::string_view text;
  if (!o.has_timeout && p.state.vars.find(p.session.names.tmout) &&
      interp::read_variable(p, p.session.names.tmout, text, buffer)) {
    int64_t ns = 0;
    if (parse_seconds(text, ns) && ns > 0) {
      o.has_timeout = true;
      o.timeout = ns;
    }
  }
  if (!o.has_timeout || (file && file->kind() == interp::OpenKind::file)) return INT64_MAX;
  int64_t now = p.session.clock->now();
  return o.timeout > INT64_MAX - now ? INT64_MAX : now + o.timeout;
}

int read_builtin(Process& p, CommandContext& ctx) {
  BuiltinOptions options(p, ctx, command_read, "ersa:d:i:n:p:t:u:N:");
  ReadOptions o;
  if (int status = parse_options(p, options, o)) return status;
  Args names = options.rest();
  interp::OpenFileRef ref = p.state.fds->ref(o.fd);
  OpenFile* file = ref.get();
  if (o.has_timeout && o.timeout == 0) return file && file->readable() && file->ready() ? 0 : 1;
  if (!names.empty() && !is_target(names[0])) return invalid_name(p, names[0]);
  if (o.has_array && !base::is_identifier(o.array)) return invalid_name(p, o.array);
  if (o.max_chars == 0) return assign_line(p, o, names, {}, {}, 0);
  if (!file) return fail(p, "read error: " + base::int_text(o.fd), "Bad file descriptor");
  int64_t deadline = default_timeout(p, file, o);

  if (o.max_chars < 0 && deadline == INT64_MAX) {
    auto chunk = file->peek();
    std::string_view line;
    if (chunk && find_line(*chunk, o, line)) {
      interp::LeaseRef lease = file->lease();
      file->consume(line.size() + 1);
      p.meter().check_string(static_cast<int64_t>(line.size()));
      return assign_line(p, o, names, line, {}, 0);
    }
  }
  LineReader reader(p, file, o, deadline);
  int status = reader.run();
  if (p.failure.unwinding() || reader.interrupted()) return status;
  return assign_line(p, o, names, reader.text(), reader.escaped(), status);
}

}  // namespace

extern const Command command_read = {
    "read",
    "read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] "
    "[-t timeout] [-u fd] [name ...]",
    "read: read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] "
    "[-t timeout] [-u fd] [name ...]\n"
    "    Read one line and split it over variables.\n"
    "    \n"
    "    The line is cut into words at the characters of IFS; each NAME gets one\n"
    "    word and the last NAME all that is left. Without a NAME the whole line\n"
    "    goes to REPLY. A backslash takes the meaning from the character behind it,\n"
    "    and joins lines before a newline.\n"
    "    \n"
    "    Options:\n"
    "      -a array\tput the words into the indexed array ARRAY\n"
    "      -d delim\tread up to the first character of DELIM, not to a newline\n"
    "      -e\tuse line editing on a terminal\n"
    "      -i text\tbegin line editing with TEXT\n"
    "      -n nchars\tstop after NCHARS characters, or at the delimiter\n"
    "      -N nchars\tread exactly NCHARS characters; nothing is split\n"
    "      -p prompt\tprint PROMPT when the input is a terminal\n"
    "      -r\ttake backslashes as they are\n"
    "      -s\tdo not echo on a terminal\n"
    "      -t timeout\tgive up after TIMEOUT seconds (a fraction is allowed); with 0,\n"
    "    \t\tonly tell whether there is input\n"
    "      -u fd\tread from the descriptor FD\n"
    "    \n"
    "    Returns 0, 1 at the end of the input or on an error, and more than 128\n"
    "    when the time was up.\n",
    CommandKind::builtin, nullptr, read_builtin};

}  // namespace nacre::builtins
