// md5sum, the shaNsums, b2sum, cksum and sum: print checksums of files, or
// check those that a file lists.
#include <optional>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/digest/checksums.h"
#include "builtins/digest/digest.h"
#include "builtins/support/choice.h"
#include "builtins/support/human.h"
#include "builtins/support/inputs.h"
#include "builtins/support/options.h"
#include "builtins/support/usage_text.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;
using interp::Input;

// Old ones have no digest.
enum Algorithm : int { kBsd, kSysV, kCrc, kMd5, kSha1, kSha224, kSha256, kSha384, kSha512,
                       kBlake2b, kSm3 };

struct AlgorithmRow {
  std::string_view word;  // cksum -a
  std::string_view tag;   // "MD5 (a) = ..."
  DigestKind kind;
};
constexpr AlgorithmRow kAlgorithms[] = {
    {"bsd", "", {}},
    {"sysv", "", {}},
    {"crc", "", {}},
    {"md5", "MD5", DigestKind::md5},
    {"sha1", "SHA1", DigestKind::sha1},
    {"sha224", "SHA224", DigestKind::sha224},
    {"sha256", "SHA256", DigestKind::sha256},
    {"sha384", "SHA384", DigestKind::sha384},
    {"sha512", "SHA512", DigestKind::sha512},
    {"blake2b", "BLAKE2b", DigestKind::blake2b},
    {"sm3", "SM3", DigestKind::sm3},
};
constexpr Choice kAlgorithmWords[] = {
    {"bsd", kBsd},       {"sysv", kSysV},     {"crc", kCrc},       {"md5", kMd5},
    {"sha1", kSha1},     {"sha224", kSha224}, {"sha256", kSha256}, {"sha384", kSha384},
    {"sha512", kSha512}, {"blake2b", kBlake2b}, {"sm3", kSm3}};

constexpr bool is_old(Algorithm a) { return a <= kCrc; }

enum : int { kIgnoreMissing = kLongOnly, kQuiet, kStatus, kStrict, kTag, kUntagged, kDebugCrc };

constexpr std::string_view kOutro =
    "The following five options are useful only when verifying checksums:\n"
    "  --ignore-missing, --quiet, --status, --strict, -w";

constexpr Option kSumOptions[] = {
    {"b", "binary", Takes::nothing, "", "read in binary mode"},
    {"c", "check", Takes::nothing, "", "read checksums from the FILEs and check them"},
    {"", "tag", Takes::nothing, "", "create a BSD-style checksum", kTag},
    {"t", "text", Takes::nothing, "", "read in text mode (default)"},
    {"z", "zero", Takes::nothing, "",
     "end each output line with NUL, not newline,\nand disable file name escaping"},
    {"", "ignore-missing", Takes::nothing, "",
     "don't fail or report status for missing files", kIgnoreMissing},
    {"", "quiet", Takes::nothing, "",
     "don't print OK for each successfully verified file", kQuiet},
    {"", "status", Takes::nothing, "",
     "don't output anything, status code shows success", kStatus},
    {"", "strict", Takes::nothing, "",
     "exit non-zero for improperly formatted checksum lines", kStrict},
    {"w", "warn", Takes::nothing, "", "warn about improperly formatted checksum lines"},
};
constexpr Option kBlakeOptions[] = {
    {"b", "binary", Takes::nothing, "", "read in binary mode"},
    {"c", "check", Takes::nothing, "", "read checksums from the FILEs and check them"},
    {"l", "length", Takes::required, "BITS",
     "digest length in bits; must not exceed the max for\nthe blake2 algorithm and must be a "
     "multiple of 8"},
    {"", "tag", Takes::nothing, "", "create a BSD-style checksum", kTag},
    {"t", "text", Takes::nothing, "", "read in text mode (default)"},
    {"z", "zero", Takes::nothing, "",
     "end each output line with NUL, not newline,\nand disable file name escaping"},
    {"", "ignore-missing", Takes::nothing, "",
     "don't fail or report status for missing files", kIgnoreMissing},
    {"", "quiet", Takes::nothing, "",
     "don't print OK for each successfully verified file", kQuiet},
    {"", "status", Takes::nothing, "",
     "don't output anything, status code shows success", kStatus},
    {"", "strict", Takes::nothing, "",
     "exit non-zero for improperly formatted checksum lines", kStrict},
    {"w", "warn", Takes::nothing, "", "warn about improperly formatted checksum lines"},
};
constexpr Option kCksumOptions[] = {
    {"a", "algorithm", Takes::required, "TYPE", "select the digest type to use.  See DIGEST below."},
    {"c", "check", Takes::nothing, "", "read checksums from the FILEs and check them"},
    {"l", "length", Takes::required, "BITS",
     "digest length in bits; must not exceed the max for\nthe blake2 algorithm and must be a "
     "multiple of 8"},
    {"", "tag", Takes::nothing, "", "create a BSD-style checksum (the default)", kTag},
    {"", "untagged", Takes::nothing, "", "create a reversed style checksum, without digest type",
     kUntagged},
    {"z", "zero", Takes::nothing, "",
     "end each output line with NUL, not newline,\nand disable file name escaping"},
    {"", "ignore-missing", Takes::nothing, "",
     "don't fail or report status for missing files", kIgnoreMissing},
    {"", "quiet", Takes::nothing, "",
     "don't print OK for each successfully verified file", kQuiet},
    {"", "status", Takes::nothing, "",
     "don't output anything, status code shows success", kStatus},
    {"", "strict", Takes::nothing, "",
     "exit non-zero for improperly formatted checksum lines", kStrict},
    {"w", "warn", Takes::nothing, "", "warn about improperly formatted checksum lines"},
    {"", "debug", Takes::nothing, "", "indicate which implementation used", kDebugCrc},
};
constexpr Option kOldSumOptions[] = {
    {"r", "", Takes::nothing, "", "use BSD sum algorithm (the default), use 1K blocks"},
    {"s", "sysv", Takes::nothing, "", "use System V sum algorithm, use 512 bytes blocks"},
};

