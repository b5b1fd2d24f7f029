#!/usr/bin/env python3
"""Check the nacre program's own command line.

    tests/program/check.py BUILD_DIR
"""

import json
import pathlib
import subprocess
import sys
import tempfile

NACRE = str(pathlib.Path(sys.argv[1]).resolve() / "cli" / "nacre")
passed = failed = 0


def run(*args, stdin=b"", env=None, cwd=None):
    r = subprocess.run([NACRE, *args], input=stdin, capture_output=True, timeout=60, env=env, cwd=cwd)
    return r.returncode, r.stdout.decode(errors="replace"), r.stderr.decode(errors="replace")


def expect(name, got, want):
    global passed, failed
    if got == want:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}\n  want {want!r}\n  got  {got!r}")


def main():
    expect("-c", run("-c", "echo hello | tr a-z A-Z"), (0, "HELLO\n", ""))
    expect("-c with name and arguments", run("-c", 'echo "$0" "$#" "$2"', "n", "a", "b c"), (0, "n 2 b c\n", ""))
    expect("status", run("-c", "exit 7")[0], 7)
    expect("script on stdin", run(stdin=b"echo a\nread x\nline\necho \"[$x]\"\n"), (0, "a\n[line]\n", ""))
    expect("-s with arguments", run("-s", "p", "q", stdin=b"echo $2\n"), (0, "q\n", ""))
    expect("stdin of -c", run("-c", "cat; echo end", stdin=b"x\ny\n"), (0, "x\ny\nend\n", ""))
    expect("-n accepts", run("-n", "-c", "echo hi"), (0, "", ""))
    expect("-n refuses", run("-n", "-c", "if true")[0], 2)
    expect("-e", run("-e", "-c", "false; echo no"), (1, "", ""))
    expect("-eu", run("-eu", "-c", "echo ${x-unset}; echo $x")[1], "unset\n")
    expect("-o pipefail", run("-o", "pipefail", "-c", "false | true; echo $?"), (0, "1\n", ""))
    expect("-x", run("-x", "-c", "echo hi"), (0, "hi\n", "+ echo hi\n"))
    expect("-O extglob", run("-O", "extglob", "-c", "[[ aa == +(a) ]] && shopt -q extglob && echo y"), (0, "y\n", ""))
    expect("--env", run("--env", "A=b c", "-c", 'echo "$A"'), (0, "b c\n", ""))
    expect("no host environment", run("-c", 'echo "[$SECRET]"', env={"SECRET": "s"}), (0, "[]\n", ""))
    expect("--cwd", run("--cwd", "/tmp", "-c", "pwd"), (0, "/tmp\n", ""))
    expect("--limit", run("--limit", "max_loop_iterations=1000", "-c", "while :; do :; done"),
           (1, "", "bash: resource limit exceeded: max_loop_iterations (limit: 1000)\n"))
    expect("--limits strict", run("--limits", "strict", "-c", "while :; do :; done"),
           (1, "", "bash: resource limit exceeded: max_commands (limit: 1000)\n"))
    expect("unknown limit", run("--limit", "nope=1", "-c", ":")[0], 2)
    expect("unknown option", run("--nope")[0], 2)
    expect("--version", run("--version")[1].split()[0], "nacre")
    expect("--help", run("--help")[1].split("\n")[0], "Usage: nacre [OPTION]... [FILE [ARG]...]")
    r = json.loads(run("--json", "-c", r"printf 'a\xff\n'; echo e >&2; nosuch; exit 3")[1])
    expect("--json out", r["out"], "a\udcff\n")
    expect("--json status", (r["status"], r["ended"], r["limit"]), (3, "exited", None))
    expect("--json unsupported", r["unsupported"], [{"command": "nosuch", "feature": "command"}])
    r = json.loads(run("--json", "--limit", "max_commands=5", "-c", "while :; do :; done")[1])
    expect("--json limit", (r["ended"], r["limit"], r["limit_value"]), ("limit", "max_commands", 5))
    with tempfile.TemporaryDirectory() as d:
        path = pathlib.Path(d)
        (path / "s.sh").write_text('echo "$0" "$1"\necho ${BASH_SOURCE[0]##*/}\n')
        expect("file", run("s.sh", "x", cwd=d), (0, "s.sh x\ns.sh\n", ""))
        (path / "in").mkdir()
        (path / "in" / "f").write_text("data\n")
        (path / "in" / "l").symlink_to("f")
        expect("--mount", run("--mount", f"{d}/in:/mnt/a", "-c", "cat /mnt/a/l; echo new > /mnt/a/f; cat /mnt/a/f"),
               (0, "data\nnew\n", ""))
        expect("nothing is written back", (path / "in" / "f").read_text(), "data\n")
        expect("missing file", run("nope.sh", cwd=d)[0], 127)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
