// The command line of the program.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "nacre/nacre.h"

namespace nacre::cli {

struct Mount {
  std::string host, guest;
};

struct Options {
  bool help = false, version = false, json = false, check_only = false;
  bool has_command = false;            // -c
  bool from_stdin = false;             // -s
  std::string command;                 // of -c
  std::string file;                    // script on the host; "" when none
  std::string arg0 = "bash";
  std::vector<std::string> args;
  std::string settings;                // a script of `set` and `shopt` lines to run first
  Limits limits = Limits::standard();
  std::string cwd;
  std::vector<std::pair<std::string, std::string>> env;
  std::vector<Mount> mounts;
  bool virtual_clock = false;
  bool seeded = false;
  uint64_t seed = 0;
};

// False after a wrong command line; `error` holds the message.
bool parse(int argc, char** argv, Options& out, std::string& error);
std::string help_text();

}  // namespace nacre::cli
