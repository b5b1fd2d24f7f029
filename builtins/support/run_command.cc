#include "builtins/support/run_command.h"

#include "base/quoting.h"

namespace nacre::builtins {

int run_or_report(interp::CommandContext& ctx, interp::Args argv,
                  const interp::RunOptions& options) {
  ctx.out.flush();
  if (argv[0].empty() || !ctx.host.exists(argv[0])) {
    bool path = argv[0].find('/') != argv[0].npos;
    auto st = path ? ctx.fs.stat(argv[0])
                   : vfs::Result<vfs::Stat>(std::unexpected(std::errc::no_such_file_or_directory));
    std::errc error = st ? std::errc::permission_denied : st.error();
    ctx.error(base::gnu_locale_quote(argv[0]), error);
    return error == std::errc::no_such_file_or_directory ? 127 : 126;
  }
  return ctx.host.run(argv, options);
}

}  // namespace nacre::builtins
