#include "builtins/support/outputs.h"

#include "base/quoting.h"

namespace nacre::builtins {

interp::Output* OutputFile::open(interp::CommandContext& ctx, std::string_view path,
                                 vfs::OpenFlags flags) {
  auto file = ctx.host.open(path, flags, 0666);
  if (!file) {
    error_ = file.error();
    return nullptr;
  }
  path_ = path;
  out_ = std::make_unique<interp::Output>(std::move(*file), ctx.meter,
                                          interp::Output::Buffering::full);
  return out_.get();
}

bool OutputFile::finish(interp::CommandContext& ctx) {
  if (!out_) return true;
  out_->flush();
  bool ok = !out_->has_error();
  if (!ok) ctx.error("write error: " + base::gnu_quote_if_needed(path_), out_->error());
  out_.reset();
  return ok;
}

}  // namespace nacre::builtins
