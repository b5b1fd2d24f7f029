// The View: path resolution, permissions, and the rules of the system calls
// that make, move and remove names. What is expected was checked against Linux.
#define DOCTEST_CONFIG_SUPER_FAST_ASSERTS
#include <doctest/doctest.h>

#include <cerrno>

#include "tests/support/tree_fixture.h"
#include "vfs/path.h"

using namespace nacre;
using namespace nacre::vfs;
using test::names;
using test::read_file;
using test::TreeFixture;
using test::write_file;

namespace {

// 0 or the errno.
template <class T>
int code(const std::expected<T, std::errc>& r) {
  return r ? 0 : static_cast<int>(r.error());
}

constexpr OpenFlags kRead{.read = true};
constexpr OpenFlags kWrite{.write = true};
constexpr OpenFlags kCreate{.write = true, .create = true, .truncate = true};
constexpr OpenFlags kExclusive{.write = true, .create = true, .exclusive = true};

std::string path_text(std::string_view text, std::string_view cwd = "/") {
  auto base = Path::resolve(cwd);
  auto path = Path::resolve(text, *base);
  return path ? path->text() : std::to_string(static_cast<int>(path.error()));
}

}  // namespace

TEST_CASE("Path: text against a directory") {
  CHECK(path_text("/") == "/");
  CHECK(path_text("//a///b/") == "/a/b");
  CHECK(path_text("a/./b", "/x") == "/x/a/b");
  CHECK(path_text("../b", "/x/y") == "/x/b");
  CHECK(path_text("../../../..", "/x/y") == "/");
  CHECK(path_text("..a/...", "/x") == "/x/..a/...");
  CHECK(path_text("") == std::to_string(ENOENT));
  CHECK(path_text(std::string_view("a\0b", 3)) == std::to_string(EINVAL));
  CHECK(path_text(std::string(255, 'n')).size() == 256);
  CHECK(path_text(std::string(256, 'n')) == std::to_string(ENAMETOOLONG));

  std::string deep;
  for (int i = 0; i < 128; ++i) deep += "/d";
  CHECK(path_text(deep) == deep);
  CHECK(path_text(deep + "/d") == std::to_string(ENAMETOOLONG));
  CHECK(path_text(deep + "/d/..") == deep);

  std::string longest;
  while (longest.size() + 101 < 4095) longest += "/" + std::string(100, 'x');
  longest += "/" + std::string(4095 - longest.size() - 1, 'y');
  CHECK(longest.size() == 4095);
  CHECK(path_text(longest) == longest);
  CHECK(path_text(longest + "y") == std::to_string(ENAMETOOLONG));

  Path path = *Path::resolve("/a/b");
  CHECK(path.name() == "b");
  CHECK(path.depth() == 2);
  CHECK(path.parent().text() == "/a");
  CHECK(path.parent().parent().is_root());
  CHECK(Path().parent().is_root());
  CHECK(Path().name() == "");
  CHECK(path.parent().contains(path));
  CHECK(path.contains(path));
  CHECK_FALSE(path.contains(*Path::resolve("/a/bc")));
  CHECK(Path().contains(path));
}

TEST_CASE("the bare tree") {
  TreeFixture t;
  CHECK(t.user.cwd() == "/home/user");
  CHECK(names(t.user, "/") == "bin dev home tmp usr");
  CHECK(names(t.user, "/bin/") == "cat ls sed");
  CHECK(names(t.user, "/bin") == "cat ls sed");
  CHECK(t.user.readlink("/bin") == "usr/bin");
  CHECK(t.user.lstat("/tmp")->mode == 01777);
  CHECK(t.user.stat("/")->mode == 0755);
  CHECK(t.user.stat(".")->uid == 1000);
  CHECK(t.user.stat("/home")->uid == 0);
  CHECK(t.user.stat("/")->nlink == 6);
  CHECK(t.user.real_path("/bin/ls") == "/usr/bin/ls");
  CHECK(t.user.real_path("/bin") == "/usr/bin");
  CHECK(t.user.real_path("/bin/..") == "/usr");
  CHECK(t.user.real_path("/dev/fd/../null") == "/dev/null");
  CHECK(t.user.usage("/")->files == 0);
  CHECK(t.user.usage("/")->bytes == 0);
  CHECK(code(t.user.mkdir("/x")) == EACCES);
  CHECK(code(t.root.rmdir("/dev")) == EBUSY);
  CHECK(code(t.root.rename("/usr/bin", "/b")) == EBUSY);
  CHECK(code(t.root.rename("/usr", "/u")) == 0);  // as on Linux: the mount goes along
  CHECK(t.root.real_path("/u/bin/cat") == "/u/bin/cat");
}

