#include "builtins/shell/describe.h"

#include <string>

#include "base/quoting.h"
#include "builtins/shell/hash_table.h"
#include "builtins/shell/variable_text.h"
#include "interp/invoke.h"

namespace nacre::builtins {

using interp::CommandContext;
using interp::FunctionDef;
using interp::Process;
using interp::Resolved;
using Form = DescribeOptions::Form;

namespace {

constexpr std::string_view kReserved[] = {
    "!",  "[[", "]]",   "case",     "coproc", "do",     "done", "elif", "else",  "esac", "fi",
    "for", "function", "if", "in", "select", "then", "time", "until", "while", "{",    "}"};

bool is_reserved(std::string_view s) {
  for (std::string_view word : kReserved)
    if (word == s) return true;
  return false;
}

// One kind of thing that the name may be.
class Describer {
 public:
  Describer(Process& p, CommandContext& ctx, std::string_view name, const DescribeOptions& o)
      : p_(p), ctx_(ctx), name_(name), o_(o) {}

  bool run() {
    if (!o_.only_files) {
      if (alias() && !o_.all) return true;
      if (is_reserved(name_) && tell("keyword", "a shell keyword") && !o_.all) return true;
      if (o_.functions && function() && !o_.all) return true;
      if (builtin() && !o_.all) return true;
    }
    file();
    return found_;
  }

 private:
  // All but files, in the forms that want them.
  bool tell(std::string_view word, std::string_view sentence) {
    found_ = true;
    switch (o_.form) {
      case Form::sentence: ctx_.out << name_ << " is " << sentence << "\n"; break;
      case Form::word: ctx_.out << word << "\n"; break;
      case Form::reusable: ctx_.out << name_ << "\n"; break;
      case Form::path: break;
    }
    return true;
  }

  bool alias() {
    if (!p_.parse_options().expand_aliases) return false;
    auto value = p_.alias(name_);
    if (!value) return false;
    found_ = true;
    switch (o_.form) {
      case Form::sentence:
        ctx_.out << name_ << " is aliased to `" << *value << "'\n";
        break;
      case Form::word: ctx_.out << "alias\n"; break;
      case Form::reusable:
        ctx_.out << "alias " << name_ << "=" << base::single_quote(*value) << "\n";
        break;
      case Form::path: break;
    }
    return true;
  }

  bool function() {
    base::Symbol s = p_.session.symbols.find(name_);
    const FunctionDef* f = s == base::kNoSymbol ? nullptr : p_.state.functions->find(s);
    if (!f) return false;
    tell("function", "a function");
    if (o_.form == Form::sentence) {
      std::string out;
      append_function(p_, *f, out);
      ctx_.out.write(out);
    }
    return true;
  }

  bool builtin() {
    const interp::Command* c = p_.session.commands.find(name_);
    if (!c || !c->builtin) return false;
    base::Symbol s = p_.session.symbols.find(name_);
    if (s != base::kNoSymbol && interp::is_disabled(p_, s)) return false;
    const bool special =
        c->kind == interp::CommandKind::special && p_.has(interp::SetOption::posix);
    return tell("builtin", special ? "a special shell builtin" : "a shell builtin");
  }

  void tell_path(std::string_view path) {
    found_ = true;
    switch (o_.form) {
      case Form::sentence: ctx_.out << name_ << " is " << path << "\n"; break;
      case Form::word: ctx_.out << "file\n"; break;
      case Form::reusable:
      case Form::path: ctx_.out << path << "\n"; break;
    }
  }

  void file() {
    if (name_.empty()) return;
    interp::ResolveOptions options;
    options.functions = options.builtins = false;
    options.default_path = o_.default_path;
    if (name_.find('/') != std::string_view::npos) {
      Resolved r = interp::resolve_command(p_, name_, options);
      if (r.kind == Resolved::Kind::utility || r.kind == Resolved::Kind::script) tell_path(name_);
      return;
    }
    if (!o_.all || o_.only_files) {
      if (const std::string* path = hashed_path(p_, name_)) {
        if (o_.form == Form::sentence) {
          found_ = true;
          ctx_.out << name_ << " is hashed (" << *path << ")\n";
        } else {
          tell_path(*path);
        }
        return;
      }
    }
    if (o_.all) {
      for (const std::string& path : interp::all_paths(p_, name_)) tell_path(path);
      return;
    }
    Resolved r = interp::resolve_command(p_, name_, options);
    if (!r.path.empty() && r.kind != Resolved::Kind::directory) tell_path(r.path);
  }

  Process& p_;
  CommandContext& ctx_;
  std::string_view name_;
  const DescribeOptions& o_;
  bool found_ = false;
};

}  // namespace

bool describe_command(Process& p, CommandContext& ctx, std::string_view name, DescribeOptions o) {
  return Describer(p, ctx, name, o).run();
}

}  // namespace nacre::builtins