#define NACRE_SUM_SPEC(variable, command, title)                                         \
  constexpr OptionSpec variable = {                                                      \
      .name = command,                                                                   \
      .usage = "[OPTION]... [FILE]...",                                                  \
      .intro = "Print or check " title " checksums.\n\n"                                 \
               "With no FILE, or when FILE is -, read standard input.",                  \
      .options = kSumOptions,                                                            \
      .outro = kOutro,                                                                   \
      .column = 24,                                                                      \
  }
NACRE_SUM_SPEC(kMd5Spec, "md5sum", "MD5 (128-bit)");
NACRE_SUM_SPEC(kSha1Spec, "sha1sum", "SHA1 (160-bit)");
NACRE_SUM_SPEC(kSha224Spec, "sha224sum", "SHA224 (224-bit)");
NACRE_SUM_SPEC(kSha256Spec, "sha256sum", "SHA256 (256-bit)");
NACRE_SUM_SPEC(kSha384Spec, "sha384sum", "SHA384 (384-bit)");
NACRE_SUM_SPEC(kSha512Spec, "sha512sum", "SHA512 (512-bit)");
#undef NACRE_SUM_SPEC
constexpr OptionSpec kB2Spec = {
    .name = "b2sum",
    .usage = "[OPTION]... [FILE]...",
    .intro = "Print or check BLAKE2b (512-bit) checksums.\n\n"
             "With no FILE, or when FILE is -, read standard input.",
    .options = kBlakeOptions,
    .outro = kOutro,
    .column = 24,
};
constexpr OptionSpec kCksumSpec = {
    .name = "cksum",
    .usage = "[OPTION]... [FILE]...",
    .intro = "Print or verify checksums.\nBy default use the 32 bit CRC algorithm.\n\n"
             "With no FILE, or when FILE is -, read standard input.",
    .options = kCksumOptions,
    .outro = "DIGEST determines the digest algorithm and default output format:\n"
             "  sysv      (equivalent to sum -s)\n  bsd       (equivalent to sum -r)\n"
             "  crc       (equivalent to cksum)\n  md5       (equivalent to md5sum)\n"
             "  sha1      (equivalent to sha1sum)\n  sha224    (equivalent to sha224sum)\n"
             "  sha256    (equivalent to sha256sum)\n  sha384    (equivalent to sha384sum)\n"
             "  sha512    (equivalent to sha512sum)\n  blake2b   (equivalent to b2sum)\n"
             "  sm3       (only available through cksum)",
    .column = 24,
};
constexpr OptionSpec kSumSpec = {
    .name = "sum",
    .usage = "[OPTION]... [FILE]...",
    .intro = "Print or check BSD (16-bit) checksums.\n\n"
             "With no FILE, or when FILE is -, read standard input.",
    .options = kOldSumOptions,
    .column = 18,
};

