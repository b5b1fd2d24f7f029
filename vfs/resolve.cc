#include "vfs/resolve.h"

#include <cstring>
#include <utility>

#include "vfs/permissions.h"

namespace nacre::vfs {

namespace {

std::unexpected<std::errc> fail(std::errc error) {
  return std::unexpected(error);
}

Place::Kind kind_of(std::string_view name) {
  if (name[0] != '.') return Place::Kind::name;
  if (name.size() == 1) return Place::Kind::dot;
  if (name.size() == 2 && name[1] == '.') return Place::Kind::dot_dot;
  return Place::Kind::name;
}

class Resolver {
 public:
  Resolver(FileSystem& fs, const Credentials& who, Last last, Place& place)
      : fs_(fs), who_(who), last_(last), place_(place) {}

  Status run(const Node& cwd, std::string_view path);

 private:
  bool creates() const { return last_ == Last::create || last_ == Last::create_new; }
  bool follows_last() const {
    return last_ == Last::follow || last_ == Last::create || (last_ == Last::keep && place_.slash);
  }
  // Splits the next component off rest_; false at the end.
  bool next(std::string_view& name);
  Status step(std::string_view name, bool is_last);
  // Puts the link's target in front of what is left.
  Status follow(const Node& link);

  FileSystem& fs_;
  const Credentials& who_;
  Last last_;
  Place& place_;
  Node at_;                // the directory that was reached
  std::string_view rest_;  // without leading slashes once next() has run
  int64_t hops_ = 0;
};

bool Resolver::next(std::string_view& name) {
  size_t begin = 0;
  while (begin < rest_.size() && rest_[begin] == '/') ++begin;
  size_t end = begin;
  while (end < rest_.size() && rest_[end] != '/') ++end;
  name = rest_.substr(begin, end - begin);
  rest_.remove_prefix(end);
  return !name.empty();
}

Status Resolver::run(const Node& cwd, std::string_view path) {
  rest_ = path;
  if (path[0] == '/') {
    at_ = fs_.root();
  } else {
    // Its mode may have changed since it was entered.
    Result<Node> now = fs_.reload(cwd);
    if (!now) return fail(now.error());
    at_ = *std::move(now);
  }
  std::string_view name;
  if (!next(name)) {  // "/", "//"
    place_.dir = at_;
    place_.node = std::move(at_);
    place_.found = true;
    return {};
  }
  for (;;) {
    if (name.size() > PathLimits::kMaxName) return fail(std::errc::filename_too_long);
    size_t slashes = 0;
    while (slashes < rest_.size() && rest_[slashes] == '/') ++slashes;
    bool is_last = slashes == rest_.size();
    place_.slash = is_last && slashes > 0;
    if (!may(at_, who_, kMayExecute)) return fail(std::errc::permission_denied);
    if (Status done = step(name, is_last); !done) return done;
    if (!next(name)) return {};
  }
}

Status Resolver::step(std::string_view name, bool is_last) {
  Place::Kind kind = kind_of(name);
  if (is_last) {
    place_.dir = at_;
    place_.name = name;
    place_.kind = kind;
    place_.found = false;
    if (place_.slash && kind == Place::Kind::name && creates())
      return fail(std::errc::is_a_directory);
  }
  if (kind == Place::Kind::dot) {
    if (is_last) {
      place_.found = true;
      place_.node = at_;
    }
    return {};
  }
  Result<Node> node = kind == Place::Kind::dot_dot ? fs_.parent(at_) : fs_.lookup(at_, name);
  if (!node) {
    if (is_last && node.error() == std::errc::no_such_file_or_directory) return {};
    return fail(node.error());
  }
  if (node->is_symlink()) {
    if (!is_last || follows_last()) return follow(*node);
  }
  if (!is_last) {
    if (!node->is_directory()) return fail(std::errc::not_a_directory);
    at_ = *std::move(node);
    return {};
  }
  if (place_.slash && (last_ == Last::follow || last_ == Last::keep) && !node->is_directory())
    return fail(std::errc::not_a_directory);
  place_.found = true;
  place_.node = *std::move(node);
  return {};
}

Status Resolver::follow(const Node& link) {
  if (++hops_ > fs_.path_limits().max_hops) {
    fs_.note_quota(LimitName::max_symlink_hops);
    return fail(std::errc::too_many_symbolic_link_levels);
  }
  Result<std::string> target = fs_.readlink(link);
  if (!target) return fail(target.error());
  if (target->empty()) return fail(std::errc::no_such_file_or_directory);
  if ((*target)[0] == '/') {
    at_ = fs_.root();
    // "/" alone: the root is the last component, and next() will find nothing.
    place_.dir = at_;
    place_.node = at_;
    place_.kind = Place::Kind::root;
    place_.found = true;
  }
  target->append(rest_);
  place_.text = *std::move(target);
  rest_ = place_.text;
  return {};
}

}  // namespace

Status resolve(FileSystem& fs, const Credentials& who, const Node& cwd, std::string_view path,
               Last last, Place& place) {
  if (path.empty()) return fail(std::errc::no_such_file_or_directory);
  if (std::memchr(path.data(), '\0', path.size())) return fail(std::errc::invalid_argument);
  if (static_cast<int64_t>(path.size()) >= fs.path_limits().max_bytes) {
    fs.note_quota(LimitName::max_path_bytes);
    return fail(std::errc::filename_too_long);
  }
  return Resolver(fs, who, last, place).run(cwd, path);
}

}  // namespace nacre::vfs
