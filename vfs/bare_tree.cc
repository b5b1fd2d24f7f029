#include "vfs/bare_tree.h"

#include "vfs/dev_fs.h"
#include "vfs/permissions.h"

namespace nacre::vfs {

namespace {

Node make_directory(MemoryFs& fs, const Node& dir, std::string_view name, uint32_t mode,
                    Credentials owner = {0, 0}) {
  NewNode what;
  what.type = FileType::directory;
  what.mode = mode;
  what.uid = owner.uid;
  what.gid = owner.gid;
  return fs.create(dir, name, what).value_or(Node());
}

Timestamp wall_time(limits::Clock& clock) {
  constexpr int64_t kSecond = 1'000'000'000;
  int64_t ns = clock.wall_now();
  return {ns / kSecond, static_cast<int32_t>(ns % kSecond)};
}

BareTree mount_over(base::Ref<MemoryFs> files, const TreeOptions& options) {
  BareTree tree;
  Timestamp created = wall_time(options.clock);
  tree.root = base::make_ref<MountFs>(files);
  tree.files = std::move(files);
  tree.bin = base::make_ref<BinFs>(options.commands, created);
  // A snapshot whose owner took these directories away has them no more.
  if (auto at = Path::resolve("/usr/bin")) (void)tree.root->mount(*at, tree.bin);
  if (auto at = Path::resolve("/dev")) (void)tree.root->mount(*at, base::make_ref<DevFs>(created));
  return tree;
}

}  // namespace

BareTree make_bare_tree(const TreeOptions& options) {
  auto files = base::make_ref<MemoryFs>(options.limits, options.clock, MemoryFs::Quotas::later);
  Node root = files->root();
  Node usr = make_directory(*files, root, "usr", 0755);
  make_directory(*files, usr, "bin", 0755);
  make_directory(*files, root, "dev", 0755);
  Node home = make_directory(*files, root, "home", 0755);
  make_directory(*files, home, "user", 0755, options.user);
  make_directory(*files, root, "tmp", 0777 | kSticky);
  NewNode link;
  link.type = FileType::symlink;
  link.mode = 0777;
  link.target = "usr/bin";
  (void)files->create(root, "bin", link);
  files->exempt_present();
  return mount_over(std::move(files), options);
}

BareTree make_tree_from(const MemoryFs::Snapshot& files, const TreeOptions& options) {
  return mount_over(base::make_ref<MemoryFs>(files, options.limits, options.clock), options);
}

}  // namespace nacre::vfs
