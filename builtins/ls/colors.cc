#include "builtins/ls/colors.h"

#include "base/quoting.h"

namespace nacre::builtins::ls {

namespace {

// In the order of Colors::Kind.
constexpr std::string_view kNames[] = {"lc", "rc", "ec", "rs", "no", "fi", "di", "ln",
                                       "pi", "so", "bd", "cd", "mi", "or", "ex", "do",
                                       "su", "sg", "st", "ow", "tw", "ca", "mh", "cl"};
constexpr std::string_view kDefaults[] = {
    "\033[", "m",     "",      "0",     "",     "",      "01;34", "01;36", "33",    "01;35", "01;33", "01;33",
    "",      "",      "01;32", "01;35", "37;41", "30;43", "37;44", "34;42", "30;42", "",      "",     "\033[K"};

constexpr bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
constexpr unsigned hex_value(char c) {
  return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
}

// Reads a value of LS_COLORS up to `stop`, with \ and ^ escapes.
bool read_value(std::string_view s, size_t& i, char stop, std::string& out) {
  out.clear();
  for (; i < s.size() && s[i] != stop && s[i] != ':'; ++i) {
    char c = s[i];
    if (c == '\\') {
      if (++i == s.size()) return false;
      c = s[i];
      if (c >= '0' && c <= '7') {
        unsigned v = 0;
        while (i < s.size() && s[i] >= '0' && s[i] <= '7') v = v * 8 + unsigned(s[i++] - '0');
        --i;
        out += static_cast<char>(v);
        continue;
      }
      if (c == 'x' || c == 'X') {
        unsigned v = 0;
        while (i + 1 < s.size() && is_hex(s[i + 1])) v = v * 16 + hex_value(s[++i]);
        out += static_cast<char>(v);
        continue;
      }
      switch (c) {
        case 'a': out += '\a'; break;
        case 'b': out += '\b'; break;
        case 'e': out += '\033'; break;
        case 'f': out += '\f'; break;
        case 'n': out += '\n'; break;
        case 'r': out += '\r'; break;
        case 't': out += '\t'; break;
        case 'v': out += '\v'; break;
        case '?': out += '\177'; break;
        case '_': out += ' '; break;
        default: out += c;
      }
    } else if (c == '^') {
      if (++i == s.size()) return false;
      c = s[i];
      if (c >= '@' && c <= '~') out += static_cast<char>(c & 037);
      else if (c == '?') out += '\177';
      else return false;
    } else {
      out += c;
    }
  }
  return true;
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool ends_with_folded(std::string_view s, std::string_view suffix) {
  if (s.size() < suffix.size()) return false;
  s.remove_prefix(s.size() - suffix.size());
  for (size_t i = 0; i < s.size(); ++i)
    if (lower(s[i]) != lower(suffix[i])) return false;
  return true;
}

}  // namespace

Colors::Colors(interp::CommandContext& ctx) {
  for (size_t i = 0; i < kKindCount; ++i) code_[i] = kDefaults[i];
  auto text = ctx.host.getenv("LS_COLORS");
  if (!text || text->empty()) return;
  if (parse(*text)) return;
  ctx.error("unparsable value for LS_COLORS environment variable");
  for (size_t i = 0; i < kKindCount; ++i) code_[i].clear();
  extensions_.clear();
}

bool Colors::parse(std::string_view s) {
  for (size_t i = 0; i < s.size();) {
    if (s[i] == ':') {
      ++i;
      continue;
    }
    std::string name, value;
    bool suffix = s[i] == '*';
    if (suffix) ++i;
    if (!read_value(s, i, '=', name) || i >= s.size() || s[i] != '=') return false;
    ++i;
    if (!read_value(s, i, ':', value)) return false;
    if (suffix) {
      extensions_.push_back({name, value});
      continue;
    }
    size_t kind = 0;
    while (kind < kKindCount && kNames[kind] != name) ++kind;
    if (kind == kKindCount) return false;
    code_[kind] = value;
  }
  return true;
}

std::string_view Colors::extension(std::string_view name) const {
  // The last that fits wins.
  for (size_t i = extensions_.size(); i-- > 0;)
    if (ends_with_folded(name, extensions_[i].suffix)) return extensions_[i].code;
  return {};
}

Colors::Kind Colors::kind_of(vfs::FileType type, uint32_t mode, uint64_t links) const {
  using vfs::FileType;
  switch (type) {
    case FileType::regular:
      if ((mode & 04000) && is_set(kSetUid)) return kSetUid;
      if ((mode & 02000) && is_set(kSetGid)) return kSetGid;
      if ((mode & 0111) && is_set(kExecutable)) return kExecutable;
      if (links > 1 && is_set(kMultiHardLink)) return kMultiHardLink;
      return kFile;
    case FileType::directory: {
      bool sticky = mode & 01000, writable = mode & 0002;
      if (sticky && writable && is_set(kStickyOtherWritable)) return kStickyOtherWritable;
      if (writable && is_set(kOtherWritable)) return kOtherWritable;
      if (sticky && is_set(kSticky)) return kSticky;
      return kDirectory;
    }
    case FileType::symlink: return kLink;
    case FileType::fifo: return kPipe;
    case FileType::socket: return kSocket;
    case FileType::block_device: return kBlock;
    case FileType::char_device: return kChar;
  }
  return kOrphan;
}

std::string_view Colors::of(const Entry& e) const {
  Kind kind;
  if (!e.has_stat && !e.type_known) {
    kind = kMissing;
  } else {
    uint32_t mode = e.has_stat ? e.stat.mode : 0;
    kind = kind_of(e.type, mode, e.has_stat ? e.stat.nlink : 1);
    if (kind == kLink) {
      if (!e.target_exists && (link_as_target() || is_set(kOrphan))) kind = kOrphan;
      else if (link_as_target()) return of_target(e);
    }
  }
  if (kind == kFile) {
    if (std::string_view code = extension(e.name); !code.empty()) return code;
  }
  return is_set(kind) ? std::string_view(code_[kind]) : std::string_view();
}

std::string_view Colors::of_target(const Entry& e) const {
  if (!e.target_exists) return is_set(kMissing) ? std::string_view(code_[kMissing])
                                                 : std::string_view();
  Kind kind = kind_of(e.target_type, e.target_mode, 1);
  if (kind == kFile)
    if (std::string_view code = extension(e.target); !code.empty()) return code;
  return is_set(kind) ? std::string_view(code_[kind]) : std::string_view();
}

void Colors::begin(interp::Output& out, std::string_view color) {
  if (!used_) {
    used_ = true;
    if (!code_[kEnd].empty()) out << code_[kEnd];
    else out << code_[kLeft] << code_[kReset] << code_[kRight];
  }
  out << code_[kLeft] << color << code_[kRight];
}

void Colors::end(interp::Output& out) const {
  if (!code_[kEnd].empty()) out << code_[kEnd];
  else out << code_[kLeft] << code_[kReset] << code_[kRight];
}

}  // namespace nacre::builtins::ls
