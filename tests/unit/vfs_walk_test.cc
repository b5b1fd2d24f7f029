// Walk: order, links, pruning, errors, limits.
#define DOCTEST_CONFIG_SUPER_FAST_ASSERTS
#include <doctest/doctest.h>

#include <cerrno>

#include "tests/support/tree_fixture.h"
#include "vfs/walk.h"

using namespace nacre;
using namespace nacre::vfs;
using test::names;
using test::TreeFixture;
using test::write_file;

namespace {

struct WalkFixture : TreeFixture {
  explicit WalkFixture(const Limits& with = Limits::standard()) : TreeFixture(with) {
    meter.begin(limits, clock, nullptr);
  }

  // One word an event: a path, "/" behind a directory, "^" behind its end.
  std::string events(const View& view, std::string_view path, Walk::Options options = {}) {
    Walk walk(view, meter, options);
    walk.start(path);
    std::string text;
    while (const Walk::Entry* e = walk.next()) {
      if (!text.empty()) text += ' ';
      text += e->path;
      switch (e->event) {
        case Walk::Event::file:
          break;
        case Walk::Event::directory:
          text += '/';
          break;
        case Walk::Event::directory_end:
          text += '^';
          break;
        case Walk::Event::unreadable:
          text += '!';
          break;
        case Walk::Event::cycle:
          text += '@';
          break;
        case Walk::Event::error:
          text += '?';
          break;
      }
      if (e->through_link) text += '*';
      CHECK(e->path.ends_with(e->name));
    }
    return text;
  }

  limits::Meter meter;
};

}  // namespace

TEST_CASE("order") {
  WalkFixture t;
  const View& v = t.user;
  REQUIRE(v.mkdir("d"));
  REQUIRE(v.mkdir("d/b"));
  REQUIRE(v.mkdir("d/e"));
  REQUIRE(write_file(v, "d/a", "x"));
  REQUIRE(write_file(v, "d/b/x", "x"));
  REQUIRE(write_file(v, "d/b.", "x"));
  CHECK(t.events(v, "d") == "d/ d/a d/b/ d/b/x d/b^ d/b. d/e/ d/e^ d^");
  CHECK(t.events(v, "d/") == "d// d/a d/b/ d/b/x d/b^ d/b. d/e/ d/e^ d/^");
  CHECK(t.events(v, "./d/b") == "./d/b/ ./d/b/x ./d/b^");
  CHECK(t.events(v, "d/a") == "d/a");
  CHECK(t.events(v, "nope") == "nope?");
  CHECK(t.events(v, "d/a/") == "d/a/?");
  CHECK(t.events(v, "") == "?");
  View in_d = v;
  REQUIRE(in_d.chdir("d/b"));
  CHECK(t.events(in_d, ".") == "./ ./x .^");
  CHECK(t.events(in_d, "..").starts_with("../ ../a ../b/ ../b/x ../b^"));
  CHECK(t.meter.counters().memory == 0);
}

TEST_CASE("links") {
  WalkFixture t;
  const View& v = t.user;
  REQUIRE(v.mkdir("d"));
  REQUIRE(v.mkdir("d/s"));
  REQUIRE(write_file(v, "d/s/f", "x"));
  REQUIRE(v.symlink("s", "d/ls"));
  REQUIRE(v.symlink("nope", "d/dangling"));
  REQUIRE(v.symlink("..", "d/s/up"));
  REQUIRE(v.symlink("loop", "d/loop"));
  REQUIRE(v.symlink("d", "ld"));
  using L = Walk::Links;
  CHECK(t.events(v, "ld") == "ld");
  CHECK(t.events(v, "ld/") == "ld// ld/dangling ld/loop ld/ls ld/s/ ld/s/f ld/s/up ld/s^ ld/^");
  CHECK(t.events(v, "ld", {.links = L::arguments}) ==
        "ld/* ld/dangling ld/loop ld/ls ld/s/ ld/s/f ld/s/up ld/s^ ld^");
  CHECK(t.events(v, "d", {.links = L::logical}) ==
        "d/ d/dangling* d/loop* d/ls/* d/ls/f d/ls/up@* d/ls^ d/s/ d/s/f d/s/up@* d/s^ d^");
}

