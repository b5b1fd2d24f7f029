// Setting variables: attributes (integer, case, readonly), elements, namerefs,
// side effects of special variables. Failures are reported as bash does and
// leave false; the evaluator decides whether they end anything.
#pragma once

#include <string_view>

#include "interp/process.h"
#include "parser/ast.h"

namespace nacre::interp {

struct AssignFlags {
  bool append = false;           // +=
  bool local = false;            // to a new local of the current function
  bool global = false;           // declare -g
  bool ignore_readonly = false;  // the shell's own variables (_, PWD, ..)
  bool no_nameref = false;       // set the nameref itself
  bool for_builtin = false;      // errors carry the builtin's name (already in the prefix)
};

// name=value with all of name's attributes. False (and a message) when it is
// readonly, the value does not evaluate (-i), or the like; p.failure is set
// when bash would unwind.
bool assign_variable(Process& p, base::Symbol name, std::string_view value, AssignFlags flags = {});
bool assign_number(Process& p, base::Symbol name, int64_t value);   // from arithmetic
bool assign_element(Process& p, base::Symbol name, int64_t index, std::string_view value, AssignFlags flags = {});
bool assign_key(Process& p, base::Symbol name, std::string_view key, std::string_view value, AssignFlags flags = {});
// name[sub]=value where sub is a syntax tree (evaluated here).
bool assign_subscript(Process& p, base::Symbol name, const parser::Subscript& sub,
                      std::string_view value, AssignFlags flags = {});

// A target given as text: NAME or NAME[subscript] (read, printf -v, getopts,
// mapfile, ...). `who` is put before "`x': not a valid identifier".
bool assign_target(Process& p, std::string_view target, std::string_view value,
                   std::string_view who, AssignFlags flags = {});
// unset NAME or NAME[subscript]; see unset(1). Gives 0 or 1 after a message.
int unset_target(Process& p, std::string_view target, std::string_view who, bool nameref_itself);

// Replaces a whole array (mapfile, read -a, BASH_REMATCH, PIPESTATUS).
bool assign_array(Process& p, base::Symbol name, std::span<const std::string_view> values,
                  AssignFlags flags = {});

// A whole assignment from the tree: x=v x+=v x[i]=v x=(..) x+=(..), with
// expansion of its value. `declared` attributes are applied first for the
// declaration builtins (kIndexed, kAssoc, kInteger, ..). xtrace is the caller's.
bool perform_assignment(Process& p, const parser::Assign& a, AssignFlags flags = {});
bool assign_elements(Process& p, base::Symbol name, std::span<const parser::ArrayElement> elements,
                     AssignFlags flags = {});

// Makes a variable an array of the kind (converting a scalar to element 0), or
// says why not ("cannot convert associative to indexed array"). Null on failure.
Variable* make_array(Process& p, base::Symbol name, VarAttrs kind, AssignFlags flags = {});

// "x: readonly variable" when it is; true when writable.
bool check_writable(Process& p, base::Symbol name);

// Runs what follows a change of one of the shell's own variables (IFS cache,
// OPTIND, PATH, POSIXLY_CORRECT, GLOBIGNORE, ..).
void special_variable_changed(Process& p, base::Symbol name);
// After a scope was left: what any of them may have been.
void special_variables_restored(Process& p);
// Applies -i -l -u -c of `attrs` to `value`; false when -i fails to evaluate.
bool transform_value(Process& p, VarAttrs attrs, std::string& value);

}  // namespace nacre::interp