TEST_CASE("resolution: dots, slashes, missing parts") {
  TreeFixture t;
  const View& v = t.user;
  REQUIRE(v.mkdir("d"));
  REQUIRE(v.mkdir("d/e"));
  REQUIRE(write_file(v, "f", "text"));
  CHECK(v.stat("d/e/../../f")->size == 4);
  CHECK(v.stat("//home///user/./f")->size == 4);
  CHECK(v.stat("../../../../home/user/f")->size == 4);
  CHECK(code(v.stat("")) == ENOENT);
  CHECK(code(v.stat("nope")) == ENOENT);
  CHECK(code(v.stat("nope/..")) == ENOENT);
  CHECK(code(v.stat("f/")) == ENOTDIR);
  CHECK(code(v.stat("f/x")) == ENOTDIR);
  CHECK(code(v.stat("f/.")) == ENOTDIR);
  CHECK(code(v.stat("f/..")) == ENOTDIR);
  CHECK(code(v.lstat("f/")) == ENOTDIR);
  CHECK(code(v.stat("d/")) == 0);
  CHECK(code(v.stat(std::string(255, 'n'))) == ENOENT);
  CHECK(code(v.stat(std::string(256, 'n'))) == ENAMETOOLONG);
  CHECK(code(v.stat(std::string(256, 'n') + "/x")) == ENAMETOOLONG);
  CHECK(code(v.stat(std::string_view("f\0", 2))) == EINVAL);
  std::string slashes(4095, '/');
  CHECK(code(v.stat(slashes)) == 0);
  CHECK(t.tree.root->quota_hits().empty());
  CHECK(code(v.stat(slashes + "/")) == ENAMETOOLONG);
  CHECK(t.tree.root->quota_hits().has(LimitName::max_path_bytes));
}

TEST_CASE("resolution: symbolic links") {
  TreeFixture t;
  const View& v = t.user;
  REQUIRE(v.mkdir("d"));
  REQUIRE(v.mkdir("d/e"));
  REQUIRE(write_file(v, "d/f", "text"));
  REQUIRE(v.symlink("d/e", "le"));
  REQUIRE(v.symlink("/home/user/d/f", "lf"));
  REQUIRE(v.symlink("nope", "dangling"));
  REQUIRE(v.symlink("loop", "loop"));
  REQUIRE(v.symlink("/", "slash"));
  REQUIRE(v.symlink("../user/le", "chain"));
  REQUIRE(v.symlink(".", "dot"));
  CHECK(code(v.symlink("", "empty")) == ENOENT);

  CHECK(v.stat("lf")->size == 4);
  CHECK(v.lstat("lf")->type == FileType::symlink);
  CHECK(v.lstat("lf")->size == 14);
  CHECK(v.lstat("lf")->blocks == 0);
  CHECK(v.stat("le/../f")->size == 4);  // physical: the parent of d/e
  CHECK(v.lstat("le/")->type == FileType::directory);
  CHECK(code(v.lstat("lf/")) == ENOTDIR);
  CHECK(code(v.lstat("dangling/")) == ENOENT);
  CHECK(code(v.stat("dangling")) == ENOENT);
  CHECK(code(v.lstat("dangling")) == 0);
  CHECK(code(v.stat("loop")) == ELOOP);
  CHECK(t.tree.root->quota_hits().has(LimitName::max_symlink_hops));
  CHECK(code(v.lstat("loop")) == 0);
  CHECK(code(v.stat("loop/x")) == ELOOP);
  CHECK(v.real_path("chain/../../lf") == "/home/user/d/f");
  CHECK(v.real_path("slash") == "/");
  CHECK(v.real_path("slash/home/") == "/home");
  CHECK(v.real_path("slash/..") == "/");
  CHECK(v.real_path("dot/dot/dot/./d") == "/home/user/d");
  CHECK(v.stat("slash/")->ino == v.stat("/")->ino);

  // 40 links pass, the 41st does not.
  REQUIRE(write_file(v, "l0", "x"));
  for (int i = 1; i <= 41; ++i) {
    std::string to = "l", from = "l";
    REQUIRE(v.symlink(to += std::to_string(i - 1), from += std::to_string(i)));
  }
  CHECK(code(v.stat("l40")) == 0);
  CHECK(code(v.stat("l41")) == ELOOP);
  CHECK(code(v.lstat("l41")) == 0);
}

