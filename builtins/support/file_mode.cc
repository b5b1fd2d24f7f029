#include "builtins/support/file_mode.h"

namespace nacre::builtins {

namespace {

using vfs::FileType;

constexpr uint32_t kSetUid = 04000, kSetGid = 02000, kSticky = 01000;
constexpr uint32_t kUser = 04700, kGroup = 02070, kOther = 01007;
constexpr uint32_t kAll = 07777;

char type_letter(FileType type) {
  switch (type) {
    case FileType::regular: return '-';
    case FileType::directory: return 'd';
    case FileType::symlink: return 'l';
    case FileType::fifo: return 'p';
    case FileType::char_device: return 'c';
    case FileType::block_device: return 'b';
    case FileType::socket: return 's';
  }
  return '?';
}

}  // namespace

std::string mode_string(const vfs::Stat& st) {
  std::string s = "?rwxrwxrwx";
  s[0] = type_letter(st.type);
  for (int bit = 0; bit < 9; ++bit)
    if (!(st.mode & (0400u >> bit))) s[1 + bit] = '-';
  if (st.mode & kSetUid) s[3] = st.mode & 0100 ? 's' : 'S';
  if (st.mode & kSetGid) s[6] = st.mode & 0010 ? 's' : 'S';
  if (st.mode & kSticky) s[9] = st.mode & 0001 ? 't' : 'T';
  return s;
}

std::string_view file_type_text(const vfs::Stat& st) {
  switch (st.type) {
    case FileType::regular: return st.size == 0 ? "regular empty file" : "regular file";
    case FileType::directory: return "directory";
    case FileType::symlink: return "symbolic link";
    case FileType::fifo: return "fifo";
    case FileType::char_device: return "character special file";
    case FileType::block_device: return "block special file";
    case FileType::socket: return "socket";
  }
  return "weird file";
}

uint32_t type_bits(FileType type) {
  switch (type) {
    case FileType::regular: return 0100000;
    case FileType::directory: return 0040000;
    case FileType::symlink: return 0120000;
    case FileType::fifo: return 0010000;
    case FileType::char_device: return 0020000;
    case FileType::block_device: return 0060000;
    case FileType::socket: return 0140000;
  }
  return 0;
}

ModeChange ModeChange::of(uint32_t mode) {
  ModeChange change;
  change.steps_.push_back({'=', Flag::ordinary, kAll, mode, kAll});
  return change;
}

std::optional<ModeChange> ModeChange::compile(std::string_view text) {
  ModeChange change;
  if (text.empty()) return std::nullopt;
  size_t i = 0;
  auto octal = [&](uint32_t& value) {
    size_t start = i;
    value = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '7'; ++i) {
      value = value * 8 + static_cast<uint32_t>(text[i] - '0');
      if (value > kAll) return size_t{0};
    }
    return i - start;
  };
  if (text[0] >= '0' && text[0] <= '7') {
    uint32_t value;
    size_t digits = octal(value);
    if (digits == 0 || i != text.size()) return std::nullopt;
    // Special bits of a directory stay unless they are named or five digits say so.
    uint32_t mentioned = digits < 5 ? (value & (kSetUid | kSetGid)) | kSticky | 0777 : kAll;
    change.steps_.push_back({'=', Flag::ordinary, kAll, value, mentioned});
    return change;
  }
  while (true) {
    uint32_t affected = 0;
    for (; i < text.size(); ++i) {
      if (text[i] == 'u') affected |= kUser;
      else if (text[i] == 'g') affected |= kGroup;
      else if (text[i] == 'o') affected |= kOther;
      else if (text[i] == 'a') affected |= kAll;
      else break;
    }
    if (i >= text.size() || (text[i] != '=' && text[i] != '+' && text[i] != '-'))
      return std::nullopt;
    while (i < text.size() && (text[i] == '=' || text[i] == '+' || text[i] == '-')) {
      Step step{text[i++], Flag::ordinary, affected, 0, 0};
      char c = i < text.size() ? text[i] : 0;
      if (c >= '0' && c <= '7') {
        if (affected || octal(step.value) == 0) return std::nullopt;
        if (i < text.size() && text[i] != ',') return std::nullopt;
        step.affected = step.mentioned = kAll;
      } else if (c == 'u' || c == 'g' || c == 'o') {
        step.flag = Flag::copy;
        step.value = c == 'u' ? 0700 : c == 'g' ? 0070 : 0007;
        ++i;
      } else {
        for (; i < text.size(); ++i) {
          c = text[i];
          if (c == 'r') step.value |= 0444;
          else if (c == 'w') step.value |= 0222;
          else if (c == 'x') step.value |= 0111;
          else if (c == 'X') step.flag = Flag::x_if_any;
          else if (c == 's') step.value |= kSetUid | kSetGid;
          else if (c == 't') step.value |= kSticky;
          else break;
        }
      }
      if (!step.mentioned)
        step.mentioned = affected ? affected & step.value : step.value;
      change.steps_.push_back(step);
    }
    if (i == text.size()) return change;
    if (text[i] != ',') return std::nullopt;
    ++i;
  }
}

uint32_t ModeChange::apply(uint32_t mode, bool directory, uint32_t umask,
                           uint32_t* touched) const {
  uint32_t changed = 0;
  mode &= kAll;
  for (const Step& step : steps_) {
    // Unless they were named, a directory keeps its set-id bits.
    uint32_t kept = (directory ? kSetUid | kSetGid : 0) & ~step.mentioned;
    uint32_t value = step.value;
    if (step.flag == Flag::copy) {
      value &= mode;
      uint32_t bits = 0;
      if (value & 0444) bits |= 0444;
      if (value & 0222) bits |= 0222;
      if (value & 0111) bits |= 0111;
      value = bits;
    } else if (step.flag == Flag::x_if_any) {
      if ((mode & 0111) || directory) value |= 0111;
    }
    value &= (step.affected ? step.affected : ~umask) & ~kept;
    switch (step.op) {
      case '=': {
        uint32_t preserved = (step.affected ? ~step.affected : 0) | kept;
        changed |= kAll & ~preserved;
        mode = (mode & preserved) | value;
        break;
      }
      case '+':
        changed |= value;
        mode |= value;
        break;
      case '-':
        changed |= value;
        mode &= ~value;
        break;
    }
  }
  if (touched) *touched = changed;
  return mode;
}

}  // namespace nacre::builtins
