// The smallest host: one shell, one script.
#include <cstdio>

#include "nacre/nacre.h"

int main() {
  nacre::Shell shell;
  nacre::Result r = shell.exec("echo hello | tr a-z A-Z");
  std::printf("%s", r.out.c_str());
  return r.status;
}
