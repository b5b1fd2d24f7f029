// The public face: what a host sees of a Shell.
#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>

#include "nacre/nacre.h"

using nacre::Ending;
using nacre::ExecOptions;
using nacre::LimitName;
using nacre::Result;
using nacre::Shell;
using nacre::ShellOptions;

TEST_CASE("a script's output and status") {
  Shell shell;
  Result r = shell.exec("echo out; echo err >&2; exit 3");
  CHECK(r.out == "out\n");
  CHECK(r.err == "err\n");
  CHECK(r.status == 3);
  CHECK(r.ended == Ending::exited);
  CHECK(shell.exec(":").ended == Ending::completed);
  CHECK(shell.exec("if").ended == Ending::syntax_error);
  CHECK(shell.exec("if").status == 2);
}

TEST_CASE("state is kept from one exec to the next") {
  Shell shell;
  shell.exec("x=1; f() { echo f$x; }; cd /tmp; echo data >file; set -u");
  CHECK(shell.exec("f; pwd; cat file").out == "f1\n/tmp\ndata\n");
  CHECK(shell.exec("echo $-").out.find('u') != std::string::npos);
  CHECK(shell.variable("x") == "1");
  shell.set_variable("y", "two", true);
  CHECK(shell.exec("env | while read l; do [ $l = y=two ] && echo yes; done; :").out == "yes\n");
  CHECK_FALSE(shell.variable("nope").has_value());
}

TEST_CASE("two shells share nothing") {
  Shell a, b;
  a.exec("x=1; echo a >/tmp/f");
  CHECK(b.exec("echo [$x]; cat /tmp/f 2>/dev/null").out == "[]\n");
}

TEST_CASE("arguments, environment, stdin, working directory") {
  Shell shell;
  ExecOptions o;
  o.args = {"a b", "c"};
  o.arg0 = "me";
  o.env = {{"A", "1"}};
  o.stdin_text = "line 1\nline 2\n";
  o.cwd = "/tmp";
  CHECK(shell.exec("read l; echo \"$0 $# $1 $A $l $PWD\"; cat", o).out == "me 2 a b 1 line 1 /tmp\nline 2\n");
}

TEST_CASE("output goes to sinks as it comes") {
  Shell shell;
  ExecOptions o;
  std::string seen;
  o.on_stdout = [&](std::string_view s) { seen += "<" + std::string(s) + ">"; };
  Result r = shell.exec("echo a; echo b", o);
  CHECK(seen == "<a\n><b\n>");
  CHECK(r.out.empty());
}

TEST_CASE("a limit ends the run and is named") {
  ShellOptions so;
  so.limits.max_loop_iterations = 10;
  Shell shell(so);
  Result r = shell.exec("for i in 1 2 3 4 5 6 7 8 9 10; do :; done; echo ok");
  CHECK(r.out == "ok\n");
  r = shell.exec("echo before; while :; do :; done || echo caught; echo after");
  CHECK(r.out == "before\n");
  CHECK(r.err == "bash: resource limit exceeded: max_loop_iterations (limit: 10)\n");
  CHECK(r.status == 1);
  CHECK(r.ended == Ending::limit);
  CHECK(r.limit == LimitName::max_loop_iterations);
  CHECK(r.limit_value == 10);
  // The shell goes on living.
  CHECK(shell.exec("echo alive").out == "alive\n");
}

TEST_CASE("output is cut at its limit, never in silence") {
  ShellOptions so;
  so.limits.max_output_bytes = 100;
  Shell shell(so);
  Result r = shell.exec("while :; do echo 0123456789; done");
  CHECK(r.out.size() == 100);
  CHECK(r.out_truncated);
  CHECK(r.limit == LimitName::max_output_bytes);
}