struct Settings {
  Algorithm algorithm = kMd5;
  bool any_algorithm = false;  // cksum -c without -a: the tag says which
  unsigned bits = 0;
  bool binary = false, tag = false;
  bool check = false, ignore_missing = false, quiet = false, status_only = false, strict = false,
       warn = false;
  char end = '\n';
};

// \ and newlines in names are escaped, and the line starts with a \.
bool needs_escape(std::string_view name) { return name.find_first_of("\\\n\r") != name.npos; }

std::string escape_name(std::string_view name) {
  std::string s;
  for (char c : name) {
    if (c == '\n') s += "\\n";
    else if (c == '\r') s += "\\r";
    else if (c == '\\') s += "\\\\";
    else s += c;
  }
  return s;
}

bool unescape_name(std::string& name) {
  std::string s;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '\\') {
      if (name[i] == '\0') return false;
      s += name[i];
      continue;
    }
    if (++i == name.size()) return false;
    if (name[i] == 'n') s += '\n';
    else if (name[i] == 'r') s += '\r';
    else if (name[i] == '\\') s += '\\';
    else return false;
  }
  name = s;
  return true;
}

constexpr bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// A line of a list: what value a file should have.
struct Listed {
  Algorithm algorithm;
  unsigned bits = 0;
  std::string value, name;
};

class Sums {
 public:
  Sums(CommandContext& ctx, const Settings& set) : ctx_(ctx), set_(set) {}

  bool print(std::string_view name, size_t files) {
    InputFile file;
    Input* in = file.open_or_report(ctx_, name);
    if (!in) return false;
    if (is_old(set_.algorithm)) return print_old(*in, name, files);
    std::string value = hash(*in, set_.algorithm, set_.bits);
    if (in->has_error()) {
      ctx_.error(base::gnu_quote_if_needed(name), in->error());
      return false;
    }
    bool escape = set_.end == '\n' && needs_escape(name);
    std::string shown = escape ? escape_name(name) : std::string(name);
    if (escape) ctx_.out << "\\";
    if (set_.tag) {
      ctx_.out << kAlgorithms[set_.algorithm].tag;
      if (set_.algorithm == kBlake2b && set_.bits && set_.bits != 512)
        ctx_.out << "-" << base::int_text(set_.bits);
      ctx_.out << " (" << shown << ") = " << value;
    } else {
      ctx_.out << value << (set_.binary ? " *" : "  ") << shown;
    }
    ctx_.out.put(set_.end);
    return true;
  }

