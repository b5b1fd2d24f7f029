#include "interp/cond_tests.h"

#include "interp/arith.h"
#include "interp/expander.h"
#include "interp/param_value.h"
#include "interp/variables.h"

namespace nacre::interp {

namespace {

std::optional<uint32_t> small_number(std::string_view text) {
  if (!base::all_digits(text) || text.size() > 9) return std::nullopt;
  uint32_t n = 0;
  for (char c : text) n = n * 10 + static_cast<uint32_t>(c - '0');
  return n;
}

// The descriptor that a path names (/dev/stdin, /dev/fd/N), or -1.
int descriptor_of(std::string_view path) {
  if (path == "/dev/stdin") return 0;
  if (path == "/dev/stdout") return 1;
  if (path == "/dev/stderr") return 2;
  if (path.starts_with("/dev/fd/"))
    if (auto n = small_number(path.substr(8))) return static_cast<int>(*n);
  return -1;
}

vfs::Result<vfs::Stat> stat_of(Process& p, std::string_view path, vfs::Follow follow) {
  if (path.empty()) return std::unexpected(std::errc::no_such_file_or_directory);
  if (int fd = descriptor_of(path); fd >= 0 && follow == vfs::Follow::yes) {
    OpenFile* file = p.state.fds->get(fd);
    if (!file) return std::unexpected(std::errc::no_such_file_or_directory);
    return file->stat();
  }
  return follow == vfs::Follow::yes ? p.state.view.stat(path) : p.state.view.lstat(path);
}

bool is_terminal(Process& p, std::string_view operand) {
  auto number = base::parse_legal_number(operand);
  if (!number || *number < 0 || *number > FdTable::kMaxFd) return false;
  OpenFile* file = p.state.fds->get(static_cast<int>(*number));
  return file && file->file() && file->file()->device() == vfs::Device::tty;
}

bool is_nameref(Process& p, std::string_view name) {
  base::Symbol s = p.session.symbols.find(name);
  if (s == base::kNoSymbol) return false;
  const Variable* v = p.state.vars.find(s);
  return v && v->has(kNameref) && v->is_set();
}

bool element_is_set(Process& p, base::Symbol name, std::string_view subscript, KeyText key_text) {
  base::Symbol resolved = name;
  const Variable* v = array_variable(p, resolved);
  if (!v) return false;
  std::string_view text;
  std::string buffer;
  auto bad = [&] {
    p.error(std::string(p.session.symbols.name(name)) + ": bad array subscript");
    return false;
  };
  if (v->has(kAssoc)) {
    std::string key(subscript);
    if (key_text == KeyText::expand && !p.has(Shopt::assoc_expand_once)) {
      ExpansionDepth depth(p);
      base::Arena arena;
      const parser::Word* word = parser::parse_double_quoted(arena.copy(subscript), arena,
                                                             p.session.symbols, p, p.meter());
      key.clear();
      if (word && !expand_string(p, *word, ExpandAs::plain, key)) return false;
    }
    if (key.empty()) return bad();
    return read_element(p, resolved, key, text, buffer);
  }
  if (subscript == "@" || subscript == "*") return element_count(p, resolved) > 0;
  int64_t index;
  if (!eval_arith_text(p, subscript, index)) {
    if (expression_failed(p)) fail_discard_all(p);
    return false;
  }
  if (index < 0) {
    v = array_variable(p, resolved);
    int64_t end = 0;
    if (v && v->has(kIndexed) && v->indexed()) end = v->indexed()->end_index();
    else if (v && !v->is_array() && v->is_set()) end = 1;
    index += end;
    if (index < 0) return bad();
  }
  return read_element(p, resolved, index, text, buffer);
}

}  // namespace

bool variable_is_set(Process& p, std::string_view text, KeyText key_text) {
  if (auto n = small_number(text)) return *n == 0 || *n <= p.state.param_count();
  size_t bracket = text.find('[');
  std::string_view name = text.substr(0, bracket);
  if (!base::is_identifier(name)) return false;
  base::Symbol symbol = p.session.symbols.find(name);
  if (symbol == base::kNoSymbol) return false;
  if (bracket != std::string_view::npos) {
    if (text.back() != ']' || text.size() < bracket + 3) return false;
    return element_is_set(p, symbol, text.substr(bracket + 1, text.size() - bracket - 2), key_text);
  }
  std::string_view value;
  std::string buffer;
  return read_variable(p, symbol, value, buffer);
}

bool test_unary(Process& p, char letter, std::string_view operand) {
  switch (letter) {
    case 'z': return operand.empty();
    case 'n': return !operand.empty();
    case 'v': return variable_is_set(p, operand, KeyText::expand);
    case 'R': return is_nameref(p, operand);
    case 't': return is_terminal(p, operand);
    case 'o': {
      auto option = find_set_option(operand);
      return option && p.has(*option);
    }
    case 'r':
    case 'w':
    case 'x': {
      if (!stat_of(p, operand, vfs::Follow::yes)) return false;
      if (int fd = descriptor_of(operand); fd >= 0) {
        OpenFile* file = p.state.fds->get(fd);
        return letter == 'r' ? file->readable() : letter == 'w' && file->writable();
      }
      return p.state.view.access(operand, letter == 'r' ? 4 : letter == 'w' ? 2 : 1).has_value();
    }
    case 'h':
    case 'L': {
      auto stat = stat_of(p, operand, vfs::Follow::no);
      return stat && stat->type == vfs::FileType::symlink;
    }
    default:
      break;
  }
  auto stat = stat_of(p, operand, vfs::Follow::yes);
  if (!stat) return false;
  switch (letter) {
    case 'a':
    case 'e': return true;
    case 'f': return stat->type == vfs::FileType::regular;
    case 'd': return stat->type == vfs::FileType::directory;
    case 'p': return stat->type == vfs::FileType::fifo;
    case 'S': return stat->type == vfs::FileType::socket;
    case 'b': return stat->type == vfs::FileType::block_device;
    case 'c': return stat->type == vfs::FileType::char_device;
    case 's': return stat->size > 0;
    case 'u': return stat->mode & 04000;
    case 'g': return stat->mode & 02000;
    case 'k': return stat->mode & 01000;
    case 'O': return stat->uid == p.state.view.credentials().uid;
    case 'G': return stat->gid == p.state.view.credentials().gid;
    case 'N': return stat->mtime > stat->atime;
    default: return false;
  }
}

bool test_newer(Process& p, std::string_view a, std::string_view b) {
  auto left = stat_of(p, a, vfs::Follow::yes);
  auto right = stat_of(p, b, vfs::Follow::yes);
  return left && (!right || left->mtime > right->mtime);
}

bool test_older(Process& p, std::string_view a, std::string_view b) {
  auto left = stat_of(p, a, vfs::Follow::yes);
  auto right = stat_of(p, b, vfs::Follow::yes);
  return right && (!left || left->mtime < right->mtime);
}

bool test_same_file(Process& p, std::string_view a, std::string_view b) {
  auto left = stat_of(p, a, vfs::Follow::yes);
  auto right = stat_of(p, b, vfs::Follow::yes);
  return left && right && left->dev == right->dev && left->ino == right->ino;
}

}  // namespace nacre::interp
