// MemoryFs: contents against a model, directories against a model, snapshots,
// quotas, files that lost their names.
#define DOCTEST_CONFIG_SUPER_FAST_ASSERTS
#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <random>
#include <thread>

#include "tests/support/fault_fs.h"
#include "tests/support/tree_fixture.h"
#include "vfs/directory.h"
#include "vfs/inode.h"

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

constexpr OpenFlags kReadWrite{.read = true, .write = true, .create = true};
constexpr OpenFlags kAppend{.write = true, .append = true, .create = true};

std::string all(const Contents& contents) {
  std::string text;
  for (;;) {
    std::string_view view = contents.view(text.size());
    if (view.empty()) return text;
    text.append(view);
  }
}

std::string pattern(size_t size, uint32_t seed) {
  std::string text(size, '\0');
  std::minstd_rand random(seed);
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

}  // namespace

TEST_CASE("Contents: random writes and truncations against a string") {
  std::mt19937 random(7);
  auto up_to = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n)(random); };
  for (int round = 0; round < 30; ++round) {
    SharedRef<Contents> contents = make_shared_ref<Contents>();
    std::string model;
    SharedRef<Contents> snapshot;
    std::string snapshot_model;
    for (int step = 0; step < 40; ++step) {
      size_t limit = round % 2 ? 3 * Chunk::kSize : 20'000;
      switch (up_to(5)) {
        case 0: {
          size_t size = up_to(limit);
          contents.writable().truncate(size);
          model.resize(size);
          break;
        }
        case 1:
          snapshot = contents;
          snapshot_model = model;
          break;
        default: {
          size_t offset = up_to(3) ? up_to(limit) : model.size();
          std::string data = pattern(1 + up_to(up_to(4) ? 3000 : Chunk::kSize * 2), step);
          uint64_t charge = contents->charge_after_write(offset, data.size());
          contents.writable().write(offset, data);
          CHECK(contents->charge() == charge);
          if (model.size() < offset + data.size()) model.resize(offset + data.size());
          model.replace(offset, data.size(), data);
        }
      }
      REQUIRE(contents->size() == model.size());
      REQUIRE(all(*contents) == model);
      size_t from = up_to(model.size() + 10), size = up_to(limit);
      std::string piece(size, 'x');
      piece.resize(contents->read(from, piece.data(), size));
      REQUIRE(piece == (from < model.size() ? model.substr(from, size) : ""));
      if (snapshot) REQUIRE(all(*snapshot) == snapshot_model);
    }
    // No hole is charged for more than its slot, nothing else is forgotten.
    CHECK(contents->charge() <= model.size() + 4096 + 64);
    contents.writable().truncate(0);
    CHECK(contents->charge() == 0);
    CHECK(contents->blocks() == 0);
  }
}

TEST_CASE("Contents: holes are free") {
  Contents contents;
  contents.truncate(uint64_t{1} << 39);
  CHECK(contents.charge() == 0);
  CHECK(contents.blocks() == 0);
  contents.write(10 * Chunk::kSize + 5000, "x");
  CHECK(contents.charge() == 10 * sizeof(void*) + 5001 - 4096);
  CHECK(contents.blocks() == 8);
  CHECK(contents.view(10 * Chunk::kSize + 4999).substr(0, 2) == std::string_view("\0x", 2));
  contents.write(10 * Chunk::kSize + 100, "y");
  CHECK(contents.view(10 * Chunk::kSize + 5000)[0] == 'x');
  CHECK(contents.view(10 * Chunk::kSize + 100)[0] == 'y');
}