  bool check(std::string_view list_name) {
    bool from_stdin = list_name == "-";
    std::string shown = from_stdin ? base::gnu_quote("standard input")
                                   : base::gnu_quote_if_needed(list_name);
    InputFile file;
    Input* in = file.open_or_report(ctx_, list_name);
    if (!in) return false;
    uint64_t number = 0, bad_lines = 0, unreadable = 0, mismatched = 0;
    bool any_line = false, any_match = false;
    std::string_view raw;
    while (in->read_line(raw)) {
      ctx_.meter.charge_work();
      ++number;
      if (raw.starts_with('#')) continue;
      std::string_view line = raw;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty()) continue;
      Listed item;
      if (!parse(line, item) || (from_stdin && item.name == "-")) {
        ++bad_lines;
        if (set_.warn) {
          std::string text = shown + ": ";
          base::append_uint(text, number);
          text += ": improperly formatted ";
          text += kAlgorithms[set_.algorithm].tag;
          ctx_.error(text + " checksum line");
        }
        continue;
      }
      any_line = true;
      std::string name = item.name;
      bool escape = name.find('\n') != name.npos;
      std::string name_shown = (escape ? "\\" : "") + (escape ? escape_name(name) : name);
      InputFile data;
      Input* data_in = data.open(ctx_, name);
      if (!data_in) {
        if (set_.ignore_missing && data.error() == std::errc::no_such_file_or_directory) continue;
        ctx_.error(base::gnu_quote_if_needed(name), data.error());
        ++unreadable;
        if (!set_.status_only) ctx_.out << name_shown << ": FAILED open or read\n";
        continue;
      }
      std::string value = hash(*data_in, item.algorithm, item.bits);
      if (data_in->has_error()) {
        ctx_.error(base::gnu_quote_if_needed(name), data_in->error());
        ++unreadable;
        if (!set_.status_only) ctx_.out << name_shown << ": FAILED open or read\n";
        continue;
      }
      bool match = value == item.value;
      any_match |= match;
      mismatched += !match;
      if (set_.status_only || (match && set_.quiet)) continue;
      ctx_.out << name_shown << (match ? ": OK\n" : ": FAILED\n");
    }
    if (in->has_error()) {
      ctx_.error(shown + ": read error", in->error());
      return false;
    }
    if (!any_line) {
      ctx_.error(shown + ": no properly formatted checksum lines found");
      return false;
    }
    if (!set_.status_only) {
      warn_count(bad_lines, "line is", "lines are", " improperly formatted");
      warn_count(unreadable, "listed file", "listed files", " could not be read");
      warn_count(mismatched, "computed checksum", "computed checksums", " did NOT match");
      if (set_.ignore_missing && !any_match) ctx_.error(shown + ": no file was verified");
    }
    return mismatched == 0 && unreadable == 0 && (!set_.strict || bad_lines == 0) &&
           (!set_.ignore_missing || any_match);
  }

 private:
  void warn_count(uint64_t n, std::string_view one, std::string_view many,
                  std::string_view rest) {
    if (n == 0) return;
    std::string text = "WARNING: ";
    base::append_uint(text, n);
    text.append(" ").append(n == 1 ? one : many).append(rest);
    ctx_.error(text);
  }

  template <class Update>
  void feed(Input& in, Update update) {
    while (true) {
      std::string_view chunk = in.peek();
      if (chunk.empty()) return;
      chunk = chunk.substr(0, 64 * 1024);
      ctx_.meter.charge_work(work_for(chunk.size()));
      update(chunk);
      in.consume(chunk.size());
    }
  }

  std::string hash(Input& in, Algorithm algorithm, unsigned bits) {
    auto digest = make_digest(kAlgorithms[algorithm].kind, bits);
    feed(in, [&](std::string_view s) { digest->update(s); });
    return digest->finish();
  }

  bool print_old(Input& in, std::string_view name, size_t files) {
    std::string line;
    bool named = files > 0;
    auto finish = [&] {
      if (in.has_error()) {
        ctx_.error(base::gnu_quote_if_needed(name), in.error());
        return false;
      }
      if (named) line.append(" ").append(name);
      ctx_.out << line;
      ctx_.out.put(set_.end);
      return true;
    };
    if (set_.algorithm == kCrc) {
      PosixCrc crc;
      feed(in, [&](std::string_view s) { crc.update(s); });
      base::append_uint(line, crc.finish());
      line += ' ';
      base::append_uint(line, crc.total());
      bool ok = !in.has_error();
      // The namesake reports the error and prints a sum all the same.
      if (!ok && in.error() == std::errc::is_a_directory) line = "4294967295 0";
      if (named) line.append(" ").append(name);
      if (!ok && in.error() != std::errc::is_a_directory) {
        ctx_.error(base::gnu_quote_if_needed(name), in.error());
        return false;
      }
      ctx_.out << line;
      ctx_.out.put(set_.end);
      return ok;
    }
    if (set_.algorithm == kBsd) {
      BsdSum sum;
      feed(in, [&](std::string_view s) { sum.update(s); });
      std::string value = base::int_text(sum.finish());
      line.assign(5 - value.size(), '0').append(value);
      SizeFormat blocks;
      blocks.block = 1024;
      std::string count = size_text(sum.total(), 1, blocks);
      line += ' ';
      if (count.size() < 5) line.append(5 - count.size(), ' ');
      line += count;
      return finish();
    }
    SystemVSum sum;
    feed(in, [&](std::string_view s) { sum.update(s); });
    SizeFormat blocks;
    blocks.block = 512;
    line = base::int_text(sum.finish()) + " " + size_text(sum.total(), 1, blocks);
    return finish();
  }

  // "VALUE  NAME", "VALUE *NAME", "TAG (NAME) = VALUE", an escaped one after \.
  bool parse(std::string_view line, Listed& item) const {
    while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) line.remove_prefix(1);
    bool escaped = line.starts_with('\\');
    if (escaped) line.remove_prefix(1);
    if (!parse_tagged(line, item)) {
      if (set_.any_algorithm) return false;
      item.algorithm = set_.algorithm;
      size_t digits = 0;
      while (digits < line.size() && is_hex(line[digits])) ++digits;
      if (set_.algorithm == kBlake2b) {
        // Any length will do: it says how long the value shall be.
        if (digits < 2 || digits > 128 || digits % 2) return false;
        item.bits = static_cast<unsigned>(digits * 4);
      } else if (digits != digest_digits(kAlgorithms[set_.algorithm].kind)) {
        return false;
      }
      item.value = line.substr(0, digits);
      line.remove_prefix(digits);
      if (line.empty() || (line[0] != ' ' && line[0] != '\t')) return false;
      line.remove_prefix(1);
      // One more blank or star, but for lists made by other tools.
      if (line.size() > 1 && (line[0] == ' ' || line[0] == '*')) line.remove_prefix(1);
      if (line.empty()) return false;
      item.name = line;
    }
    for (char& c : item.value) c = lower(c);
    return !escaped || unescape_name(item.name);
  }

  bool parse_tagged(std::string_view line, Listed& item) const {
    for (int a = kMd5; a <= kSm3; ++a) {
      if (!set_.any_algorithm && a != set_.algorithm) continue;
      std::string_view rest = line;
      if (!rest.starts_with(kAlgorithms[a].tag)) continue;
      rest.remove_prefix(kAlgorithms[a].tag.size());
      item.bits = 0;
      if (a == kBlake2b && rest.starts_with('-')) {
        rest.remove_prefix(1);
        unsigned bits = 0;
        while (!rest.empty() && rest[0] >= '0' && rest[0] <= '9' && bits < 10000) {
          bits = bits * 10 + static_cast<unsigned>(rest[0] - '0');
          rest.remove_prefix(1);
        }
        if (bits == 0 || bits > 512 || bits % 8) continue;
        item.bits = bits;
      }
      if (rest.starts_with(' ')) rest.remove_prefix(1);
      if (!rest.starts_with('(')) continue;
      rest.remove_prefix(1);
      size_t close = rest.rfind(')');
      if (close == rest.npos) continue;
      item.name = rest.substr(0, close);
      rest.remove_prefix(close + 1);
      auto blanks = [&] {
        while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t')) rest.remove_prefix(1);
      };
      blanks();
      if (!rest.starts_with('=')) continue;
      rest.remove_prefix(1);
      blanks();
      if (rest.size() != digest_digits(kAlgorithms[a].kind, item.bits)) continue;
      for (char c : rest)
        if (!is_hex(c)) return false;
      item.value = rest;
      item.algorithm = static_cast<Algorithm>(a);
      return true;
    }
    return false;
  }

  CommandContext& ctx_;
  const Settings& set_;
};