TEST_CASE("open") {
  TreeFixture t;
  const View& v = t.user;
  REQUIRE(v.mkdir("d"));
  REQUIRE(write_file(v, "f", "text"));
  REQUIRE(v.symlink("f", "lf"));
  REQUIRE(v.symlink("new", "dangling"));
  REQUIRE(v.symlink("d", "ld"));

  CHECK(code(v.open("nope", kRead)) == ENOENT);
  CHECK(code(v.open("f/", kRead)) == ENOTDIR);
  CHECK(code(v.open("f/", kCreate)) == EISDIR);
  CHECK(code(v.open("lf/", kCreate)) == EISDIR);
  CHECK(code(v.open("nope/", kCreate)) == EISDIR);
  CHECK(code(v.open("dangling/", kCreate)) == EISDIR);
  CHECK(code(v.open("nope/x", kCreate)) == ENOENT);
  CHECK(code(v.open("nope/x/", kCreate)) == ENOENT);
  REQUIRE(v.symlink("loop", "loop"));
  CHECK(code(v.open("loop", kCreate)) == ELOOP);
  CHECK(code(v.open("loop/", kCreate)) == EISDIR);  // nothing is looked up
  CHECK(code(v.open("loop/x", kCreate)) == ELOOP);
  CHECK(code(v.open("f/x", kCreate)) == ENOTDIR);
  CHECK(code(v.open("d", kWrite)) == EISDIR);
  CHECK(code(v.open("d/", kCreate)) == EISDIR);
  CHECK(code(v.open(".", kCreate)) == EISDIR);
  CHECK(code(v.open("", kCreate)) == ENOENT);
  CHECK(code(v.open("f", kExclusive)) == EEXIST);
  CHECK(code(v.open("dangling", kExclusive)) == EEXIST);
  CHECK(code(v.open("lf", {.read = true, .no_follow = true})) == ELOOP);
  CHECK(code(v.open("f", {.read = true, .directory = true})) == ENOTDIR);
  CHECK(code(v.open("ld", {.read = true, .directory = true})) == 0);

  auto dir = v.open("d", kRead);
  REQUIRE(dir);
  char buf[8];
  CHECK(code((*dir)->read_at(0, buf, 8)) == EISDIR);
  CHECK((*dir)->stat()->type == FileType::directory);
  CHECK_FALSE((*dir)->view_at(0));

  CHECK(code(v.open("dangling", kCreate)) == 0);  // makes what the link names
  CHECK(v.lstat("new")->type == FileType::regular);
  CHECK(v.lstat("new")->mode == 0644);
  CHECK(v.lstat("dangling")->type == FileType::symlink);

  auto read = v.open("f", kRead);
  CHECK(code((*read)->append("x")) == EBADF);
  CHECK(code((*read)->write_at(0, "x")) == EBADF);
  CHECK(code((*read)->truncate(0)) == EBADF);
  auto write = v.open("f", kWrite);
  CHECK(code((*write)->read_at(0, buf, 8)) == EBADF);
  CHECK_FALSE((*write)->view_at(0));
  CHECK((*write)->write_at(1, "EX") == 2u);
  CHECK(read_file(v, "f") == "tEXt");

  // A file may be made with a mode that forbids to open it again.
  auto locked = v.open("locked", kCreate, 0);
  REQUIRE(locked);
  CHECK((*locked)->append("abc") == 3u);
  CHECK(code(v.open("locked", kWrite)) == EACCES);
  CHECK(code(t.root.open("/home/user/locked", kWrite)) == 0);
}

