#include "builtins/shell/set_listing.h"

#include "builtins/shell/variable_text.h"

namespace nacre::builtins {

void append_set_listing(interp::Process& p, std::string& out) {
  for (base::Symbol s :
       sorted_variables(p, [](base::Symbol, const interp::Variable&) { return true; }))
    append_set_line(p, s, out);
  if (p.has(interp::SetOption::posix)) return;
  for (base::Symbol s : sorted_functions(p)) append_function(p, *p.state.functions->find(s), out);
}

}  // namespace nacre::builtins