TEST_CASE("the timeout strikes on the virtual clock") {
  ShellOptions so;
  so.clock = nacre::ClockKind::virtual_;
  Shell shell(so);
  Result r = shell.exec("sleep 1; echo one; sleep 100; echo never");
  CHECK(r.out == "one\n");
  CHECK(r.status == 124);
  CHECK(r.ended == Ending::timeout);
  CHECK(r.err == "bash: resource limit exceeded: timeout (limit: 30s)\n");
}

TEST_CASE("a run is cancelled from another thread") {
  for (const char* script : {"while :; do :; done", "sleep 20", "cat /dev/zero >/dev/null",
                             "read x < <(sleep 20)", "yes | while :; do :; done"}) {
    CAPTURE(script);
    Shell shell;
    nacre::CancellationToken token;
    ExecOptions o;
    o.cancel = &token;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      token.cancel();
    });
    Result r = shell.exec(script, o);
    other.join();
    CHECK(r.ended == Ending::cancelled);
    CHECK(r.status == 130);
    CHECK(r.err == "bash: cancelled\n");
  }
}

TEST_CASE("atomic: all or nothing") {
  Shell shell;
  shell.exec("x=1; echo old >/tmp/f");
  ExecOptions o;
  o.atomic = true;
  shell.exec("x=2; echo new >/tmp/f; mkdir /tmp/d; g() { :; }; cd /tmp; false", o);
  CHECK(shell.exec("echo $x; cat /tmp/f; pwd; [ -e /tmp/d ] || echo none; type -t g").out ==
        "1\nold\n/home/user\nnone\n");
  shell.exec("x=3; echo new >/tmp/f", o);
  CHECK(shell.exec("echo $x; cat /tmp/f").out == "3\nnew\n");
}

TEST_CASE("what is not here is told") {
  Shell shell;
  Result r = shell.exec("nosuch 2>/dev/null; cat --frobnicate 2>/dev/null; :");
  REQUIRE(r.unsupported.size() == 2);
  CHECK(r.unsupported[0].command == "nosuch");
  CHECK(r.unsupported[1].command == "cat");
  CHECK(r.unsupported[1].feature == "--frobnicate");
}

TEST_CASE("quotas of the tree are told") {
  ShellOptions so;
  so.limits.max_file_bytes = 1000;
  Shell shell(so);
  Result r = shell.exec("head -c 2000 /dev/zero >f; echo $?");
  REQUIRE(r.quotas.size() == 1);
  CHECK(r.quotas[0] == LimitName::max_file_bytes);
  CHECK(r.out == "1\n");
}

TEST_CASE("the host's hand in the tree") {
  Shell shell;
  CHECK(shell.files().write("/data/in/a", "text", 0600) == std::errc{});
  CHECK(shell.files().make_symlink("a", "/data/in/l") == std::errc{});
  CHECK(shell.exec("cat /data/in/l; echo more >>/data/in/a").out == "text");
  CHECK(shell.files().read("/data/in/a").first == "textmore\n");
  auto [entries, error] = shell.files().list("/data/in");
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].name == "a");
  CHECK(entries[0].mode == 0600);
  CHECK(entries[1].target == "a");
  CHECK(shell.files().read("/nope").second == std::errc::no_such_file_or_directory);
}

TEST_CASE("the same seed and clock give the same bytes") {
  auto run = [] {
    ShellOptions so;
    so.seed = 7;
    so.clock = nacre::ClockKind::virtual_;
    Shell shell(so);
    return shell.exec("echo $RANDOM $RANDOM $SRANDOM $EPOCHREALTIME $$; "
                      "for i in 1 2 3; do { sleep 0.$i; echo $i $RANDOM; } & done; wait; "
                      "yes | head -3").out;
  };
  CHECK(run() == run());
}

TEST_CASE("bytes are bytes") {
  Shell shell;
  ExecOptions o;
  o.stdin_text = std::string_view("a\0b\xff\n", 5);
  CHECK(shell.exec("cat", o).out == std::string_view("a\0b\xff\n", 5));
}
