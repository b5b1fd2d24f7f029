// Reading variables: plain, dynamic (RANDOM, LINENO, ..), through namerefs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interp/process.h"

namespace nacre::interp {

// Follows namerefs from s to the variable that is meant. A nameref to an array
// element gives the array's symbol and sets `element` to its subscript text.
// A circular reference warns ("bash: warning: x: circular name reference") and
// gives kNoSymbol.
base::Symbol resolve_nameref(Process& p, base::Symbol s, std::string* element = nullptr);

// The scalar value of a variable as $name has it (arrays: element 0 / "0").
// False when unset. `out` holds until the variable changes or `buffer` does
// (dynamic values are made in `buffer`).
bool read_variable(Process& p, base::Symbol s, std::string_view& out, std::string& buffer);
// The same by name text; nullopt when unset. A copy.
std::optional<std::string> variable_text(Process& p, std::string_view name);
// IFS-like convenience for well-known names: "" when unset.
std::string variable_or(Process& p, base::Symbol s, std::string_view fallback);

// An element; false when it is not set.
bool read_element(Process& p, base::Symbol s, int64_t index, std::string_view& out, std::string& buffer);
bool read_element(Process& p, base::Symbol s, std::string_view key, std::string_view& out, std::string& buffer);

// The subscript text of a nameref or a builtin's operand as an index.
bool element_index(Process& p, base::Symbol s, std::string_view subscript, int64_t& index);

// All values (and keys, when asked for) in order; scalars give one, with key 0.
// The views live in `scratch` memory of the list.
bool read_all_elements(Process& p, base::Symbol s, FieldList& values, FieldList* keys);
// Number of elements (a set scalar counts as 1).
size_t element_count(Process& p, base::Symbol s);

// Computes a dynamic array (FUNCNAME, PIPESTATUS, DIRSTACK, ..) into its variable.
void refresh_dynamic_array(Process& p, base::Symbol s);
// Scalar value of a dynamic variable.
void dynamic_text(Process& p, const Variable& v, std::string& out);

// $- : the letters of the options that are on.
std::string option_letters(const Process& p);
// "NAME=value" for each exported variable, in bash's order.
std::vector<std::string> exported_environment(Process& p);
// Makes the variables that a new bash sets by itself (BASH, BASH_VERSION, IFS, PS4, ..).
void initialise_variables(Process& p);

}  // namespace nacre::interp
