// MountFs, DevFs and BinFs.
#define DOCTEST_CONFIG_SUPER_FAST_ASSERTS
#include <doctest/doctest.h>

#include <cerrno>

#include "tests/support/tree_fixture.h"
#include "vfs/dev_fs.h"

using namespace nacre;
using namespace nacre::vfs;
using test::names;
using test::read_file;
using test::TreeFixture;
using test::write_file;

namespace {

template <class T>
int code(const std::expected<T, std::errc>& r) {
  return r ? 0 : static_cast<int>(r.error());
}

constexpr OpenFlags kRead{.read = true};
constexpr OpenFlags kReadWrite{.read = true, .write = true};
constexpr OpenFlags kCreate{.write = true, .create = true, .truncate = true};

}  // namespace

TEST_CASE("/dev") {
  TreeFixture t;
  const View& v = t.user;
  CHECK(names(v, "/dev") == "fd full null random stderr stdin stdout tty urandom zero");

  struct Row {
    const char* path;
    Device device;
    uint32_t major, minor;
  };
  const Row rows[] = {
      {"/dev/null", Device::null, 1, 3},       {"/dev/zero", Device::zero, 1, 5},
      {"/dev/full", Device::full, 1, 7},       {"/dev/random", Device::random, 1, 8},
      {"/dev/urandom", Device::urandom, 1, 9}, {"/dev/tty", Device::tty, 5, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(row.path);
    Stat st = *v.stat(row.path);
    CHECK(st.type == FileType::char_device);
    CHECK(st.mode == 0666);
    CHECK(st.uid == 0);
    CHECK(st.rdev_major == row.major);
    CHECK(st.rdev_minor == row.minor);
    CHECK_FALSE(descriptor_of(st));
    auto file = v.open(row.path, kReadWrite);
    REQUIRE(file);
    CHECK((*file)->device() == row.device);
  }

  char buf[4] = {'x', 'x', 'x', 'x'};
  auto null = *v.open("/dev/null", kCreate);
  CHECK(null->write_at(5, "abc") == 3u);
  CHECK(code(null->read_at(0, buf, 4)) == EBADF);
  CHECK((*v.open("/dev/null", kRead))->read_at(0, buf, 4) == 0u);
  CHECK((*v.open("/dev/zero", kRead))->read_at(9, buf, 3) == 3u);
  CHECK(buf[0] == 0);
  CHECK(buf[3] == 'x');
  CHECK(code((*v.open("/dev/full", kCreate))->append("x")) == ENOSPC);

  CHECK(v.readlink("/dev/stdin") == "fd/0");
  CHECK(v.readlink("/dev/stdout") == "fd/1");
  CHECK(v.readlink("/dev/stderr") == "fd/2");
  auto err = *v.open("/dev/stderr", {.write = true});
  CHECK(err->device() == Device::fd);
  CHECK(err->device_number() == 2);
  CHECK(descriptor_of(*v.stat("/dev/fd/63")) == 63u);
  CHECK(descriptor_of(*v.stat("/dev/stdin")) == 0u);
  CHECK(v.real_path("/dev/stdin") == "/dev/fd/0");
  CHECK(code(v.stat("/dev/fd/2147483647")) == 0);
  CHECK(code(v.stat("/dev/fd/2147483648")) == ENOENT);
  CHECK(code(v.stat("/dev/fd/99999999999999999999")) == ENOENT);
  for (const char* name : {"/dev/fd/01", "/dev/fd/x", "/dev/fd/-1", "/dev/nope"})
    CHECK(code(v.stat(name)) == ENOENT);
  CHECK(code(v.stat("/dev/fd/0/")) == ENOTDIR);
  CHECK(names(v, "/dev/fd") == "");

  CHECK(code(v.open("/dev/new", kCreate)) == EACCES);
  CHECK(code(t.root.open("/dev/new", kCreate)) == EPERM);
  CHECK(code(v.unlink("/dev/null")) == EACCES);
  CHECK(code(t.root.unlink("/dev/null")) == EPERM);
  CHECK(code(v.chmod("/dev/null", 0)) == EPERM);
  CHECK(code(v.set_times("/dev/null", kNow, kNow)) == 0);
  CHECK(code(v.open("/dev", kRead)) == 0);
  CHECK(v.real_path("/dev/fd/..") == "/dev");
  CHECK(v.real_path("/dev/..") == "/");
}

TEST_CASE("/usr/bin") {
  TreeFixture t;
  const View& v = t.user;
  Stat st = *v.stat("/bin/sed");
  CHECK(st.mode == 0755);
  CHECK(st.uid == 0);
  CHECK(st.size == 20);
  CHECK(st.mtime.sec == t.now());
  CHECK(read_file(v, "/bin/sed") == "#!nacre builtin sed\n");
  CHECK((*v.open("/bin/sed", kRead))->view_at(16) == "sed\n");
  CHECK((*v.open("/bin/sed", kRead))->view_at(99) == "");
  CHECK(code(v.stat("/bin/nope")) == ENOENT);
  CHECK(code(v.stat("/bin/sed/")) == ENOTDIR);
  CHECK(code(v.open("/bin/sed", kCreate)) == EROFS);
  CHECK(code(v.open("/bin/new", kCreate)) == EROFS);
  CHECK(code(t.root.open("/bin/new", kCreate)) == EROFS);
  CHECK(code(v.unlink("/bin/sed")) == EROFS);
  CHECK(code(v.unlink("/bin/nope")) == EROFS);
  CHECK(code(v.mkdir("/bin/sed")) == EEXIST);
  CHECK(code(v.mkdir("/bin/new")) == EROFS);
  CHECK(code(v.rmdir("/bin/new")) == EROFS);
  CHECK(code(v.symlink("x", "/bin/new")) == EROFS);
  CHECK(code(v.rename("/bin/sed", "/bin/x")) == EROFS);
  CHECK(code(v.chmod("/bin/sed", 0)) == EROFS);
  CHECK(code(v.chown("/bin/sed", 0, 0)) == EROFS);
  CHECK(code(v.set_times("/bin/sed", kNow, kNow)) == EROFS);
  CHECK(code(v.truncate("/bin/sed", 0)) == EROFS);
  CHECK(code(v.access("/bin", 2)) == EROFS);

  t.tree.bin->add("mytool");
  t.tree.bin->add("aaa");
  t.tree.bin->add("ls");
  t.tree.bin->add("aaa");
  CHECK(names(v, "/bin") == "aaa cat ls mytool sed");
  CHECK(read_file(v, "/usr/bin/mytool") == "#!nacre builtin mytool\n");
  CHECK(v.stat("/bin/aaa")->ino != v.stat("/bin/mytool")->ino);
  t.tree.bin->remove("aaa");
  t.tree.bin->remove("ls");
  CHECK(names(v, "/bin") == "cat ls mytool sed");
  CHECK(code(v.stat("/bin/aaa")) == ENOENT);
}

TEST_CASE("mounts") {
  TreeFixture t;
  const View& v = t.user;
  Limits limits = Limits::strict();
  auto extra = base::make_ref<MemoryFs>(limits, t.clock);
  REQUIRE(v.mkdir("mnt"));
  REQUIRE(write_file(v, "mnt/hidden", ""));
  REQUIRE(t.tree.root->mount(*Path::resolve("/home/user/mnt"), extra));
  CHECK(code(t.tree.root->mount(*Path::resolve("/nope"), extra)) == ENOENT);
  CHECK(code(t.tree.root->mount(*Path::resolve("/dev/null"), extra)) == ENOTDIR);
  CHECK(code(t.tree.root->mount(*Path::resolve("/bin"), extra)) == ENOTDIR);

  CHECK(names(v, "mnt") == "");
  CHECK(v.stat("mnt")->uid == 0);
  CHECK(v.stat("mnt")->dev != v.stat(".")->dev);
  CHECK(v.stat("/dev")->dev != v.stat("/usr/bin")->dev);
  REQUIRE(t.root.chmod("/home/user/mnt", 0777));
  REQUIRE(write_file(v, "mnt/f", "text"));
  REQUIRE(write_file(v, "f", "text"));
  CHECK((*v.open("mnt/f", kRead))->stat()->dev == v.stat("mnt/f")->dev);
  CHECK(code(v.rename("mnt/f", "g")) == EXDEV);
  CHECK(code(v.link("mnt/f", "g")) == EXDEV);
  CHECK(code(v.link("f", "mnt/g")) == EXDEV);
  CHECK(code(v.rmdir("mnt")) == EBUSY);
  CHECK(code(v.rename("mnt", "mnt2")) == EBUSY);
  REQUIRE(v.mkdir("d"));
  CHECK(code(v.rename("d", "mnt")) == EBUSY);
  CHECK(v.usage("mnt/f")->files == 1);
  CHECK(v.real_path("mnt/f") == "/home/user/mnt/f");
  CHECK(v.real_path("mnt/..") == "/home/user");
  REQUIRE(v.mkdir("mnt/sub"));
  CHECK(v.real_path("mnt/sub/../..") == "/home/user");
  View inside = v;
  REQUIRE(inside.chdir("mnt/sub"));
  CHECK(inside.cwd() == "/home/user/mnt/sub");
  CHECK(names(inside, "../..") == "d f mnt");
  REQUIRE(v.symlink("/home/user/f", "mnt/l"));
  CHECK(read_file(v, "mnt/l") == "text");
  CHECK(code(v.open("mnt/sub", kReadWrite)) == EISDIR);

  CHECK(v.truncate("mnt/f", 1).has_value());
  CHECK(code(v.truncate("mnt/f", limits.max_file_bytes + 1)) == EFBIG);
  CHECK(t.tree.root->quota_hits().has(LimitName::max_file_bytes));
  t.tree.root->clear_quota_hits();
  CHECK(t.tree.root->quota_hits().empty());

  // A mount on a mount, and one on a directory in a mount.
  auto over = base::make_ref<MemoryFs>(limits, t.clock);
  REQUIRE(t.tree.root->mount(*Path::resolve("/home/user/mnt/sub"), over));
  CHECK(v.real_path("mnt/sub/..") == "/home/user/mnt");
  auto top = base::make_ref<MemoryFs>(limits, t.clock);
  REQUIRE(t.tree.root->mount(*Path::resolve("/home/user/mnt"), top));
  CHECK(names(v, "mnt") == "");
  CHECK(v.real_path("mnt/..") == "/home/user");
  CHECK(v.real_path("mnt") == "/home/user/mnt");
}

TEST_CASE("a table of mounts inside another") {
  TreeFixture inner;
  REQUIRE(write_file(inner.user, "f", "inner"));
  TreeFixture t;
  REQUIRE(t.user.mkdir("in"));
  REQUIRE(t.tree.root->mount(*Path::resolve("/home/user/in"), inner.tree.root));
  const View& v = t.user;
  CHECK(names(v, "in") == "bin dev home tmp usr");
  CHECK(read_file(v, "in/home/user/f") == "inner");
  CHECK(read_file(v, "in/usr/bin/ls") == "#!nacre builtin ls\n");
  CHECK(v.real_path("in/usr/bin/../../home/../..") == "/home/user");
  CHECK(v.real_path("in/dev/fd/3") == "/home/user/in/dev/fd/3");
  CHECK(code(v.rename("in/home/user/f", "in/dev/f")) == EXDEV);
  CHECK(v.stat("in/dev")->dev != v.stat("in/usr/bin")->dev);
  CHECK(v.stat("in/dev")->dev != v.stat("/dev")->dev);
  REQUIRE(v.rename("in/home/user/f", "in/tmp/f"));
  CHECK(v.stat("in/tmp/f")->dev == v.stat("in/home")->dev);
}