TEST_CASE("permissions") {
  TreeFixture t;
  View& u = t.user;
  REQUIRE(u.mkdir("d", 0700));
  REQUIRE(write_file(u, "d/f", "text"));
  REQUIRE(write_file(u, "private", "text", 0600));
  const std::string home = "/home/user/";

  CHECK(code(t.other.stat(home + "private")) == 0);
  CHECK(code(t.other.open(home + "private", kRead)) == EACCES);
  CHECK(code(t.other.stat(home + "d/f")) == EACCES);
  CHECK(code(t.other.stat(home + "d/nope")) == EACCES);
  CHECK(code(t.other.stat(home + "d/..")) == EACCES);
  CHECK(code(t.other.list(home + "d")) == EACCES);
  CHECK(code(t.other.chdir(home + "d")) == EACCES);
  CHECK(code(t.root.stat(home + "d/f")) == 0);
  CHECK(code(t.root.chdir(home + "d")) == 0);

  SUBCASE("search without reading, reading without search") {
    REQUIRE(u.chmod("d", 0100));
    CHECK(code(u.stat("d/f")) == 0);
    CHECK(code(u.list("d")) == EACCES);
    CHECK(code(u.open("d", kRead)) == EACCES);
    CHECK(code(write_file(u, "d/new", "")) == EACCES);
    CHECK(code(u.unlink("d/f")) == EACCES);
    REQUIRE(u.chmod("d", 0400));
    CHECK(names(u, "d") == "f");
    CHECK(code(u.stat("d/f")) == EACCES);
    CHECK(code(u.lstat("d/.")) == EACCES);
    REQUIRE(u.chmod("d", 0200));
    CHECK(code(u.mkdir("d/x")) == EACCES);
    REQUIRE(u.chmod("d", 0300));
    CHECK(code(u.mkdir("d/x")) == 0);
    CHECK(code(u.unlink("d/nope")) == ENOENT);
  }
  SUBCASE("the owner's bits bind the owner, the group's the group") {
    REQUIRE(u.chmod("private", 0077));
    CHECK(code(u.open("private", kRead)) == EACCES);
    CHECK(code(t.other.open(home + "private", kRead)) == 0);
    View group(t.tree.root, {1002, 1000}, "/home/user");
    REQUIRE(u.chmod("private", 0707));
    CHECK(code(group.open("private", kRead)) == EACCES);
  }
  SUBCASE("the mode of the working directory is looked at afresh") {
    REQUIRE(u.chdir("d"));
    CHECK(u.stat("f")->size == 4);
    REQUIRE(t.root.chmod(home + "d", 0));
    CHECK(code(u.stat("f")) == EACCES);
    CHECK(code(u.stat("..")) == EACCES);
  }
  SUBCASE("a sticky directory") {
    REQUIRE(write_file(u, "/tmp/mine", "x", 0666));
    CHECK(code(t.other.unlink("/tmp/mine")) == EPERM);
    CHECK(code(t.other.rename("/tmp/mine", "/tmp/yours")) == EPERM);
    REQUIRE(write_file(t.other, "/tmp/yours", "y"));
    CHECK(code(t.other.rename("/tmp/yours", "/tmp/mine")) == EPERM);
    CHECK(code(t.other.rename("/tmp/yours", "/tmp/yours2")) == 0);
    CHECK(code(u.unlink("/tmp/mine")) == 0);
    CHECK(code(t.root.unlink("/tmp/yours2")) == 0);
  }
  SUBCASE("access") {
    REQUIRE(u.chmod("private", 0500));
    CHECK(code(u.access("private", 0)) == 0);
    CHECK(code(u.access("private", 5)) == 0);
    CHECK(code(u.access("private", 2)) == EACCES);
    CHECK(code(t.other.access(home + "private", 4)) == EACCES);
    CHECK(code(t.root.access(home + "private", 7)) == 0);
    REQUIRE(u.chmod("private", 0600));
    CHECK(code(t.root.access(home + "private", 1)) == EACCES);
    CHECK(code(t.root.access(home + "d", 1)) == 0);
    CHECK(code(u.access("/usr/bin/ls", 1)) == 0);
    CHECK(code(u.access("/usr/bin/ls", 2)) == EROFS);
    CHECK(code(u.access("/dev/null", 6)) == 0);
    CHECK(code(u.access("nope", 0)) == ENOENT);
  }
  SUBCASE("chmod, chown, times: whose they are") {
    CHECK(code(t.other.chmod(home + "private", 0777)) == EPERM);
    CHECK(code(u.chown("private", 1001, UINT32_MAX)) == EPERM);
    CHECK(code(u.chown("private", 1000, 1000)) == 0);
    CHECK(code(u.chown("private", UINT32_MAX, 7)) == EPERM);
    CHECK(code(t.root.chown(home + "private", 1001, 7)) == 0);
    CHECK(t.user.stat("private")->uid == 1001);
    CHECK(t.user.stat("private")->gid == 7);
    CHECK(code(u.chmod("private", 0)) == EPERM);
    CHECK(code(u.set_times("private", Timestamp{1, 0}, Timestamp{1, 0})) == EPERM);
    CHECK(code(u.set_times("private", kNow, kNow)) == EACCES);
    REQUIRE(t.root.chmod(home + "private", 0666));
    CHECK(code(u.set_times("private", kNow, kNow)) == 0);
    CHECK(code(u.set_times("private", kNow, std::nullopt)) == EPERM);
    CHECK(code(u.set_times("private", std::nullopt, std::nullopt)) == 0);
    REQUIRE(u.symlink("d", "l"));
    CHECK(code(u.chmod("l", 0, Follow::no)) == EOPNOTSUPP);
    REQUIRE(t.root.chown(home + "l", 5, 5, Follow::no));
    CHECK(u.lstat("l")->uid == 5);
    CHECK(u.stat("l")->uid == 1000);
  }
  SUBCASE("set-user-id and set-group-id") {
    REQUIRE(u.chmod("private", 06755));
    CHECK(u.stat("private")->mode == 06755);
    REQUIRE((*u.open("private", {.write = true, .append = true}))->append("x"));
    CHECK(u.stat("private")->mode == 0755);
    REQUIRE(u.chmod("private", 06755));
    REQUIRE((*t.root.open(home + "private", {.write = true, .append = true}))->append("x"));
    CHECK(u.stat("private")->mode == 06755);
    REQUIRE(t.root.chown(home + "private", 1000, 1000));
    CHECK(u.stat("private")->mode == 0755);
    REQUIRE(t.root.chown(home + "private", 1000, 9));
    REQUIRE(u.chmod("private", 02755));  // not of that group
    CHECK(u.stat("private")->mode == 0755);
    REQUIRE(t.root.chown(home + "d", 1000, 9));
    REQUIRE(t.root.chmod(home + "d", 02775));
    REQUIRE(write_file(u, "d/new", ""));
    CHECK(u.stat("d/new")->gid == 9);
    REQUIRE(u.mkdir("d/sub"));
    CHECK(u.stat("d/sub")->mode == 02755);
    CHECK(u.stat("d/sub")->gid == 9);
    REQUIRE(u.chmod("d", 02777));
    CHECK(u.stat("d")->mode == 0777);
    REQUIRE(u.chown("private", 1000, 1000));
    REQUIRE(u.chmod("private", 06755));
    REQUIRE(t.root.truncate(home + "private", 1));
    CHECK(u.stat("private")->mode == 06755);
    CHECK(code(t.other.chown(home + "private", UINT32_MAX, UINT32_MAX)) == EPERM);
    REQUIRE(u.truncate("private", 0));
    CHECK(u.stat("private")->mode == 0755);
    CHECK(code(t.other.chown(home + "private", UINT32_MAX, UINT32_MAX)) == 0);
  }
  SUBCASE("hard links to what others own") {
    REQUIRE(u.chmod(".", 0777));
    CHECK(code(t.other.link(home + "private", home + "h")) == EPERM);
    REQUIRE(u.chmod("private", 0666));
    CHECK(code(t.other.link(home + "private", home + "h")) == 0);
    REQUIRE(u.chmod("private", 04666));
    CHECK(code(t.other.link(home + "private", home + "h2")) == EPERM);
    CHECK(code(t.root.link(home + "private", home + "h2")) == 0);
    REQUIRE(u.mkfifo("p", 0666));
    CHECK(code(t.other.link(home + "p", home + "p2")) == EPERM);
  }
}

