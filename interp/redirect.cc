#include "interp/redirect.h"

#include "base/errno_text.h"
#include "base/numbers.h"
#include "interp/assign.h"
#include "interp/expand.h"
#include "interp/variables.h"

namespace nacre::interp {

using parser::Redirect;
using parser::RedirectOp;

std::expected<OpenFileRef, std::errc> open_path(Process& p, std::string_view path,
                                                vfs::OpenFlags flags, uint32_t mode) {
  auto opened = p.state.view.open(path, flags, mode);
  if (!opened) return std::unexpected(opened.error());
  const std::function<uint64_t()> random = [&s = p.session] { return s.random(); };
  return open_any(std::move(*opened), flags, {*p.state.fds, p.session.fifos, p.meter(), random});
}

void RedirectScope::save(int fd) { saved_.push_back({fd, p_.state.fds->ref(fd)}); }

bool RedirectScope::put(int fd, OpenFileRef file) {
  auto ok = base::writable(p_.state.fds).set(fd, std::move(file), p_.meter());
  if (!ok) {
    std::string text = base::int_text(fd);
    text += ": ";
    text += base::errno_text(ok.error());
    p_.error(text);
  }
  return ok.has_value();
}

bool RedirectScope::apply(std::span<const Redirect> redirects) {
  const bool join = p_.join_stderr_due;
  p_.join_stderr_due = false;
  for (const Redirect& r : redirects) {
    if (!apply_one(r)) {
      undo();
      return false;
    }
  }
  if (join) {
    save(2);
    return put(2, p_.state.fds->ref(1));
  }
  return true;
}

void RedirectScope::undo() {
  if (saved_.empty()) return;
  FdTable& fds = base::writable(p_.state.fds);
  for (size_t i = saved_.size(); i-- > 0;) {
    if (saved_[i].old) (void)fds.set(saved_[i].fd, std::move(saved_[i].old), p_.meter());
    else fds.close(saved_[i].fd);
  }
  saved_.clear();
}

namespace {

bool path_error(Process& p, std::string_view path, std::errc code) {
  std::string text(path);
  text += ": ";
  text += base::errno_text(code);
  p.error(text);
  return false;
}

bool ambiguous(Process& p, std::string_view word) {
  p.error(std::string(word) + ": ambiguous redirect");
  return false;
}

// The value of NAME or NAME[subscript].
bool read_target(Process& p, std::string_view target, std::string_view& value, std::string& buffer) {
  size_t bracket = target.find('[');
  base::Symbol s = p.session.symbols.intern(target.substr(0, bracket));
  if (bracket == std::string_view::npos || target.back() != ']') return read_variable(p, s, value, buffer);
  std::string_view inside = target.substr(bracket + 1, target.size() - bracket - 2);
  const Variable* v = p.state.vars.find(s);
  if (v && v->has(kAssoc)) return read_element(p, s, inside, value, buffer);
  int64_t index = 0;
  return element_index(p, s, inside, index) && read_element(p, s, index, value, buffer);
}

vfs::OpenFlags flags_of(RedirectOp op) {
  vfs::OpenFlags f;
  switch (op) {
    case RedirectOp::in: f.read = true; break;
    case RedirectOp::in_out: f.read = f.write = f.create = true; break;
    case RedirectOp::append:
    case RedirectOp::both_append: f.write = f.create = f.append = true; break;
    default: f.write = f.create = f.truncate = true; break;
  }
  return f;
}

// /dev/tcp/HOST/PORT and /dev/udp are the shell's own names; there is no network here.
bool is_network_path(std::string_view path) {
  return path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/");
}

std::expected<OpenFileRef, std::errc> open_target(Process& p, const Redirect& r,
                                                  std::string_view path, bool& refused) {
  refused = false;
  if (is_network_path(path)) {
    p.session.add_unsupported("bash", path);
    return std::unexpected(std::errc::connection_refused);
  }
  vfs::OpenFlags flags = flags_of(r.op);
  if (p.has(SetOption::noclobber) && (r.op == RedirectOp::out || r.op == RedirectOp::both ||
                                      r.op == RedirectOp::dup_out)) {
    auto st = p.state.view.stat(path);
    if (st && st->type == vfs::FileType::regular) {
      refused = true;
      return std::unexpected(std::errc::file_exists);
    }
  }
  return open_path(p, path, flags, 0666);
}

}  // namespace

bool RedirectScope::apply_one(const Redirect& r) {
  Process& p = p_;
  int fd = r.fd;
  if (fd < 0) {
    bool input = r.op == RedirectOp::in || r.op == RedirectOp::in_out || r.op == RedirectOp::dup_in ||
                 r.op == RedirectOp::here_doc || r.op == RedirectOp::here_string;
    fd = input ? 0 : 1;
  }
  const bool has_var = r.fd_var != base::kNoSymbol;

  OpenFileRef file;
  bool both = r.op == RedirectOp::both || r.op == RedirectOp::both_append;
  int move_from = -1;

  if (r.op == RedirectOp::here_doc || r.op == RedirectOp::here_string) {
    std::string text;
    ExpandAs as = r.op == RedirectOp::here_doc ? ExpandAs::here_document : ExpandAs::plain;
    if (r.op == RedirectOp::here_doc && r.target->is_literal) text = r.target->literal;
    else if (!expand_string(p, *r.target, as, text)) return false;
    if (r.op == RedirectOp::here_string) text += '\n';
    file = open_text(std::move(text), p.meter());
  } else if (r.op == RedirectOp::dup_in || r.op == RedirectOp::dup_out) {
    std::string word;
    if (r.target->is_literal) word = r.target->literal;
    else if (!expand_redirect_target(p, *r.target, word)) return false;
    if (word == "-") {
      int target = fd;
      if (has_var) {
        std::string buffer;
        std::string_view value;
        bool set = read_target(p, p.session.symbols.name(r.fd_var), value, buffer);
        auto number = set ? base::parse_legal_number(value) : std::nullopt;
        if (!number) return ambiguous(p, p.session.symbols.name(r.fd_var));
        target = static_cast<int>(*number);
        // {v}>&- closes for good.
        base::writable(p.state.fds).close(target);
        return true;
      }
      save(target);
      base::writable(p.state.fds).close(target);
      return true;
    }
    std::string_view digits = word;
    if (!digits.empty() && digits.back() == '-') digits.remove_suffix(1);
    if (base::all_digits(digits)) {
      auto number = base::parse_legal_number(digits);
      int from = number && *number < FdTable::kMaxFd ? static_cast<int>(*number) : -1;
      file = p.state.fds->ref(from);
      if (!file) return path_error(p, r.target->is_literal ? std::string_view(digits) : r.target->raw,
                                   std::errc::bad_file_descriptor);
      if (digits.size() != word.size()) move_from = from;
    } else if (r.op == RedirectOp::dup_out && (r.fd < 0 || r.fd == 1) && !has_var) {
      bool refused = false;
      auto opened = open_target(p, r, word, refused);
      if (refused) {
        p.error(word + ": cannot overwrite existing file");
        return false;
      }
      if (!opened) return path_error(p, word, opened.error());
      file = std::move(*opened);
      both = true;
    } else {
      return ambiguous(p, r.target->is_literal ? r.target->literal : r.target->raw);
    }
  } else {
    std::string path;
    if (r.target->is_literal) path = r.target->literal;
    else if (!expand_redirect_target(p, *r.target, path)) return false;
    bool refused = false;
    auto opened = open_target(p, r, path, refused);
    if (refused) {
      p.error(path + ": cannot overwrite existing file");
      return false;
    }
    if (!opened) return path_error(p, path, opened.error());
    file = std::move(*opened);
  }

  if (has_var) {
    // {name}> takes a new descriptor that stays open.
    int chosen = p.state.fds->lowest_free(10);
    if (!put(chosen, std::move(file))) return false;
    if (p.has(Shopt::varredir_close)) saved_.push_back({chosen, OpenFileRef()});
    if (move_from >= 0) base::writable(p.state.fds).close(move_from);
    std::string_view target = p.session.symbols.name(r.fd_var);
    if (assign_target(p, target, base::int_text(chosen), {})) return true;
    p.error(std::string(target) + ": cannot assign fd to variable");
    base::writable(p.state.fds).close(chosen);
    p.failure = Outcome(1);
    return false;
  }
  save(fd);
  if (both) {
    save(2);
    if (!put(fd < 0 ? 1 : fd, file)) return false;
    return put(2, std::move(file));
  }
  if (!put(fd, std::move(file))) return false;
  if (move_from >= 0 && move_from != fd) {
    // Moved for good: bash does not bring it back.
    base::writable(p.state.fds).close(move_from);
  }
  return true;
}

}  // namespace nacre::interp