TEST_CASE("Directory: random changes against a map, with snapshots") {
  std::mt19937 random(11);
  auto up_to = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n)(random); };
  for (int round = 0; round < 8; ++round) {
    SharedRef<Directory> dir = make_shared_ref<Directory>(), old;
    std::map<std::string, uint64_t> model, old_model;
    auto check = [](const Directory& d, const std::map<std::string, uint64_t>& m) {
      REQUIRE(d.size() == m.size());
      auto at = m.begin();
      d.for_each([&](const DirectoryEntry& entry) {
        REQUIRE(entry.name() == at->first);
        REQUIRE(entry.ino == at->second);
        ++at;
      });
    };
    const char* prefixes[] = {"", "a", "file-of-some-length-", "exactly8", "\xff\xfe"};
    for (size_t step = 1; step <= 3000; ++step) {
      std::string name = prefixes[up_to(4)];
      name += std::to_string(round % 2 ? step : up_to(400));
      bool grow = step < 2000;
      if (up_to(9) < (grow ? 7u : 2u)) {
        dir.writable().set(name, step, FileType::regular);
        model[name] = step;
      } else if (!model.empty()) {
        auto at = model.lower_bound(name);
        if (at == model.end()) at = model.begin();
        dir.writable().erase(at->first);
        model.erase(at);
        dir.writable().erase("not there");
      }
      const DirectoryEntry* entry = dir->find(name);
      REQUIRE((entry != nullptr) == model.contains(name));
      if (step % 500 == 0) {
        check(*dir, model);
        if (old) check(*old, old_model);
        old = dir;
        old_model = model;
      }
    }
    for (const auto& [name, ino] : model) REQUIRE(dir->find(name)->ino == ino);
    while (!model.empty()) {
      dir.writable().erase(model.begin()->first);
      model.erase(model.begin());
    }
    CHECK(dir->empty());
    check(*old, old_model);
  }
}