// -l BITS. False after a message.
bool read_length(CommandContext& ctx, std::string_view text, unsigned& bits) {
  Size size = parse_size(text, "");
  std::string complaint = "invalid length: " + base::gnu_locale_quote(text);
  if (size.error != SizeError::none) {
    ctx.error(complaint);
    return false;
  }
  if (size.value > 512) {
    ctx.error(complaint);
    ctx.error("maximum digest length for " + base::gnu_locale_quote("BLAKE2b") + " is 512 bits");
    return false;
  }
  if (size.value % 8) {
    ctx.error(complaint);
    ctx.error("length is not a multiple of 8");
    return false;
  }
  bits = static_cast<unsigned>(size.value);
  return true;
}

int run(CommandContext& ctx, const OptionSpec& spec, Algorithm algorithm) {
  Settings set;
  set.algorithm = algorithm;
  bool cksum = &spec == &kCksumSpec;
  bool given_algorithm = false, text = false, untagged = false, tag_given = false;
  bool binary_given = false;
  std::string_view length_text;
  OptionReader options(ctx, spec);
  while (int id = options.next()) {
    switch (id) {
      case 'a':
        if (auto word = read_choice(ctx, spec, "--algorithm", options.value(), kAlgorithmWords)) {
          set.algorithm = static_cast<Algorithm>(*word);
          given_algorithm = true;
        } else {
          options.finish(1);
        }
        break;
      case 'b': set.binary = binary_given = true; break;
      case 'c': set.check = true; break;
      case 'l':
        length_text = options.value();
        if (!read_length(ctx, length_text, set.bits)) options.finish(1);
        break;
      case 't': text = true; set.binary = false; break;
      case 'z': set.end = '\0'; break;
      case 'w': set.warn = true; set.status_only = set.quiet = false; break;
      case kTag: tag_given = set.tag = true; set.binary = true; break;
      case kUntagged: untagged = true; break;
      case kIgnoreMissing: set.ignore_missing = true; break;
      case kQuiet: set.quiet = true; set.status_only = set.warn = false; break;
      case kStatus: set.status_only = true; set.quiet = set.warn = false; break;
      case kStrict: set.strict = true; break;
      case kDebugCrc: break;  // there is one implementation
    }
  }
  if (options.done()) return options.status();
  if (cksum) {
    set.tag = !untagged;
    if (!length_text.empty() && set.algorithm != kBlake2b) {
      ctx.error("--length is only supported with --algorithm=blake2b");
      return 1;
    }
    if (set.check && given_algorithm && is_old(set.algorithm)) {
      ctx.error("--check is not supported with --algorithm={bsd,sysv,crc}");
      return 1;
    }
    set.any_algorithm = set.check && !given_algorithm;
  }
  if (!cksum && set.tag && text) return options.usage_error("--tag does not support --text mode");
  if (set.check && set.end == '\0')
    return options.usage_error("the --zero option is not supported when verifying checksums");
  if (set.check && tag_given)
    return options.usage_error("the --tag option is meaningless when verifying checksums");
  if (set.check && (binary_given || text))
    return options.usage_error(
        "the --binary and --text options are meaningless when verifying checksums");
  if (!set.check) {
    const std::pair<bool, std::string_view> only_checking[] = {
        {set.ignore_missing, "--ignore-missing"}, {set.status_only, "--status"},
        {set.warn, "--warn"},                     {set.quiet, "--quiet"},
        {set.strict, "--strict"}};
    for (auto [given, name] : only_checking)
      if (given)
        return options.usage_error("the " + std::string(name) +
                                   " option is meaningful only when verifying checksums");
  }
  Sums sums(ctx, set);
  bool ok = true;
  for (std::string_view name : operands_or_stdin(options.operands()))
    ok &= set.check ? sums.check(name) : sums.print(name, options.operands().size());
  return ok ? 0 : 1;
}

