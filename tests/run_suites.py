#!/usr/bin/env python3
"""Run every suite of a build and add up what passed and failed.

    tests/run_suites.py BUILD_DIR

A suite is a program that prints either doctest's summary or a last line
`N passed, N failed`.
"""

import os
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
DOCTEST = re.compile(r"test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed")
COUNTS = re.compile(r"(\d+) passed, (\d+) failed")


def suites(build):
    """Names, commands, and the file that each cannot do without."""
    sanitized = "asan" in build.name
    for path in sorted((build / "tests" / "unit").glob("*_test")):
        yield f"unit {path.name[:-5]}", [str(path)], path
    for name, script in (("structure", "tests/structure/check.py"), ("program", "tests/program/check.py")):
        yield name, [sys.executable, script, str(build)], TOP / script
    for name, program, folder in (("security", "nacre_security", "tests/security"),
                                  ("conformance", "nacre_conform", "tests/conformance")):
        path = build / "tests" / program
        # Under the sanitizers everything takes several times as long.
        few = ["-s", "200", "-t", "120"] if sanitized and name == "security" else []
        yield name, [str(path), folder, *few], path
    yield "recorded answers", [sys.executable, "scripts/record", "--check"], TOP / "scripts" / "record"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    os.chdir(TOP)
    total_passed = total_failed = 0
    for name, command, needed in suites(build):
        if not needed.exists():
            print(f"{name}: {needed} is not there")
            total_failed += 1
            continue
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        text = run.stdout.decode(errors="replace")
        found = DOCTEST.findall(text) or COUNTS.findall(text)
        if found:
            passed, failed = map(int, found[-1])
        else:
            passed, failed = (1, 0) if run.returncode == 0 else (0, 1)
        if run.returncode != 0 and failed == 0:
            failed = 1
        if failed or name == "conformance":
            print(text, end="" if text.endswith("\n") else "\n")
        print(f"{name}: {passed} passed, {failed} failed", flush=True)
        total_passed += passed
        total_failed += failed
    print(f"{total_passed} passed, {total_failed} failed")
    return total_failed != 0


if __name__ == "__main__":
    sys.exit(main())