TEST_CASE("InodeTable: sparse numbers, copies") {
  InodeTable table;
  CHECK(table.find(1) == nullptr);
  CHECK(table.writable(1) == nullptr);
  table.erase(1);
  auto insert = [](InodeTable& to, uint64_t ino) {
    auto inode = make_shared_ref<Inode>();
    inode.owned().ino = ino;
    to.insert(std::move(inode));
  };
  const uint64_t numbers[] = {1, 2, 31, 32, 33, 1023, 1024, 40'000, uint64_t{1} << 40, 77};
  for (uint64_t ino : numbers) insert(table, ino);
  for (uint64_t ino : numbers) REQUIRE(table.find(ino)->ino == ino);
  CHECK(table.find(3) == nullptr);
  CHECK(table.find(uint64_t{1} << 50) == nullptr);
  InodeTable copy = table;
  table.writable(33)->mode = 7;
  CHECK(copy.find(33)->mode == 0);
  CHECK(table.find(33)->mode == 7);
  CHECK(table.find(32) == copy.find(32));
  for (uint64_t ino : numbers) table.erase(ino);
  for (uint64_t ino : numbers) {
    CHECK(table.find(ino) == nullptr);
    CHECK(copy.find(ino) != nullptr);
  }
  insert(table, 5);
  CHECK(table.find(5)->ino == 5);
}

TEST_CASE("OpenTable against a map") {
  std::mt19937 random(3);
  OpenTable table;
  std::map<uint64_t, int> model;
  CHECK_FALSE(table.is_open(5));
  for (int step = 0; step < 20'000; ++step) {
    uint64_t ino = 1 + random() % 300;
    if (random() % 2) {
      table.add(ino);
      ++model[ino];
    } else if (model.contains(ino)) {
      bool last = --model[ino] == 0;
      if (last) model.erase(ino);
      REQUIRE(table.remove(ino) == last);
    }
    uint64_t other = 1 + random() % 300;
    REQUIRE(table.is_open(other) == model.contains(other));
  }
}

TEST_CASE("files without a name stay until they are closed") {
  TreeFixture t;
  const View& v = t.user;
  auto file = *v.open("f", kReadWrite);
  REQUIRE(file->append("hello"));
  REQUIRE(v.unlink("f"));
  CHECK(code(v.stat("f")) == ENOENT);
  CHECK(file->stat()->nlink == 0);
  CHECK(file->append(" world") == 11u);
  CHECK(file->view_at(0) == "hello world");
  CHECK(v.usage("/")->bytes == 11);
  CHECK(v.usage("/")->files == 1);
  REQUIRE(write_file(v, "f", "new"));
  CHECK(file->size() == 11);
  file.reset();
  CHECK(v.usage("/")->bytes == 3);
  CHECK(v.usage("/")->files == 1);

  // The same for one that another file was moved over, and for hard links.
  auto two = *v.open("f", kReadWrite);
  REQUIRE(v.link("f", "g"));
  CHECK(v.usage("/")->files == 2);
  REQUIRE(write_file(v, "h", "hhhh"));
  REQUIRE(v.rename("h", "f"));
  CHECK(two->stat()->nlink == 1);
  REQUIRE(v.unlink("g"));
  CHECK(two->view_at(0) == "new");
  CHECK(v.usage("/")->files == 2);
  two.reset();
  CHECK(v.usage("/")->files == 1);
  CHECK(v.usage("/")->bytes == 4);
  // A file outlives the tree that it is in.
  base::Ref<File> last;
  {
    TreeFixture other;
    last = *other.user.open("x", kReadWrite);
    REQUIRE(last->append("x"));
    other.tree = {};
    other.user = other.other = other.root = View();
    CHECK(last->view_at(0) == "x");
    last.reset();
  }
}

TEST_CASE("views outlast what others do to the file") {
  TreeFixture t;
  const View& v = t.user;
  std::string text = pattern(100'000, 1);
  REQUIRE(write_file(v, "f", text));
  auto reader = *v.open("f", {.read = true});
  auto writer = *v.open("f", kReadWrite);
  std::string_view view = *reader->view_at(0);
  CHECK(view == text);
  REQUIRE(writer->append(pattern(200'000, 2)));
  CHECK(view == text);
  REQUIRE(writer->write_at(0, "XXXX"));
  REQUIRE(writer->truncate(0));
  CHECK(view == text);
  CHECK(reader->view_at(0) == "");
  REQUIRE(writer->append("abc"));
  view = *reader->view_at(0);
  REQUIRE(v.unlink("f"));
  writer.reset();
  CHECK(view == "abc");

  // A file is appended to itself (cat <>f >&0), through one File and through two.
  auto both = *v.open("g", kReadWrite);
  REQUIRE(both->append("0123456789"));
  for (int i = 0; i < 12; ++i) REQUIRE(both->append(*both->view_at(0)));
  CHECK(both->size() == 10u << 12);
  auto second = *v.open("g", {.read = true});
  for (int i = 0; i < 3; ++i) REQUIRE(both->append(*second->view_at(0)));
  CHECK(both->size() == 10u << 15);
  CHECK(read_file(v, "g").substr(327'670) == "0123456789");
}

TEST_CASE("snapshots and forks") {
  TreeFixture t;
  const View& v = t.user;
  REQUIRE(v.mkdir("d"));
  REQUIRE(write_file(v, "d/f", "before"));
  REQUIRE(write_file(v, "big", pattern(1'000'000, 1)));
  MemoryFs::Snapshot snapshot = t.tree.files->snapshot();
  Usage before = *v.usage("/");

  BareTree fork = make_tree_from(snapshot, {t.limits, t.clock, test::kCommands, {}});
  View forked(fork.root, {}, "/home/user");
  CHECK(read_file(forked, "d/f") == "before");
  REQUIRE(write_file(forked, "d/f", "in the fork"));
  REQUIRE(forked.unlink("big"));
  REQUIRE(forked.mkdir("only"));
  CHECK(read_file(v, "d/f") == "before");
  CHECK(names(v, ".") == "big d");
  CHECK(names(forked, ".") == "d only");
  CHECK(forked.real_path("/bin/ls") == "/usr/bin/ls");
  CHECK(code(write_file(forked, "/dev/null", "x")) == 0);
  CHECK(forked.stat("d")->ino == v.stat("d")->ino);

  auto kept = *v.open("d/f", kReadWrite);
  auto made = *v.open("new", kReadWrite);
  REQUIRE(made->append("x"));
  REQUIRE(v.unlink("big"));
  REQUIRE(write_file(v, "d/f", "after"));
  REQUIRE(v.chmod("d", 0700));
  t.tree.files->restore(snapshot);
  CHECK(names(v, ".") == "big d");
  CHECK(read_file(v, "d/f") == "before");
  CHECK(v.stat("d")->mode == 0755);
  CHECK(v.usage("/")->bytes == before.bytes);
  CHECK(v.usage("/")->files == before.files);
  CHECK(read_file(v, "big") == pattern(1'000'000, 1));
  CHECK(kept->view_at(0) == "before");
  CHECK(code(made->append("y")) == ESTALE);
  CHECK(code(made->stat()) == ESTALE);
  CHECK(made->size() == 0);
  REQUIRE(write_file(v, "another", "z"));
  CHECK(code(made->append("y")) == ESTALE);
  made.reset();
  CHECK(read_file(v, "another") == "z");
}

TEST_CASE("a snapshot holds no file that was open without a name") {
  TreeFixture t;
  auto file = *t.user.open("f", kReadWrite);
  REQUIRE(file->append("12345"));
  REQUIRE(t.user.unlink("f"));
  MemoryFs::Snapshot snapshot = t.tree.files->snapshot();
  BareTree fork = make_tree_from(snapshot, {t.limits, t.clock, {}, {}});
  CHECK(fork.files->usage({}).bytes == 0);
  CHECK(fork.files->usage({}).files == 0);
  t.tree.files->restore(snapshot);
  CHECK(file->view_at(0) == "12345");
  CHECK(t.user.usage("/")->bytes == 5);
  file.reset();
  CHECK(t.user.usage("/")->bytes == 0);
  t.tree.files->restore(snapshot);
  CHECK(t.user.usage("/")->bytes == 0);
}

TEST_CASE("snapshots may go to other threads") {
  TreeFixture t;
  REQUIRE(t.user.mkdir("d"));
  for (int i = 0; i < 300; ++i)
    REQUIRE(write_file(t.user, "d/file-number-" + std::to_string(i), pattern(3000, i)));
  MemoryFs::Snapshot snapshot = t.tree.files->snapshot();
  bool good[4] = {};
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n) {
    threads.emplace_back([&, n] {
      limits::VirtualClock clock{test::kEpoch};
      Limits limits;
      BareTree fork = make_tree_from(snapshot, {limits, clock, test::kCommands, {}});
      View view(fork.root, {}, "/home/user");
      bool ok = true;
      for (int i = n; i < 300; i += 4) {
        std::string name = "d/file-number-" + std::to_string(i);
        ok = ok && read_file(view, name) == pattern(3000, i);
        ok = ok && (*view.open(name, kAppend))->append("x").has_value();
        ok = ok && view.rename(name, "d/m" + std::to_string(i)).has_value();
        if (i % 5 == 0) (void)fork.files->snapshot();
      }
      good[n] = ok && view.list("d")->size() == 300;
    });
  }
  for (int i = 0; i < 300; i += 3) CHECK(t.user.unlink("d/file-number-" + std::to_string(i)));
  for (auto& thread : threads) thread.join();
  for (bool ok : good) CHECK(ok);
  CHECK(t.user.list("d")->size() == 200);
}

TEST_CASE("quotas") {
  Limits limits = Limits::strict();
  limits.max_fs_bytes = 10'000;
  limits.max_file_bytes = 6'000;
  limits.max_files = 5;
  limits.max_path_depth = 5;
  TreeFixture t(limits);
  const View& v = t.user;
  auto hit = [&](LimitName name) {
    bool was = t.tree.root->quota_hits().has(name);
    t.tree.root->clear_quota_hits();
    return was;
  };

  SUBCASE("the size of a file") {
    auto f = *v.open("f", kReadWrite);
    CHECK(code(f->append(std::string(6'000, 'x'))) == 0);
    CHECK(t.tree.root->quota_hits().empty());
    CHECK(code(f->append("x")) == EFBIG);
    CHECK(hit(LimitName::max_file_bytes));
    CHECK(f->size() == 6'000);
    CHECK(code(f->write_at(5'999, "yy")) == EFBIG);
    CHECK(code(f->write_at(UINT64_MAX, "y")) == EFBIG);
    CHECK(code(f->truncate(6'001)) == EFBIG);
    CHECK(hit(LimitName::max_file_bytes));
    CHECK(code(v.truncate("f", UINT64_MAX)) == EFBIG);
    CHECK(code(f->write_at(5'999, "y")) == 0);
    CHECK(f->view_at(5'998) == "xy");
  }
  SUBCASE("the bytes of the tree") {
    REQUIRE(write_file(v, "a", std::string(6'000, 'a')));
    REQUIRE(write_file(v, "b", std::string(3'000, 'b')));
    REQUIRE(v.symlink(std::string(900, 't'), "l"));
    auto f = *v.open("b", kAppend);
    CHECK(code(f->append(std::string(101, 'c'))) == ENOSPC);
    CHECK(hit(LimitName::max_fs_bytes));
    CHECK(f->size() == 3'000);
    CHECK(code(f->append(std::string(100, 'c'))) == 0);
    CHECK(v.usage("/")->bytes == 10'000);
    CHECK(v.usage("/")->max_bytes == 10'000);
    CHECK(code(v.symlink("t", "m")) == ENOSPC);
    CHECK(code(v.stat("m")) == ENOENT);
    CHECK(hit(LimitName::max_fs_bytes));
    CHECK(code(f->write_at(0, "over what is there")) == 0);
    REQUIRE(v.unlink("a"));
    CHECK(code(v.symlink("t", "m")) == 0);
    CHECK(v.usage("/")->bytes == 4'001);
    REQUIRE(v.truncate("b", 10));
    CHECK(v.usage("/")->bytes == 911);
    REQUIRE(v.truncate("b", 6'000));  // a hole
    CHECK(v.usage("/")->bytes == 911);
    CHECK(code(v.truncate("b", 6'001)) == EFBIG);
  }
  SUBCASE("the number of files") {
    REQUIRE(v.mkdir("d"));
    REQUIRE(v.mkfifo("p"));
    REQUIRE(v.symlink("x", "l"));
    REQUIRE(write_file(v, "f", ""));
    REQUIRE(v.link("f", "h"));
    CHECK(v.usage("/")->files == 5);
    CHECK(code(write_file(v, "g", "")) == ENOSPC);
    CHECK(hit(LimitName::max_files));
    CHECK(code(v.mkdir("g")) == ENOSPC);
    CHECK(code(v.link("f", "g")) == ENOSPC);
    CHECK(code(v.symlink("f", "g")) == ENOSPC);
    CHECK(code(v.mkfifo("g")) == ENOSPC);
    CHECK(hit(LimitName::max_files));
    CHECK(code(v.rename("f", "g")) == 0);
    CHECK(code(v.rename("g", "h")) == 0);  // the same file
    REQUIRE(v.unlink("g"));
    REQUIRE(v.unlink("h"));
    CHECK(v.usage("/")->files == 3);
    REQUIRE(v.rmdir("d"));
    REQUIRE(v.unlink("l"));
    REQUIRE(v.unlink("p"));
    CHECK(v.usage("/")->files == 0);
    CHECK(v.usage("/")->bytes == 0);
  }
  SUBCASE("the depth") {
    REQUIRE(v.mkdir("3"));
    REQUIRE(v.mkdir("3/4"));
    REQUIRE(v.mkdir("3/4/5"));
    CHECK(code(v.mkdir("3/4/5/6")) == ENAMETOOLONG);
    CHECK(hit(LimitName::max_path_depth));
    CHECK(code(write_file(v, "3/4/5/6", "")) == ENAMETOOLONG);
    CHECK(hit(LimitName::max_path_depth));
    REQUIRE(write_file(v, "f", ""));
    CHECK(code(v.rename("f", "3/4/5/6")) == ENAMETOOLONG);
    CHECK(code(v.link("f", "3/4/5/6")) == ENAMETOOLONG);
  }
  SUBCASE("0 means none at all") {
    limits.max_files = 0;
    limits.max_fs_bytes = 0;
    TreeFixture none(limits);
    CHECK(names(none.user, "/") == "bin dev home tmp usr");
    CHECK(code(none.user.mkdir("d")) == ENOSPC);
    CHECK(code(write_file(none.user, "/dev/null", "x")) == 0);
  }
  SUBCASE("no limit at all") {
    limits.max_files = limits.max_fs_bytes = limits.max_file_bytes = Limits::kUnlimited;
    TreeFixture free(limits);
    auto f = *free.user.open("f", kReadWrite);
    CHECK(code(f->write_at(Contents::kMaxSize, "x")) == EFBIG);
    CHECK(code(f->truncate(Contents::kMaxSize)) == 0);
    CHECK(f->size() == Contents::kMaxSize);
  }
}

TEST_CASE("a directory of 100,000 files") {
  Limits limits;
  TreeFixture t(limits);
  const View& v = t.user;
  REQUIRE(v.mkdir("d"));
  auto name = [](int i) { return "d/some-file-" + std::to_string(i); };
  for (int i = 0; i < 99'999; ++i) REQUIRE(v.open(name(i), {.write = true, .create = true}));
  CHECK(code(v.open("d/x", {.write = true, .create = true})) == ENOSPC);
  auto list = *v.list("d");
  CHECK(list.size() == 99'999);
  CHECK(std::is_sorted(list.begin(), list.end(),
                       [](const DirEntry& a, const DirEntry& b) { return a.name < b.name; }));
  for (int i = 0; i < 99'999; i += 7) REQUIRE(v.stat(name(i)));
  MemoryFs::Snapshot snapshot = t.tree.files->snapshot();
  for (int i = 0; i < 99'999; ++i) REQUIRE(v.unlink(name(i)));
  CHECK(v.usage("/")->files == 1);
  REQUIRE(v.rmdir("d"));
  t.tree.files->restore(snapshot);
  CHECK(v.list("d")->size() == 99'999);
}

TEST_CASE("a tree as deep as it can be, and deeper by moving") {
  TreeFixture t;
  View v = t.user;
  // Moving a tree below another makes paths that could not be made step by step.
  for (int part = 0; part < 4; ++part) {
    std::string dir = "p" + std::to_string(part);
    View at = t.user;
    REQUIRE(at.mkdir(dir));
    REQUIRE(at.chdir(dir));
    for (int i = 0; i < 120; ++i) {
      REQUIRE(at.mkdir("d"));
      REQUIRE(at.chdir("d", "/somewhere"));
    }
    REQUIRE(at.mkdir("last"));
    if (part > 0) REQUIRE(at.rename("/home/user/p" + std::to_string(part - 1), "last/p"));
    CHECK(code(at.mkdir("last/p/x/y/z/u/v/w")) == ENOENT);
  }
  CHECK(code(t.user.rename("p3", "p3/d/d")) == EINVAL);
}

TEST_CASE("the fault-injecting filesystem") {
  auto plan = std::make_shared<test::FaultPlan>();
  size_t runs = 0;
  test::for_each_fault(*plan, test::kAllErrors, [&](std::errc error) {
    ++runs;
    size_t at = std::exchange(plan->fail_at, SIZE_MAX);  // not while the tree is made
    TreeFixture t;
    View v(base::make_ref<test::FaultFs>(t.tree.root, plan), {}, "/home/user");
    plan->calls = 0;
    plan->fail_at = at;
    Status done = write_file(v, "a", "text");
    if (done) done = v.rename("a", "b");
    if (done && read_file(v, "b") != "text") done = std::unexpected(plan->error);
    // A lookup that finds nothing is no failure where a name is to be made.
    bool makes = error == std::errc::no_such_file_or_directory && plan->failed == "lookup";
    if (!makes) CHECK(done.has_value() == plan->failed.empty());
    if (!done && plan->failed != "lookup") CHECK(done.error() == error);
    if (done) CHECK(plan->calls > 5);
  });
  CHECK(runs > 60);
}
