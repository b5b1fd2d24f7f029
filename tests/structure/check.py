#!/usr/bin/env python3
"""Check what docs/architecture.md promises of the code's structure.

    tests/structure/check.py BUILD_DIR

  - a folder includes only what stands below it;
  - I1: no object of the library asks for a symbol that reaches the host;
  - I6: no object of the library has writable data;
  - files stay below 800 lines, and headers open with what they are.
"""

import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent

# What a folder may include, beside itself.
MAY_INCLUDE = {
    "include": set(),
    "base": set(),
    "limits": {"base", "include"},
    "vfs": {"limits", "base", "include"},
    "regex": {"limits", "base", "include"},
    "lexer": {"limits", "base", "include"},
    "parser": {"lexer", "limits", "base", "include"},
    "interp": {"parser", "lexer", "regex", "vfs", "limits", "base", "include"},
    "builtins": {"interp", "parser", "lexer", "regex", "vfs", "limits", "base", "include"},
    "shell": {"builtins", "interp", "parser", "lexer", "regex", "vfs", "limits", "base", "include"},
    "cli": {"include"},
}
LIBRARY = [name for name in MAY_INCLUDE if name not in ("include", "cli")]

# Symbols that would leave the process, or see the host (I1).
BANNED = re.compile(
    r"^(v?fork|clone|exec(l|le|lp|v|ve|vp|vpe|veat)|fexecve|posix_spawnp?|system|popen|"
    r"socket|socketpair|connect|bind|listen|accept4?|getaddrinfo|gethostby\w+|dlopen|dlsym|"
    r"(secure_)?getenv|setenv|putenv|unsetenv|environ|pthread_create|thrd_create|"
    r"open(at)?(64)?|creat(64)?|fopen(64)?|freopen(64)?|opendir|mkdir(at)?|rmdir|unlink(at)?|"
    r"rename(at2?)?|l?stat(64)?|fstat(at)?(64)?|statx|readlink(at)?|symlink(at)?|link(at)?|chmod|"
    r"chown|chdir|getcwd|realpath|mkstemp(64)?|tmpfile(64)?|kill|raise|signal|sigaction|setlocale|"
    r"getpw\w+|getgr\w+|gethostname|uname|getpid|getuid|localtime(_r)?|tzset)(@|$)")

# The compiler's own references to types that are thrown, and the sanitizers' tables.
ALLOWED_DATA = re.compile(r"^(DW\.ref\.|__asan|__odr_asan|__ubsan|_ZZ.*__asan)")

passed = failed = 0


def check(name, problems):
    global passed, failed
    if problems:
        failed += 1
        print(f"FAILED {name}")
        for p in problems[:40]:
            print(f"  {p}")
    else:
        passed += 1
        print(f"ok {name}")


def sources(folder):
    top = TOP / folder
    return sorted(p for p in top.rglob("*") if p.suffix in (".cc", ".h"))


def check_includes():
    for folder, allowed in MAY_INCLUDE.items():
        problems = []
        for path in sources(folder):
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                m = re.match(r'\s*#include "([a-z_]+)/', line)
                if not m:
                    continue
                target = "include" if m[1] == "nacre" else m[1]
                if target != folder and target in MAY_INCLUDE and target not in allowed:
                    problems.append(f"{path.relative_to(TOP)}:{number}: includes {m[1]}/")
        check(f"includes of {folder}/", problems)


def objects(build, folder):
    return sorted((build / folder).rglob("*.o"))


def check_symbols(build):
    for folder in LIBRARY:
        problems = []
        for obj in objects(build, folder):
            if obj.name.endswith("host_fs.cc.o"):
                continue
            out = subprocess.run(["nm", "-u", obj], capture_output=True, text=True).stdout
            for line in out.splitlines():
                symbol = line.split()[-1]
                if BANNED.match(symbol) or "_ZNSt6thread" in symbol or "filesystem" in symbol:
                    problems.append(f"{obj.name}: {symbol}")
        check(f"I1: symbols of {folder}/", problems)


def check_data(build):
    for folder in LIBRARY:
        problems = []
        for obj in objects(build, folder):
            sections = {}
            out = subprocess.run(["readelf", "-SW", obj], capture_output=True, text=True).stdout
            for m in re.finditer(r"\[\s*(\d+)\] (\S+)", out):
                sections[m[1]] = m[2]
            out = subprocess.run(["readelf", "-sW", obj], capture_output=True, text=True).stdout
            for line in out.splitlines():
                f = line.split()
                if len(f) < 8 or f[3] not in ("OBJECT", "TLS") or f[6] not in sections:
                    continue
                section = sections[f[6]]
                writable = re.match(r"\.(data|bss|tdata|tbss)(\.|$)", section)
                if writable and not section.startswith(".data.rel.ro") and not ALLOWED_DATA.match(f[7]):
                    problems.append(f"{obj.name}: {f[7]} in {section}")
        check(f"I6: writable data of {folder}/", problems)


def check_files():
    too_long, no_opening = [], []
    for folder in MAY_INCLUDE:
        for path in sources(folder):
            lines = path.read_text(errors="replace").splitlines()
            if len(lines) > 800:
                too_long.append(f"{path.relative_to(TOP)}: {len(lines)} lines")
            if path.suffix == ".h" and not (lines and lines[0].startswith("//")):
                no_opening.append(str(path.relative_to(TOP)))
    check("files below 800 lines", too_long)
    check("headers open with what they are", no_opening)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    check_includes()
    sanitized = "address" in subprocess.run(
        ["meson", "introspect", "--buildoptions", build], capture_output=True, text=True
    ).stdout.split('"b_sanitize"')[-1][:200] and "asan" in build.name
    if not sanitized:  # the sanitizers bring symbols and data of their own
        check_symbols(build)
        check_data(build)
    check_files()
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
