#include "builtins/support/remove_tree.h"

#include <string>

#include "base/quoting.h"
#include "builtins/support/file_mode.h"
#include "builtins/support/path_text.h"
#include "builtins/support/prompt.h"

namespace nacre::builtins {

using vfs::Walk;

TreeRemover::TreeRemover(interp::CommandContext& ctx, const RemoveOptions& options)
    : ctx_(ctx),
      options_(options),
      walk_(ctx.fs, ctx.meter,
            {.links = Walk::Links::physical, .one_device = options.one_device}) {}

bool TreeRemover::remove(std::string_view path) {
  ok_ = true;
  keep_.clear();
  walk_.start(path);
  while (const Walk::Entry* e = walk_.next()) visit(*e);
  return ok_;
}

void TreeRemover::visit(const Walk::Entry& e) {
  switch (e.event) {
    case Walk::Event::directory:
      return enter_directory(e);
    case Walk::Event::directory_end:
      if (keep_[static_cast<size_t>(e.depth)]) return keep_above(e);
      break;
    case Walk::Event::unreadable:
      if (walk_.here().rmdir(e.name)) {
        if (options_.verbose)
          ctx_.out << "removed directory " << base::gnu_quote(e.path) << "\n";
        return;
      }
      return fail(e, e.error);
    case Walk::Event::error:
      return fail(e, e.error);
    default:
      break;
  }
  bool directory = e.event == Walk::Event::directory_end;
  // What the user keeps here makes the directory's own removal fail, later.
  if (confirm(e, false, false)) take(e, directory);
}

void TreeRemover::enter_directory(const Walk::Entry& e) {
  size_t depth = static_cast<size_t>(e.depth);
  if (keep_.size() <= depth) keep_.resize(depth + 1);
  keep_[depth] = false;
  bool empty = false;
  if (options_.interactive || (!options_.recursive && options_.empty_directories))
    empty = is_empty(e);
  if (!options_.recursive && !(options_.empty_directories && empty)) {
    walk_.prune();
    return fail(e, options_.empty_directories ? std::errc::directory_not_empty
                                              : std::errc::is_a_directory);
  }
  if (e.depth == 0) {
    std::string_view last = last_component(e.path);
    if (last == "." || last == "..") {
      walk_.prune();
      ctx_.error("refusing to remove " + base::gnu_quote(".") + " or " + base::gnu_quote("..") +
                 " directory: skipping " + base::gnu_quote(e.path));
      ok_ = false;
      return;
    }
    auto root = ctx_.fs.stat("/");
    if (options_.preserve_root && root && root->dev == e.stat.dev && root->ino == e.stat.ino) {
      walk_.prune();
      std::string text = "it is dangerous to operate recursively on " + base::gnu_quote(e.path);
      if (e.path != "/") text += " (same as " + base::gnu_quote("/") + ")";
      ctx_.error(text);
      ctx_.error("use --no-preserve-root to override this failsafe");
      ok_ = false;
      return;
    }
  }
  if (!confirm(e, true, empty)) {
    walk_.prune();
    return keep_above(e);
  }
  if (empty) {
    // Asked once for it as a whole.
    walk_.prune();
    take(e, true);
  }
}

bool TreeRemover::is_empty(const Walk::Entry& e) const {
  auto entries = walk_.here().list(e.name);
  return entries && entries->empty();
}

bool TreeRemover::confirm(const Walk::Entry& e, bool descend, bool empty) {
  if (!options_.interactive) return true;
  bool is_protected = e.stat.type != vfs::FileType::symlink &&
                      !walk_.here().access(e.name, 2);
  std::string text;
  if (descend && !empty) {
    text = is_protected ? "descend into write-protected directory " : "descend into directory ";
  } else {
    text = is_protected ? "remove write-protected " : "remove ";
    text.append(file_type_text(e.stat)).append(" ");
  }
  return ask(ctx_, text + base::gnu_quote(e.path));
}

void TreeRemover::take(const Walk::Entry& e, bool directory) {
  auto gone = directory ? walk_.here().rmdir(e.name) : walk_.here().unlink(e.name);
  if (!gone) return fail(e, gone.error());
  if (options_.verbose)
    ctx_.out << (directory ? "removed directory " : "removed ") << base::gnu_quote(e.path) << "\n";
}

void TreeRemover::fail(const Walk::Entry& e, std::errc error) {
  if (options_.ignore_missing && (error == std::errc::no_such_file_or_directory ||
                                  error == std::errc::not_a_directory ||
                                  error == std::errc::invalid_argument))
    return;
  ctx_.error("cannot remove " + base::gnu_quote(e.path), error);
  ok_ = false;
  keep_above(e);
}

void TreeRemover::keep_above(const Walk::Entry& e) {
  for (size_t i = 0; i < static_cast<size_t>(e.depth) && i < keep_.size(); ++i) keep_[i] = true;
}

}  // namespace nacre::builtins
