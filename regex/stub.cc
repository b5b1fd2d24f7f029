#include "regex/regex.h"
namespace nacre::regex {
struct Regex::Impl {};
std::expected<Regex, std::string> Regex::compile(std::string_view, RegexOptions, limits::Meter&) { return std::unexpected(std::string("none")); }
Regex::~Regex() = default;
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
bool Regex::search(std::string_view, size_t, std::vector<Match>&, limits::Meter&) const { return false; }
bool Regex::matches(std::string_view, limits::Meter&) const { return false; }
size_t Regex::group_count() const { return 0; }
}
