#include "builtins/digest/digest_command.h"

#include "base/numbers.h"
#include "base/quoting.h"
#include "builtins/digest/check_line.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;
using interp::Input;

struct Sum {
  unsigned char bytes[kMaxDigestBytes];
  size_t size = 0;
  uint64_t length = 0;  // of the data

  uint32_t number() const {
    uint32_t n = 0;
    for (size_t i = 0; i < size; ++i) n = n << 8 | bytes[i];
    return n;
  }
};

enum class Outcome : uint8_t { done, failed, missing };

// Errors are reported; a missing file is not one if those are ignored.
Outcome digest_file(CommandContext& ctx, std::string_view name, DigestKind kind, size_t bytes,
                    bool ignore_missing, Sum& sum) {
  InputFile file;
  Input* in = file.open(ctx, name);
  if (!in) {
    if (ignore_missing && file.error() == std::errc::no_such_file_or_directory)
      return Outcome::missing;
    ctx.error(base::gnu_quote_if_needed(name), file.error());
    return Outcome::failed;
  }
  auto digest = make_digest(kind, bytes);
  while (true) {
    std::string_view chunk = in->peek();
    if (chunk.empty()) break;
    digest->update(chunk);
    sum.length += chunk.size();
    in->consume(chunk.size());
  }
  if (in->has_error()) {
    ctx.error(base::gnu_quote_if_needed(name), in->error());
    return Outcome::failed;
  }
  sum.size = digest->finish(sum.bytes);
  return Outcome::done;
}

void append_padded(std::string& out, uint64_t number, size_t width, char fill) {
  std::string text;
  base::append_uint(text, number);
  if (text.size() < width) out.append(width - text.size(), fill);
  out += text;
}

// cksum and sum: numbers and the length of the data.
void append_checksum(std::string& out, const DigestOptions& options, const Sum& sum) {
  auto blocks = [&](uint64_t size) { return sum.length / size + (sum.length % size != 0); };
  switch (options.kind) {
    case DigestKind::bsd:
      append_padded(out, sum.number(), 5, '0');
      out += ' ';
      append_padded(out, blocks(1024), 5, ' ');
      break;
    case DigestKind::sysv:
      base::append_uint(out, sum.number());
      out += ' ';
      base::append_uint(out, blocks(512));
      break;
    default:
      base::append_uint(out, sum.number());
      out += ' ';
      base::append_uint(out, sum.length);
  }
}

void append_digest(std::string& out, const DigestOptions& options, std::string_view name,
                   const Sum& sum) {
  bool escape = options.delimiter == '\n' && name.find_first_of("\\\n\r") != name.npos;
  auto put_name = [&] {
    if (escape) append_escaped_name(out, name);
    else out += name;
  };
  if (escape) out += '\\';
  if (options.tagged) {
    out += digest_tag(options.kind);
    if (options.bytes < digest_bytes(options.kind)) {
      out += '-';
      base::append_uint(out, options.bytes * 8);
    }
    out += " (";
    put_name();
    out += ") = ";
  }
  append_hex(out, sum.bytes, sum.size);
  if (!options.tagged) {
    out += options.binary ? " *" : "  ";
    put_name();
  }
}

class Checker {
 public:
  Checker(CommandContext& ctx, const DigestOptions& options) : ctx_(ctx), options_(options) {}

