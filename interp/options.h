// The options of `set -o` and `shopt`, as one table each and one bit set each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace nacre::interp {

// X(identifier, "name", letter or 0): the order is that of `set -o`.
#define NACRE_SET_OPTIONS(X)                       \
  X(allexport, "allexport", 'a')                   \
  X(braceexpand, "braceexpand", 'B')               \
  X(emacs, "emacs", 0)                             \
  X(errexit, "errexit", 'e')                       \
  X(errtrace, "errtrace", 'E')                     \
  X(functrace, "functrace", 'T')                   \
  X(hashall, "hashall", 'h')                       \
  X(histexpand, "histexpand", 'H')                 \
  X(history, "history", 0)                         \
  X(ignoreeof, "ignoreeof", 0)                     \
  X(interactive_comments, "interactive-comments", 0) \
  X(keyword, "keyword", 'k')                       \
  X(monitor, "monitor", 'm')                       \
  X(noclobber, "noclobber", 'C')                   \
  X(noexec, "noexec", 'n')                         \
  X(noglob, "noglob", 'f')                         \
  X(nolog, "nolog", 0)                             \
  X(notify, "notify", 'b')                         \
  X(nounset, "nounset", 'u')                       \
  X(onecmd, "onecmd", 't')                         \
  X(physical, "physical", 'P')                     \
  X(pipefail, "pipefail", 0)                       \
  X(posix, "posix", 0)                             \
  X(privileged, "privileged", 'p')                 \
  X(verbose, "verbose", 'v')                       \
  X(vi, "vi", 0)                                   \
  X(xtrace, "xtrace", 'x')

// X(identifier, default): the order is that of `shopt`.
#define NACRE_SHOPT_OPTIONS(X)                                                   \
  X(autocd, 0) X(assoc_expand_once, 0) X(cdable_vars, 0) X(cdspell, 0)           \
  X(checkhash, 0) X(checkjobs, 0) X(checkwinsize, 1) X(cmdhist, 1)               \
  X(compat31, 0) X(compat32, 0) X(compat40, 0) X(compat41, 0) X(compat42, 0)     \
  X(compat43, 0) X(compat44, 0) X(complete_fullquote, 1) X(direxpand, 0)         \
  X(dirspell, 0) X(dotglob, 0) X(execfail, 0) X(expand_aliases, 0)               \
  X(extdebug, 0) X(extglob, 0) X(extquote, 1) X(failglob, 0) X(force_fignore, 1) \
  X(globasciiranges, 1) X(globskipdots, 1) X(globstar, 0) X(gnu_errfmt, 0)       \
  X(histappend, 0) X(histreedit, 0) X(histverify, 0) X(hostcomplete, 1)          \
  X(huponexit, 0) X(inherit_errexit, 0) X(interactive_comments, 1)               \
  X(lastpipe, 0) X(lithist, 0) X(localvar_inherit, 0) X(localvar_unset, 0)       \
  X(login_shell, 0) X(mailwarn, 0) X(no_empty_cmd_completion, 0)                 \
  X(nocaseglob, 0) X(nocasematch, 0) X(noexpand_translation, 0) X(nullglob, 0)   \
  X(patsub_replacement, 1) X(progcomp, 1) X(progcomp_alias, 0) X(promptvars, 1)  \
  X(restricted_shell, 0) X(shift_verbose, 0) X(sourcepath, 1) \
  X(varredir_close, 0) X(xpg_echo, 0)

enum class SetOption : uint8_t {
#define NACRE_X(id, name, letter) id,
  NACRE_SET_OPTIONS(NACRE_X)
#undef NACRE_X
};
enum class Shopt : uint8_t {
#define NACRE_X(id, initial) id,
  NACRE_SHOPT_OPTIONS(NACRE_X)
#undef NACRE_X
};

struct SetOptionInfo {
  SetOption option;
  std::string_view name;
  char letter;  // 0: none
};
struct ShoptInfo {
  Shopt option;
  std::string_view name;
  bool initial;
};
std::span<const SetOptionInfo> set_option_table();
std::span<const ShoptInfo> shopt_table();
std::optional<SetOption> find_set_option(std::string_view name);
std::optional<Shopt> find_shopt(std::string_view name);

class Options {
 public:
  Options();  // bash's defaults for a non-interactive shell
  bool has(SetOption o) const { return set_ >> static_cast<int>(o) & 1; }
  bool has(Shopt o) const { return shopt_ >> static_cast<int>(o) & 1; }
  void put(SetOption o, bool on) { put_bit(set_, static_cast<int>(o), on); }
  void copy_set_options(const Options& from) { set_ = from.set_; }
  void put(Shopt o, bool on) { put_bit(shopt_, static_cast<int>(o), on); }

 private:
  static void put_bit(uint64_t& bits, int n, bool on) {
    bits = on ? bits | uint64_t{1} << n : bits & ~(uint64_t{1} << n);
  }
  uint64_t set_ = 0, shopt_ = 0;
};

}  // namespace nacre::interp