TEST_CASE("mkdir, rmdir, unlink, link, symlink, mkfifo") {
  TreeFixture t;
  const View& v = t.user;
  REQUIRE(v.mkdir("d/"));
  REQUIRE(write_file(v, "f", "text"));
  REQUIRE(v.symlink("d", "ld"));
  REQUIRE(v.symlink("nope", "dangling"));
  REQUIRE(v.symlink("f", "lf"));

  CHECK(code(v.mkdir("d")) == EEXIST);
  CHECK(code(v.mkdir("f")) == EEXIST);
  CHECK(code(v.mkdir("f/x")) == ENOTDIR);
  CHECK(code(v.mkdir("dangling")) == EEXIST);
  CHECK(code(v.mkdir("dangling/")) == EEXIST);
  CHECK(code(v.mkdir("/")) == EEXIST);
  CHECK(code(v.mkdir(".")) == EEXIST);
  CHECK(code(v.mkdir("d/..")) == EEXIST);
  CHECK(code(v.mkdir("nope/x")) == ENOENT);
  CHECK(code(v.mkdir("nope/.")) == ENOENT);
  CHECK(code(v.mkdir("")) == ENOENT);
  CHECK(v.stat("d")->mode == 0755);

  CHECK(code(v.rmdir("f")) == ENOTDIR);
  CHECK(code(v.rmdir("nope")) == ENOENT);
  CHECK(code(v.rmdir("ld")) == ENOTDIR);
  CHECK(code(v.rmdir("ld/")) == ENOTDIR);
  CHECK(code(v.rmdir(".")) == EINVAL);
  CHECK(code(v.rmdir("d/.")) == EINVAL);
  CHECK(code(v.rmdir("d/..")) == ENOTEMPTY);
  CHECK(code(v.rmdir("/")) == EBUSY);
  REQUIRE(write_file(v, "d/x", ""));
  CHECK(code(v.rmdir("d")) == ENOTEMPTY);
  REQUIRE(v.unlink("d/x"));

  CHECK(code(v.unlink("d")) == EISDIR);
  CHECK(code(v.unlink("d/")) == EISDIR);
  CHECK(code(v.unlink("ld/")) == ENOTDIR);
  CHECK(code(v.unlink("f/")) == ENOTDIR);
  CHECK(code(v.unlink("nope/")) == ENOENT);
  CHECK(code(v.unlink(".")) == EISDIR);
  CHECK(code(v.unlink("..")) == EISDIR);
  CHECK(code(v.unlink("/")) == EISDIR);
  CHECK(code(v.unlink("nope")) == ENOENT);

  CHECK(code(v.link("d", "hd")) == EPERM);
  CHECK(code(v.link("nope", "h")) == ENOENT);
  CHECK(code(v.link("f", "d")) == EEXIST);
  CHECK(code(v.link("f", "h/")) == ENOENT);
  CHECK(code(v.link("f", "dangling")) == EEXIST);
  CHECK(code(v.link("/dev/null", "h")) == EXDEV);
  CHECK(code(v.link("f", "/usr/bin/f")) == EROFS);
  REQUIRE(v.link("f", "h"));
  CHECK(v.stat("h")->ino == v.stat("f")->ino);
  CHECK(v.stat("h")->nlink == 2);
  REQUIRE(v.link("lf", "hl"));
  CHECK(v.lstat("hl")->type == FileType::symlink);
  REQUIRE(v.link("lf", "hf", Follow::yes));
  CHECK(v.lstat("hf")->nlink == 3);
  REQUIRE(v.unlink("h"));
  REQUIRE(v.unlink("hf"));
  CHECK(v.stat("f")->nlink == 1);

  CHECK(code(v.symlink("x", "f")) == EEXIST);
  CHECK(code(v.symlink("x", "dangling")) == EEXIST);
  CHECK(code(v.symlink("x", "new/")) == ENOENT);
  CHECK(code(v.symlink(std::string(4095, 't'), "long")) == 0);
  CHECK(code(v.symlink(std::string(4096, 't'), "longer")) == ENAMETOOLONG);
  CHECK(code(v.readlink("f")) == EINVAL);
  CHECK(v.readlink("long")->size() == 4095);

  CHECK(code(v.mkfifo("p/")) == ENOENT);
  REQUIRE(v.mkfifo("p"));
  CHECK(v.stat("p")->type == FileType::fifo);
  CHECK(v.stat("p")->mode == 0644);
  auto fifo = v.open("p", kRead);
  REQUIRE(fifo);
  CHECK((*fifo)->device() == Device::fifo);
  CHECK((*fifo)->stat()->ino == v.stat("p")->ino);
  CHECK((*fifo)->stat()->dev == v.stat("p")->dev);

  CHECK(v.stat("d")->nlink == 2);
  REQUIRE(v.mkdir("d/sub"));
  CHECK(v.stat("d")->nlink == 3);
  REQUIRE(v.rmdir("d/sub/"));
  CHECK(v.stat("d")->nlink == 2);
  REQUIRE(v.rmdir("d"));
  CHECK(code(v.stat("d")) == ENOENT);
}