  bool check(std::string_view list) {
    shown_ = list == "-" ? "standard input" : list;
    InputFile file;
    Input* in = file.open_or_report(ctx_, list);
    if (!in) return false;
    CheckLineReader reader(options_.any_kind ? std::nullopt : std::optional(options_.kind));
    std::string_view line;
    for (uint64_t number = 1; in->read_line(line); ++number) {
      ctx_.meter.charge_work(work_for(line.size()));
      if (line.starts_with('#')) continue;
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line.empty()) continue;
      auto entry = reader.read(line);
      if (entry && !(list == "-" && entry->name == "-")) {
        if (entry->kind != kind_shown_) kind_shown_ = entry->kind;
        check_entry(*entry);
      } else {
        ++misformatted_;
        if (options_.warn) warn_line(number);
      }
    }
    if (in->has_error()) {
      ctx_.error(base::gnu_quote_if_needed(shown_) + ": read error");
      return false;
    }
    return finish();
  }

 private:
  void warn_line(uint64_t number) {
    std::string text = base::gnu_quote_if_needed(shown_) + ": ";
    base::append_uint(text, number);
    text.append(": improperly formatted ")
        .append(digest_tag(options_.any_kind ? kind_shown_ : options_.kind))
        .append(" checksum line");
    ctx_.error(text);
  }

  void report(std::string_view name, std::string_view verdict) {
    if (options_.silent) return;
    std::string text;
    if (name.find('\n') != name.npos) {
      text += '\\';
      append_escaped_name(text, name);
    } else {
      text += name;
    }
    ctx_.out << text << ": " << verdict << "\n";
  }

  void check_entry(const CheckLine& entry) {
    formatted_ = true;
    Sum sum;
    switch (digest_file(ctx_, entry.name, entry.kind, entry.bytes, options_.ignore_missing, sum)) {
      case Outcome::missing:
        return;
      case Outcome::failed:
        ++unreadable_;
        return report(entry.name, "FAILED open or read");
      case Outcome::done:
        break;
    }
    std::string hex;
    append_hex(hex, sum.bytes, sum.size);
    if (hex == entry.hex) {
      matched_ = true;
      if (!options_.quiet) report(entry.name, "OK");
    } else {
      ++mismatched_;
      report(entry.name, "FAILED");
    }
  }

  void warn_count(uint64_t n, std::string_view one, std::string_view many) {
    if (n == 0) return;
    std::string text = "WARNING: ";
    base::append_uint(text, n);
    ctx_.error(text.append(" ").append(n == 1 ? one : many));
  }

  bool finish() {
    if (!formatted_) {
      ctx_.error(base::gnu_quote_if_needed(shown_) + ": no properly formatted checksum lines found");
      return false;
    }
    if (!options_.silent) {
      warn_count(misformatted_, "line is improperly formatted", "lines are improperly formatted");
      warn_count(unreadable_, "listed file could not be read", "listed files could not be read");
      warn_count(mismatched_, "computed checksum did NOT match",
                 "computed checksums did NOT match");
      if (options_.ignore_missing && !matched_)
        ctx_.error(base::gnu_quote_if_needed(shown_) + ": no file was verified");
    }
    return matched_ && mismatched_ == 0 && unreadable_ == 0 &&
           !(options_.strict && misformatted_ > 0);
  }

  CommandContext& ctx_;
  const DigestOptions& options_;
  std::string_view shown_;
  DigestKind kind_shown_ = DigestKind::crc;
  uint64_t misformatted_ = 0, unreadable_ = 0, mismatched_ = 0;
  bool formatted_ = false, matched_ = false;
};

}  // namespace

int print_digests(CommandContext& ctx, const DigestOptions& options,
                  std::span<const std::string_view> operands) {
  bool plain = options.kind <= DigestKind::crc;
  bool named = !operands.empty();
  int status = 0;
  for (std::string_view name : operands_or_stdin(operands)) {
    Sum sum;
    if (digest_file(ctx, name, options.kind, options.bytes, false, sum) != Outcome::done) {
      status = 1;
      continue;
    }
    std::string line;
    if (plain) {
      append_checksum(line, options, sum);
      if (named) line.append(" ").append(name);
    } else {
      append_digest(line, options, name, sum);
    }
    line += options.delimiter;
    ctx.out << line;
  }
  return status;
}

int check_digests(CommandContext& ctx, const DigestOptions& options,
                  std::span<const std::string_view> operands) {
  bool ok = true;
  for (std::string_view list : operands_or_stdin(operands)) ok &= Checker(ctx, options).check(list);
  return ok ? 0 : 1;
}

}  // namespace nacre::builtins
