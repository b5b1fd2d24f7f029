// tr: translates, squeezes or deletes bytes.
//
// The strings become a table (translation) and sets (deletion, squeezing);
// then the data runs through one of four loops over whole chunks.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "base/quoting.h"
#include "builtins/support/inputs.h"
#include "builtins/support/options.h"
#include "builtins/support/usage_text.h"
#include "builtins/tr/tr_set.h"

namespace nacre::builtins {

namespace {

using interp::CommandContext;

constexpr Option kOptions[] = {
    {"cC", "complement", Takes::nothing, "", "use the complement of ARRAY1"},
    {"d", "delete", Takes::nothing, "", "delete characters in ARRAY1, do not translate"},
    {"s", "squeeze-repeats", Takes::nothing, "",
     "replace each sequence of a repeated character\n  that is listed in the last specified ARRAY,\n"
     "  with a single occurrence of that character"},
    {"t", "truncate-set1", Takes::nothing, "", "first truncate ARRAY1 to length of ARRAY2"},
};

constexpr OptionSpec kSpec = {
    .name = "tr",
    .usage = "[OPTION]... STRING1 [STRING2]",
    .intro = "Translate, squeeze, and/or delete characters from standard input,\n"
             "writing to standard output.  STRING1 and STRING2 specify arrays of\n"
             "characters ARRAY1 and ARRAY2 that control the action.",
    .options = kOptions,
    .outro =
        "ARRAYs are specified as strings of characters.  Most represent themselves.\n"
        "Interpreted sequences are:\n\n"
        "  \\NNN            character with octal value NNN (1 to 3 octal digits)\n"
        "  \\\\              backslash\n"
        "  \\a              audible BEL\n"
        "  \\b              backspace\n"
        "  \\f              form feed\n"
        "  \\n              new line\n"
        "  \\r              return\n"
        "  \\t              horizontal tab\n"
        "  \\v              vertical tab\n"
        "  CHAR1-CHAR2     all characters from CHAR1 to CHAR2 in ascending order\n"
        "  [CHAR*]         in ARRAY2, copies of CHAR until length of ARRAY1\n"
        "  [CHAR*REPEAT]   REPEAT copies of CHAR, REPEAT octal if starting with 0\n"
        "  [:alnum:]       all letters and digits\n"
        "  [:alpha:]       all letters\n"
        "  [:blank:]       all horizontal whitespace\n"
        "  [:cntrl:]       all control characters\n"
        "  [:digit:]       all digits\n"
        "  [:graph:]       all printable characters, not including space\n"
        "  [:lower:]       all lower case letters\n"
        "  [:print:]       all printable characters, including space\n"
        "  [:punct:]       all punctuation characters\n"
        "  [:space:]       all horizontal or vertical whitespace\n"
        "  [:upper:]       all upper case letters\n"
        "  [:xdigit:]      all hexadecimal digits\n"
        "  [=CHAR=]        all characters which are equivalent to CHAR",
    .column = 26,
    .order = Order::stop,
};

struct Plan {
  bool complement = false, remove = false, squeeze = false, truncate = false;
  bool translate = false;
  ByteSet removed, squeezed;
  std::array<unsigned char, 256> table;
};

uint64_t length_of_first(const Plan& plan, const TrSet& first) {
  return plan.complement ? 256 - first.members().count() : first.length();
}

// [:lower:] and [:upper:] in the second string must stand where one of them
// stands in the first.
bool cases_are_aligned(const TrSet& first, const TrSet& second) {
  TrSet::Walk a(first), b(second);
  while (true) {
    int c1 = a.next(), c2 = b.next();
    if (c2 >= 0 && b.starts_case() && !(c1 >= 0 && a.starts_case())) return false;
    if (c1 < 0 || c2 < 0) return true;
    if (b.case_class() != TrSet::Case::none) {
      a.skip();
      b.skip();
    }
  }
}

// The checks that need both strings; a message when they do not fit.
std::string_view check(const Plan& plan, const TrSet& first, TrSet* second) {
  if (first.open_repeats() > 0) return "the [c*] repeat construct may not appear in string1";
  if (!second) return {};
  uint64_t length = length_of_first(plan, first);
  second->fill_repeat(length);
  if (second->open_repeats() > 1)
    return "only one [c*] repeat construct may appear in string2";
  if (!plan.translate) {
    if (second->open_repeats() > 0)
      return "the [c*] construct may appear in string2 only when translating";
    return {};
  }
  if (second->has_equivalence())
    return "[=c=] expressions may not appear in string2 when translating";
  if (second->has_class_besides_case())
    return "when translating, the only character classes that may appear in\n"
           "string2 are 'upper' and 'lower'";
  if (!plan.complement && second->has_class() && !cases_are_aligned(first, *second))
    return "misaligned [:upper:] and/or [:lower:] construct";
  if (length > second->length() && !plan.truncate) {
    if (second->length() == 0) return "when not truncating set1, string2 must be non-empty";
    if (!second->extend_to(length))
      return "when translating with string1 longer than string2,\n"
             "the latter string must not end with a character class";
  }
  if (plan.complement && first.has_class() &&
      !(second->length() == length && second->uniform()))
    return "when translating with complemented character classes,\n"
           "string2 must map all characters in the domain to one";
  return {};
}

void make_table(Plan& plan, const TrSet& first, const TrSet& second) {
  for (int c = 0; c < 256; ++c) plan.table[c] = static_cast<unsigned char>(c);
  TrSet::Walk to(second);
  if (plan.complement) {
    ByteSet kept = first.members();
    for (int c = 0; c < 256; ++c) {
      if (kept[c]) continue;
      int image = to.next();
      if (image < 0) break;
      plan.table[c] = static_cast<unsigned char>(image);
    }
    return;
  }
  TrSet::Walk from(first);
  while (true) {
    int c1 = from.next(), c2 = to.next();
    if (c1 < 0 || c2 < 0) return;
    using Case = TrSet::Case;
    if (from.case_class() == Case::lower && to.case_class() == Case::upper) {
      for (int c = 'a'; c <= 'z'; ++c) plan.table[c] = static_cast<unsigned char>(c - 32);
    } else if (from.case_class() == Case::upper && to.case_class() == Case::lower) {
      for (int c = 'A'; c <= 'Z'; ++c) plan.table[c] = static_cast<unsigned char>(c + 32);
    } else {
      plan.table[c1] = static_cast<unsigned char>(c2);
    }
    if (to.case_class() != Case::none) {
      from.skip();
      to.skip();
    }
  }
}

// Sends all of the input through `step(in, size, out)`, which gives the number
// of bytes that it put into `out`.
template <class Step>
void stream(CommandContext& ctx, Step step) {
  char block[16 * 1024];
  while (!ctx.out.has_error()) {
    std::string_view chunk = ctx.in.peek();
    if (chunk.empty()) return;
    chunk = chunk.substr(0, sizeof block);
    ctx.meter.charge_work(work_for(chunk.size()));
    size_t n = step(chunk, block);
    ctx.out.write({block, n});
    ctx.in.consume(chunk.size());
    if (!is_seekable(ctx.in) && !ctx.in.file()->ready()) ctx.out.flush();
  }
}

void run(CommandContext& ctx, const Plan& plan) {
  std::array<bool, 256> keep, squeeze;
  for (int c = 0; c < 256; ++c) {
    keep[c] = !plan.removed[c];
    squeeze[c] = plan.squeezed[c];
  }
  auto table = plan.table;
  if (plan.translate && !plan.squeeze)
    return stream(ctx, [&](std::string_view in, char* out) {
      for (size_t i = 0; i < in.size(); ++i)
        out[i] = static_cast<char>(table[static_cast<unsigned char>(in[i])]);
      return in.size();
    });
  if (plan.remove && !plan.squeeze)
    return stream(ctx, [&](std::string_view in, char* out) {
      size_t n = 0;
      for (char c : in) {
        out[n] = c;
        n += keep[static_cast<unsigned char>(c)];
      }
      return n;
    });
  if (!plan.translate)
    for (int c = 0; c < 256; ++c) table[c] = static_cast<unsigned char>(c);
  if (!plan.remove) keep.fill(true);
  int last = -1;
  stream(ctx, [&](std::string_view in, char* out) {
    size_t n = 0;
    for (char raw : in) {
      if (!keep[static_cast<unsigned char>(raw)]) continue;
      unsigned char c = table[static_cast<unsigned char>(raw)];
      out[n] = static_cast<char>(c);
      n += c != last || !squeeze[c];
      last = c;
    }
    return n;
  });
}

int tr_main(CommandContext& ctx) {
  Plan plan;
  OptionReader options(ctx, kSpec);
  while (int id = options.next()) {
    switch (id) {
      case 'c': plan.complement = true; break;
      case 'd': plan.remove = true; break;
      case 's': plan.squeeze = true; break;
      case 't': plan.truncate = true; break;
    }
  }
  if (options.done()) return options.status();
  auto operands = options.operands();
  plan.translate = operands.size() == 2 && !plan.remove;
  size_t least = plan.remove == plan.squeeze ? 2 : 1;
  size_t most = plan.remove && !plan.squeeze ? 1 : 2;
  if (operands.empty()) return missing_operand(ctx, kSpec);
  if (operands.size() < least) {
    ctx.error("missing operand after " + base::gnu_locale_quote(operands.back()));
    ctx.err << (plan.squeeze ? "Two strings must be given when both deleting and squeezing "
                               "repeats.\n"
                             : "Two strings must be given when translating.\n");
    return options.usage_error();
  }
  if (operands.size() > most) {
    ctx.error("extra operand " + base::gnu_locale_quote(operands[most]));
    if (operands.size() == 2)
      ctx.err << "Only one string may be given when deleting without squeezing repeats.\n";
    return options.usage_error();
  }

  TrSet first, second;
  std::string error;
  std::vector<std::string> warnings;
  bool ok = first.parse(operands[0], error, warnings) &&
            (operands.size() < 2 || second.parse(operands[1], error, warnings));
  for (const std::string& warning : warnings) ctx.error(warning);
  if (!ok) {
    ctx.error(error);
    return 1;
  }
  if (auto complaint = check(plan, first, operands.size() == 2 ? &second : nullptr);
      !complaint.empty()) {
    ctx.error(complaint);
    return 1;
  }
  ByteSet chosen = plan.complement ? ~first.members() : first.members();
  if (plan.remove) plan.removed = chosen;
  if (plan.squeeze) plan.squeezed = operands.size() == 2 ? second.members() : chosen;
  if (plan.translate) make_table(plan, first, second);
  run(ctx, plan);
  if (ctx.in.has_error()) {
    ctx.error("read error", ctx.in.error());
    return 1;
  }
  return 0;
}

}  // namespace

extern const interp::Command command_tr;
const interp::Command command_tr = {
    .name = "tr",
    .synopsis = "translate or delete characters",
    .usage = usage_text<kSpec>(),
    .main = tr_main,
};

}  // namespace nacre::builtins
