#include "interp/prompt.h"

#include <ctime>

#include "base/numbers.h"
#include "interp/jobs.h"
#include "interp/variables.h"

namespace nacre::interp {

namespace {

// So that the expansion that follows gives the text back.
void append_protected(std::string& out, std::string_view text) {
  for (char c : text) {
    if (c == '$' || c == '`' || c == '"' || c == '\\') out += '\\';
    out += c;
  }
}

void append_time(Process& p, std::string& out, const std::string& format) {
  time_t now = static_cast<time_t>(p.session.clock->wall_now() / 1'000'000'000);
  tm parts{};
  gmtime_r(&now, &parts);
  char text[256];
  append_protected(out, {text, strftime(text, sizeof text, format.c_str(), &parts)});
}

std::string_view base_name(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == std::string_view::npos || path.size() == 1 ? path : path.substr(slash + 1);
}

void append_directory(Process& p, std::string& out, bool last_only) {
  std::string pwd = variable_or(p, p.session.names.pwd, p.state.view.cwd());
  std::string home = variable_or(p, p.session.names.home, "");
  if (last_only) {
    append_protected(out, pwd == home ? std::string_view("~") : base_name(pwd));
    return;
  }
  if (home.size() > 1 && pwd.starts_with(home) &&
      (pwd.size() == home.size() || pwd[home.size()] == '/')) {
    out += '~';
    append_protected(out, std::string_view(pwd).substr(home.size()));
    return;
  }
  append_protected(out, pwd);
}

}  // namespace

void decode_prompt(Process& p, std::string_view text, std::string& out) {
  size_t i = 0;
  while (i < text.size()) {
    char c = text[i++];
    if (c != '\\' || i == text.size()) {
      out += c;
      continue;
    }
    c = text[i++];
    switch (c) {
      case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': {
        int value = c - '0';
        for (int n = 1; n < 3 && i < text.size() && text[i] >= '0' && text[i] <= '7'; ++n)
          value = value * 8 + (text[i++] - '0');
        append_protected(out, std::string(1, static_cast<char>(value)));
        break;
      }
      case 'a': out += '\a'; break;
      case 'e': out += '\033'; break;
      case 'n': out += '\n'; break;
      case 'r': out += '\r'; break;
      case '\\': out += '\\'; break;
      case '[': case ']': break;
      case 'd': append_time(p, out, "%a %b %d"); break;
      case 't': append_time(p, out, "%H:%M:%S"); break;
      case 'T': append_time(p, out, "%I:%M:%S"); break;
      case '@': append_time(p, out, "%I:%M %p"); break;
      case 'A': append_time(p, out, "%H:%M"); break;
      case 'D': {
        size_t close = i < text.size() && text[i] == '{' ? text.find('}', i) : std::string_view::npos;
        if (close == std::string_view::npos) {
          out += "\\D";
          break;
        }
        std::string format(text.substr(i + 1, close - i - 1));
        append_time(p, out, format.empty() ? "%H:%M:%S" : format);
        i = close + 1;
        break;
      }
      case 'u': append_protected(out, p.session.user_name); break;
      case 'h': {
        std::string_view host = p.session.host_name;
        append_protected(out, host.substr(0, host.find('.')));
        break;
      }
      case 'H': append_protected(out, p.session.host_name); break;
      case 's': append_protected(out, base_name(p.state.arg0)); break;
      case 'v': out += "5.2"; break;
      case 'V': out += "5.2.15"; break;
      case 'w': append_directory(p, out, false); break;
      case 'W': append_directory(p, out, true); break;
      case 'j': base::append_uint(out, p.jobs.size()); break;
      case 'l': out += "tty"; break;
      case '!': out += '1'; break;
      case '#': out += '0'; break;
      case '$': out += p.state.view.credentials().uid == 0 ? "#" : "\\$"; break;
      // The expansion that follows takes every " as it is, and drops a backslash
      // before one.
      case '"': out += '"'; break;
      default:
        out += '\\';
        out += c;
    }
  }
}

}  // namespace nacre::interp
