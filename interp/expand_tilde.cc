// Tilde prefixes (bash manual, 3.5.2): ~ ~user ~+ ~- ~N ~+N ~-N.
#include "interp/expander.h"
#include "interp/variables.h"

namespace nacre::interp {

namespace {

// The home of a user of this system. There are two: the session's own and root.
bool user_home(Process& p, std::string_view name, std::string& out) {
  if (name == "root") {
    out += "/root";
    return true;
  }
  if (name == p.session.user_name) {
    out += "/home/";
    out += name;
    return true;
  }
  return false;
}

// ~N and ~+N count from the left of `dirs`, ~-N from its right.
bool stack_directory(Process& p, std::string_view prefix, std::string& out) {
  bool from_right = prefix[0] == '-';
  if (prefix[0] == '+' || prefix[0] == '-') prefix.remove_prefix(1);
  if (!base::all_digits(prefix) || prefix.size() > 6) return false;
  size_t n = 0;
  for (char c : prefix) n = n * 10 + static_cast<size_t>(c - '0');
  const size_t below = p.state.dirs ? p.state.dirs->dirs.size() : 0;
  if (n > below) return false;
  if (from_right) n = below - n;
  out += n == 0 ? p.state.view.cwd() : p.state.dirs->dirs[n - 1];
  return true;
}

}  // namespace

bool tilde_directory(Process& p, std::string_view prefix, std::string& out) {
  std::string_view text;
  std::string buffer;
  if (prefix.empty()) {
    if (read_variable(p, p.session.names.home, text, buffer)) {
      out += text;
      return true;
    }
    return user_home(p, p.session.user_name, out);
  }
  if (prefix == "+" || prefix == "-") {
    base::Symbol name = prefix == "+" ? p.session.names.pwd : p.session.names.oldpwd;
    if (!read_variable(p, name, text, buffer)) return false;
    out += text;
    return true;
  }
  if (prefix[0] == '+' || prefix[0] == '-' || (prefix[0] >= '0' && prefix[0] <= '9'))
    return stack_directory(p, prefix, out);
  return user_home(p, prefix, out);
}

bool shell_tilde(Process& p, std::string_view name, std::string& out) {
  return tilde_directory(p, name, out);
}

}  // namespace nacre::interp