TEST_CASE("rename") {
  TreeFixture t;
  const View& v = t.user;
  REQUIRE(v.mkdir("d"));
  REQUIRE(v.mkdir("d/sub"));
  REQUIRE(v.mkdir("e"));
  REQUIRE(write_file(v, "f", "ff"));
  REQUIRE(write_file(v, "g", "ggg"));
  REQUIRE(v.symlink("d", "ld"));

  CHECK(code(v.rename("nope", "x")) == ENOENT);
  CHECK(code(v.rename("f", "nope/x")) == ENOENT);
  CHECK(code(v.rename("f", "g/x")) == ENOTDIR);
  CHECK(code(v.rename("f", "d")) == EISDIR);
  CHECK(code(v.rename("d", "f")) == ENOTDIR);
  CHECK(code(v.rename("e", "d")) == ENOTEMPTY);
  CHECK(code(v.rename("d", "d/sub/x")) == EINVAL);
  CHECK(code(v.rename("d", "d/x")) == EINVAL);
  CHECK(code(v.rename("d", "ld/sub/x")) == EINVAL);
  CHECK(code(v.rename("d/sub", "d")) == ENOTEMPTY);
  CHECK(code(v.rename("d", "d")) == 0);
  CHECK(code(v.rename("f/", "x")) == ENOTDIR);
  CHECK(code(v.rename("f", "x/")) == ENOTDIR);
  CHECK(code(v.rename("ld/", "x")) == ENOTDIR);
  CHECK(code(v.rename(".", "x")) == EBUSY);
  CHECK(code(v.rename("d/..", "x")) == EBUSY);
  CHECK(code(v.rename("f", ".")) == EBUSY);
  CHECK(code(v.rename("/", "x")) == EBUSY);
  CHECK(code(v.rename("f", "/dev/f")) == EXDEV);
  CHECK(code(v.rename("/usr/bin/ls", "/usr/bin/l")) == EROFS);

  SUBCASE("a file over a file") {
    REQUIRE(v.rename("f", "g"));
    CHECK(read_file(v, "g") == "ff");
    CHECK(code(v.stat("f")) == ENOENT);
    CHECK(t.tree.files->usage({}).bytes == 3);  // "ff" and the link's target
  }
  SUBCASE("two names of one file: nothing happens") {
    REQUIRE(v.link("f", "h"));
    CHECK(code(v.rename("f", "h")) == 0);
    CHECK(v.stat("f")->nlink == 2);
  }
  SUBCASE("a directory over an empty one, and elsewhere") {
    CHECK(code(v.rename("d", "e/")) == 0);
    CHECK(names(v, "e") == "sub");
    CHECK(v.stat("e")->nlink == 3);
    REQUIRE(v.mkdir("x"));
    REQUIRE(v.rename("e/sub", "x/new/"));
    CHECK(v.stat("e")->nlink == 2);
    CHECK(v.stat("x")->nlink == 3);
    CHECK(v.real_path("x/new/..") == "/home/user/x");
    CHECK(v.stat(".")->nlink == 4);
  }
  SUBCASE("a symlink is moved itself") {
    REQUIRE(v.rename("ld", "g"));
    CHECK(v.readlink("g") == "d");
  }
  SUBCASE("times") {
    t.tick();
    REQUIRE(v.rename("f", "d/f"));
    CHECK(v.stat("d/f")->ctime.sec == t.now());
    CHECK(v.stat("d/f")->mtime.sec == t.now() - 1);
    CHECK(v.stat("d")->mtime.sec == t.now());
    CHECK(v.stat(".")->mtime.sec == t.now());
  }
  SUBCASE("another user's directory") {
    REQUIRE(v.chmod(".", 0777));
    REQUIRE(v.chmod("e", 0777));
    // Moving d into e would change "..": it takes write permission on d.
    CHECK(code(t.other.rename("/home/user/d", "/home/user/e/d")) == EACCES);
    CHECK(code(t.other.rename("/home/user/d", "/home/user/d2")) == 0);
  }
}