TEST_CASE("permissions, pruning, removal") {
  WalkFixture t;
  const View& v = t.user;
  REQUIRE(v.mkdir("d"));
  for (const char* name : {"d/a", "d/b", "d/c"}) {
    REQUIRE(v.mkdir(name));
    REQUIRE(write_file(v, std::string(name) + "/f", "x"));
  }
  SUBCASE("directories that cannot be read or searched") {
    REQUIRE(v.chmod("d/a", 0300));
    REQUIRE(v.chmod("d/b", 0400));
    CHECK(t.events(v, "d") == "d/ d/a/ d/a! d/b/ d/b/f? d/b^ d/c/ d/c/f d/c^ d^");
  }
  SUBCASE("pruning") {
    Walk walk(v, t.meter, {});
    walk.start("d");
    std::string seen;
    while (const Walk::Entry* e = walk.next()) {
      if (e->name == "b") walk.prune();
      seen.append(e->path).append(" ");
    }
    CHECK(seen == "d d/a d/a/f d/a d/b d/c d/c/f d/c d ");
  }
  SUBCASE("rm -r") {
    Walk walk(v, t.meter, {});
    walk.start("d");
    int depth = -1;
    while (const Walk::Entry* e = walk.next()) {
      depth = std::max(depth, e->depth);
      if (e->event == Walk::Event::file) CHECK(walk.here().unlink(e->name).has_value());
      if (e->event == Walk::Event::directory_end) CHECK(walk.here().rmdir(e->name).has_value());
    }
    CHECK(depth == 2);
    CHECK(names(v, ".") == "");
    CHECK(v.usage("/")->files == 0);
  }
  SUBCASE("what others remove meanwhile") {
    Walk walk(v, t.meter, {});
    walk.start("d");
    std::string seen;
    while (const Walk::Entry* e = walk.next()) {
      if (e->event == Walk::Event::directory && e->depth == 0) continue;
      if (e->name == "a" && e->event == Walk::Event::directory) {
        REQUIRE(v.unlink("d/a/f"));
        REQUIRE(v.rmdir("d/a"));
        REQUIRE(v.unlink("d/b/f"));
        REQUIRE(v.rmdir("d/b"));
      }
      seen += e->name;
      if (e->error != std::errc{}) seen += std::to_string(static_cast<int>(e->error));
      seen += ' ';
    }
    CHECK(seen == "a a2 b2 c f c d ");
  }
  SUBCASE("one device") {
    REQUIRE(v.chmod("/home/user", 0755));
    std::string all = t.events(v, "/dev");
    CHECK(all.starts_with("/dev/ /dev/fd/ /dev/fd^ /dev/full"));
    CHECK(t.events(t.root, "/usr", {.one_device = true}) == "/usr/ /usr/bin/ /usr^");
    CHECK(t.events(t.root, "/usr") ==
          "/usr/ /usr/bin/ /usr/bin/cat /usr/bin/ls /usr/bin/sed /usr/bin^ /usr^");
  }
}

TEST_CASE("limits") {
  Limits limits;
  limits.max_work_units = 5;
  WalkFixture t(limits);
  const View& v = t.user;
  REQUIRE(v.mkdir("d"));
  for (char c = 'a'; c < 'f'; ++c) REQUIRE(write_file(v, std::string("d/") + c, "x"));
  auto limit_of = [](auto&& run) {
    try {
      run();
    } catch (const limits::LimitExceeded& e) {
      return std::string(limit_text(e.name));
    }
    return std::string();
  };
  CHECK(limit_of([&] { t.events(v, "d"); }) == "max_work_units");

  limits = Limits();
  t.meter.begin(limits, t.clock, nullptr);
  View at = v;
  for (int i = 0; i < 100; ++i) {
    REQUIRE(at.mkdir("x"));
    REQUIRE(at.chdir("x", "/x"));
  }
  View below = v;
  REQUIRE(below.mkdir("y"));
  REQUIRE(below.chdir("y", "/y"));
  for (int i = 0; i < 24; ++i) {
    REQUIRE(below.mkdir("y"));
    REQUIRE(below.chdir("y", "/y"));
  }
  CHECK(limit_of([&] { t.events(v, "x"); }) == "");
  REQUIRE(at.rename("/home/user/y", "y"));
  CHECK(limit_of([&] { t.events(v, "x"); }) == "");  // 1 + 100 + 25 levels
  REQUIRE(below.mkdir("1"));
  REQUIRE(v.mkdir("p"));
  REQUIRE(v.mkdir("p/q"));
  REQUIRE(v.mkdir("p/q/r"));
  REQUIRE(v.rename("x", "p/q/r/x"));
  CHECK(limit_of([&] { t.events(v, "p/q"); }) == "");  // 128 directories
  CHECK(limit_of([&] { t.events(v, "p"); }) == "max_path_depth");
  CHECK(t.meter.counters().memory == 0);

  limits.max_memory_bytes = 100;
  t.meter.begin(limits, t.clock, nullptr);
  CHECK(limit_of([&] { t.events(v, "d"); }) == "max_memory_bytes");
  CHECK(t.meter.counters().memory == 0);
}
