// Collects the text of one word while its parts are expanded, and either
// splits it into fields that go to a FieldList or keeps it as one string.
//
// Splitting (bash manual, 3.5.7) is a state machine over the whole word,
// because a delimiter may be spread over parts: in `$a$b` with a="x " and
// b=":y" the blank and the colon are one delimiter. Only results of unquoted
// expansions are split.
//
// For pathname expansion the builder remembers which ranges of the field are
// quoted; a pattern is made of the field only when an unquoted pattern
// character was seen, so a plain field costs one copy.
//
// Not a FieldList's owner: fields are added to the caller's list while the
// word is expanded, so nothing else may open a list on the same Scratch and
// outlive an add.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "interp/process.h"
#include "interp/text_buffer.h"

namespace nacre::interp {

enum class Collect : uint8_t {
  fields,       // split and glob into a FieldList
  plain,        // one string, quotes removed
  pattern,      // one string, quoted characters escaped for a pattern
  regex,        // one string, quoted characters escaped for an ERE
  replacement,  // one string, quoted & and \ escaped (the word of ${x/p/word})
};

class WordBuilder {
 public:
  WordBuilder(Process& p, FieldList& out);
  WordBuilder(Process& p, Collect collect);  // not fields
  WordBuilder(const WordBuilder&) = delete;

  // Text from inside quotes.
  void quoted(std::string_view s);
  // Unquoted text of the source: pattern characters are active, never split.
  void literal(std::string_view s);
  // The result of an unquoted expansion: split, pattern characters are active.
  void expansion(std::string_view s);
  // "" : the field exists even when nothing else is in it.
  void quoted_null() {
    state_ = State::in_field;
    ++content_;
  }
  // An element of "$@"; between two of them stands separate_quoted().
  void quoted_element(std::string_view s) {
    quoted(s);
    quoted_null();
  }
  void separate_quoted();
  // Between the elements of an unquoted $@ or $*.
  void separate_unquoted(bool star);
  // IFS's first character (the separator of "$*"); "" when IFS is null.
  std::string_view joiner() const;

  // "$@" gave no elements: a pair of quotes with nothing else in it is no field.
  bool empty_list = false;
  // ~ is itself everywhere.
  bool no_tildes = false;
  // The text of a here-document.
  bool here_document = false;
  // Grows whenever something that makes a field was added.
  uint32_t content() const { return content_; }

  bool fields_mode() const { return collect_ == Collect::fields; }
  Collect collect() const { return collect_; }
  // Whether results that are not quoted are to be split (IFS is not null).
  void set_glob(bool on) { glob_ = on; }

  // fields: ends the word. False after a failure (failglob).
  bool finish();
  // Strings: what was collected.
  std::string_view view() const { return text_.view(); }
  TextBuffer& buffer() { return text_; }

 private:
  enum class State : uint8_t {
    start,            // no field yet: leading IFS whitespace is skipped
    in_field,
    after_space,      // IFS whitespace ended a field: another delimiter joins it
    after_delimiter,  // a delimiter that is not whitespace ended it
  };
  enum class Bracket : uint8_t { none, first, negated, inside };  // of an ERE

  void set_up_classes();
  void follow_brackets(std::string_view s);
  void regex_literal(std::string_view s);
  void append_expansion(std::string_view s);
  void delimiter();
  void end_field();
  void glob_field();
  void remember_quoted(size_t begin, size_t end);

  Process& p_;
  FieldList* out_ = nullptr;
  Collect collect_;
  State state_ = State::start;
  Bracket bracket_ = Bracket::none;
  bool glob_ = false;         // pathname expansion is wanted
  bool active_ = false;       // an unquoted pattern character is in the field
  bool failed_ = false;
  bool splits_ = false;
  uint32_t content_ = 0;
  const uint8_t* classes_;    // of bytes, see word_builder.cc
  uint32_t few_count_ = 0;
  std::array<std::pair<size_t, size_t>, 4> few_;         // quoted ranges of the field
  std::vector<std::pair<size_t, size_t>> more_;          // ... behind those
  TextBuffer text_;
  std::array<uint8_t, 256> own_classes_;
};

// The classes of bytes for the default IFS, as word_builder.cc uses them:
// nonzero for what ends the fast path (blanks and pattern characters).
extern const std::array<uint8_t, 256> kDefaultClasses;
bool default_ifs(const Process& p);

}  // namespace nacre::interp