int sum_main(CommandContext& ctx) {
  Settings set;
  set.algorithm = kBsd;
  OptionReader options(ctx, kSumSpec);
  while (int id = options.next()) set.algorithm = id == 's' ? kSysV : kBsd;
  if (options.done()) return options.status();
  Sums sums(ctx, set);
  bool ok = true;
  for (std::string_view name : operands_or_stdin(options.operands()))
    ok &= sums.print(name, options.operands().size());
  return ok ? 0 : 1;
}

template <const OptionSpec& spec, Algorithm algorithm>
int main_of(CommandContext& ctx) {
  return run(ctx, spec, algorithm);
}

}  // namespace

#define NACRE_DIGEST_COMMAND(word, spec, algorithm, text)   \
  extern const interp::Command command_##word;              \
  const interp::Command command_##word = {                  \
      .name = #word,                                        \
      .synopsis = text,                                     \
      .usage = usage_text<spec>(),                          \
      .main = main_of<spec, algorithm>,                     \
  };
NACRE_DIGEST_COMMAND(md5sum, kMd5Spec, kMd5, "compute and check MD5 message digest")
NACRE_DIGEST_COMMAND(sha1sum, kSha1Spec, kSha1, "compute and check SHA1 message digest")
NACRE_DIGEST_COMMAND(sha224sum, kSha224Spec, kSha224, "compute and check SHA224 message digest")
NACRE_DIGEST_COMMAND(sha256sum, kSha256Spec, kSha256, "compute and check SHA256 message digest")
NACRE_DIGEST_COMMAND(sha384sum, kSha384Spec, kSha384, "compute and check SHA384 message digest")
NACRE_DIGEST_COMMAND(sha512sum, kSha512Spec, kSha512, "compute and check SHA512 message digest")
NACRE_DIGEST_COMMAND(b2sum, kB2Spec, kBlake2b, "compute and check BLAKE2 message digest")
NACRE_DIGEST_COMMAND(cksum, kCksumSpec, kCrc, "compute and verify file checksums")
#undef NACRE_DIGEST_COMMAND

extern const interp::Command command_sum;
const interp::Command command_sum = {
    .name = "sum",
    .synopsis = "checksum and count the blocks in a file",
    .usage = usage_text<kSumSpec>(),
    .main = sum_main,
};

}  // namespace nacre::builtins