TEST_CASE("times of the four kinds") {
  TreeFixture t;
  const View& v = t.user;
  int64_t start = t.now();
  REQUIRE(v.mkdir("d"));
  REQUIRE(write_file(v, "d/f", "text"));
  t.tick(10);
  (void)read_file(v, "d/f");
  Stat st = *v.stat("d/f");
  CHECK(st.atime.sec == start + 10);
  CHECK(st.mtime.sec == start);
  CHECK(st.ctime.sec == start);
  t.tick(10);
  (void)read_file(v, "d/f");  // relatime: it is newer than the last change already
  CHECK(v.stat("d/f")->atime.sec == start + 10);
  t.tick(2 * 24 * 60 * 60);
  (void)read_file(v, "d/f");
  CHECK(v.stat("d/f")->atime.sec == t.now());

  t.tick(5);
  REQUIRE((*v.open("d/f", {.write = true, .append = true}))->append("x"));
  st = *v.stat("d/f");
  CHECK(st.mtime.sec == t.now());
  CHECK(st.ctime.sec == t.now());
  CHECK(st.btime.sec == start);
  CHECK(v.stat("d")->mtime.sec == start);

  t.tick(5);
  REQUIRE(v.chmod("d/f", 0600));
  CHECK(v.stat("d/f")->ctime.sec == t.now());
  CHECK(v.stat("d/f")->mtime.sec == t.now() - 5);
  REQUIRE(v.set_times("d/f", Timestamp{5, 6}, std::nullopt));
  CHECK(v.stat("d/f")->atime == Timestamp{5, 6});
  REQUIRE(v.set_times("d/f", std::nullopt, kNow));
  CHECK(v.stat("d/f")->mtime.sec == t.now());
  CHECK(v.stat("d/f")->atime == Timestamp{5, 6});
  REQUIRE(v.set_times("d/f", Timestamp{-5, 1}, Timestamp{99'999'999'999, 999'999'999}));
  CHECK(v.stat("d/f")->mtime.sec == 99'999'999'999);

  t.tick(5);
  REQUIRE(v.link("d/f", "d/g"));
  CHECK(v.stat("d")->mtime.sec == t.now());
  CHECK(v.stat("d/f")->ctime.sec == t.now());
  t.tick(5);
  REQUIRE(v.unlink("d/g"));
  CHECK(v.stat("d")->ctime.sec == t.now());
  CHECK(v.stat("d/f")->ctime.sec == t.now());
  t.tick(5);
  CHECK(names(v, "d") == "f");
  CHECK(v.stat("d")->atime.sec == t.now());
  REQUIRE(v.symlink("f", "d/l"));
  t.tick(5);
  CHECK(v.readlink("d/l") == "f");
  CHECK(v.lstat("d/l")->atime.sec == t.now());
  t.tick(5);
  REQUIRE(v.truncate("d/f", 2));
  CHECK(v.stat("d/f")->mtime.sec == t.now());
}

TEST_CASE("the working directory") {
  TreeFixture t;
  View v = t.user;
  REQUIRE(v.mkdir("d"));
  REQUIRE(v.mkdir("d/e"));
  REQUIRE(v.symlink("d/e", "l"));
  CHECK(code(v.chdir("nope")) == ENOENT);
  REQUIRE(write_file(v, "f", ""));
  CHECK(code(v.chdir("f")) == ENOTDIR);
  CHECK(v.cwd() == "/home/user");

  REQUIRE(v.chdir("l", "/home/user/l"));
  CHECK(v.cwd() == "/home/user/l");
  CHECK(v.absolute("../x") == "/home/user/x");
  CHECK(v.real_path("..") == "/home/user/d");
  REQUIRE(v.chdir("."));
  CHECK(v.cwd() == "/home/user/d/e");

  View copy = v;
  REQUIRE(copy.chdir("/"));
  CHECK(copy.cwd() == "/");
  CHECK(v.cwd() == "/home/user/d/e");

  SUBCASE("it moves along") {
    REQUIRE(t.user.rename("d", "moved"));
    CHECK(v.real_path(".") == "/home/user/moved/e");
    REQUIRE(write_file(v, "x", "x"));
    CHECK(read_file(t.user, "moved/e/x") == "x");
  }
  SUBCASE("it is removed") {
    REQUIRE(t.user.rmdir("d/e"));
    CHECK(code(v.stat(".")) == 0);
    CHECK(v.stat(".")->nlink == 0);
    CHECK(names(v, ".") == "");
    CHECK(code(v.real_path(".")) == ENOENT);
    CHECK(code(v.chdir(".")) == ENOENT);
    CHECK(code(write_file(v, "x", "")) == ENOENT);
    CHECK(code(v.mkdir("x")) == ENOENT);
    CHECK(code(v.rename("/home/user/f", "x")) == ENOENT);
    CHECK(v.real_path("..") == "/home/user/d");
    REQUIRE(v.chdir(".."));
    CHECK(v.cwd() == "/home/user/d");
  }
  View lost(t.tree.root, {}, "/nope");
  CHECK(lost.cwd() == "/");
}
