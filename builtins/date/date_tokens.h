// The tokens of a date text.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/time_zone.h"

namespace nacre::builtins {

enum class DateToken : uint8_t {
  end, character,      // `c`
  unsigned_number, signed_number, unsigned_decimal, signed_decimal,
  meridian,            // value: 0 AM, 1 PM
  month,               // value 1..12
  day,                 // value 0..6
  local_zone,          // value: 1 summer time
  zone, daylight_zone, // value: minutes east
  dst,
  unit_year, unit_month, unit_day, unit_hour, unit_minute, unit_second,  // value: how many
  ordinal,             // last -1, this 0, next 1, first 1, third 3, ...
  day_shift,           // tomorrow 1, today 0, yesterday -1
  ago,                 // ago -1, hence 1
  unknown,
};

struct DateTokenValue {
  DateToken kind = DateToken::end;
  char c = 0;
  int64_t value = 0;
  int digits = 0;        // of a number
  bool negative = false;
  int32_t nanosecond = 0;  // of a decimal
};

class DateScanner {
 public:
  DateScanner(std::string_view text, const base::TimeZone& zone) : s_(text), zone_(zone) {}
  // False when a number does not fit.
  bool next(DateTokenValue& token);

 private:
  bool number(DateTokenValue& token, int sign);
  void word(DateTokenValue& token);

  std::string_view s_;
  const base::TimeZone& zone_;
  size_t at_ = 0;
};

}  // namespace nacre::builtins
