#include "builtins/shell/help_topics.h"

namespace nacre::builtins {
namespace {

constexpr HelpTopic kTopics[] = {
    {"%", "job_spec [&]",
     "%: job_spec [&]\n"
     "    Bring a job to the foreground.\n"
     "    \n"
     "    A JOB_SPEC as a command is short for `fg JOB_SPEC', and with a `&' behind\n"
     "    it for `bg JOB_SPEC'.  It names a job by number or by its command.\n"
     "    \n"
     "    Exit Status:\n"
     "    That of the job.\n"},
    {"(( ... ))", "(( expression ))",
     "(( ... )): (( expression ))\n"
     "    Evaluate an arithmetic expression.\n"
     "    \n"
     "    The same as `let \"EXPRESSION\"'.\n"
     "    \n"
     "    Exit Status:\n"
     "    0 when EXPRESSION is not zero, else 1.\n"},
    {"[[ ... ]]", "[[ expression ]]",
     "[[ ... ]]: [[ expression ]]\n"
     "    Evaluate a condition.\n"
     "    \n"
     "    EXPRESSION is made of the primaries of `test', and of\n"
     "    \n"
     "      ( EXPRESSION )\tthe value of EXPRESSION\n"
     "      ! EXPRESSION\t\ttrue when EXPRESSION is false\n"
     "      EXPR1 && EXPR2\ttrue when both are\n"
     "      EXPR1 || EXPR2\ttrue when one of them is\n"
     "    \n"
     "    where EXPR2 is looked at only when EXPR1 does not settle it.  To the right\n"
     "    of `==' and `!=' stands a pattern, to the right of `=~' an extended regular\n"
     "    expression.  Words are neither split nor taken for file names.\n"
     "    \n"
     "    Exit Status:\n"
     "    0 when EXPRESSION is true, 1 when it is false.\n"},
    {"case", "case WORD in [PATTERN [| PATTERN]...) COMMANDS ;;]... esac",
     "case: case WORD in [PATTERN [| PATTERN]...) COMMANDS ;;]... esac\n"
     "    Choose commands by patterns.\n"
     "    \n"
     "    Run the COMMANDS behind the first PATTERN that matches WORD.  `|' stands\n"
     "    between alternatives.\n"
     "    \n"
     "    Exit Status:\n"
     "    That of the last command; 0 when no PATTERN matches.\n"},
    {"coproc", "coproc [NAME] command [redirections]",
     "coproc: coproc [NAME] command [redirections]\n"
     "    Run a command beside the shell, with a pipe each way.\n"
     "    \n"
     "    The array NAME gets the descriptors: its element 0 reads what COMMAND\n"
     "    prints, its element 1 writes what COMMAND reads.  Without NAME, this is\n"
     "    COPROC.\n"
     "    \n"
     "    Exit Status:\n"
     "    0.\n"},
    {"for", "for NAME [in WORDS ... ] ; do COMMANDS; done",
     "for: for NAME [in WORDS ... ] ; do COMMANDS; done\n"
     "    Run commands once for each word of a list.\n"
     "    \n"
     "    NAME takes the value of each of WORDS in turn; without `in WORDS', of each\n"
     "    positional parameter.\n"
     "    \n"
     "    Exit Status:\n"
     "    That of the last command.\n"},
    {"for ((", "for (( exp1; exp2; exp3 )); do COMMANDS; done",
     "for ((: for (( exp1; exp2; exp3 )); do COMMANDS; done\n"
     "    Run commands in an arithmetic loop.\n"
     "    \n"
     "    The same as\n"
     "    \t(( EXP1 ))\n"
     "    \twhile (( EXP2 )); do\n"
     "    \t\tCOMMANDS\n"
     "    \t\t(( EXP3 ))\n"
     "    \tdone\n"
     "    where an expression that is left out counts as 1.\n"
     "    \n"
     "    Exit Status:\n"
     "    That of the last command.\n"},
    {"function", "function name { COMMANDS ; } or name () { COMMANDS ; }",
     "function: function name { COMMANDS ; } or name () { COMMANDS ; }\n"
     "    Define a function.\n"
     "    \n"
     "    From then on NAME is a command that runs COMMANDS in the shell that calls\n"
     "    it, with its arguments as $1 and so on and its name in $FUNCNAME.\n"
     "    \n"
     "    Exit Status:\n"
     "    0 unless NAME is readonly.\n"},
    {"if", "if COMMANDS; then COMMANDS; [ elif COMMANDS; then COMMANDS; ]... [ else COMMANDS; ] fi",
     "if: if COMMANDS; then COMMANDS; [ elif COMMANDS; then COMMANDS; ]... [ else COMMANDS; ] fi\n"
     "    Choose commands by exit statuses.\n"
     "    \n"
     "    When the list behind `if' ends with status 0, the list behind its `then'\n"
     "    is run; otherwise each `elif' is tried in the same way, and last the list\n"
     "    behind `else' is run.\n"
     "    \n"
     "    Exit Status:\n"
     "    That of the last command; 0 when no condition was true.\n"},
    {"select", "select NAME [in WORDS ... ;] do COMMANDS; done",
     "select: select NAME [in WORDS ... ;] do COMMANDS; done\n"
     "    Let the user choose words from a menu.\n"
     "    \n"
     "    WORDS (without them, the positional parameters) are listed with numbers on\n"
     "    standard error, then PS3 is shown and a line is read into REPLY.  A number\n"
     "    of the list sets NAME to that word, anything else empties it, an empty\n"
     "    line shows the menu again, and the end of the input ends the loop.  Then\n"
     "    COMMANDS run, until a `break'.\n"
     "    \n"
     "    Exit Status:\n"
     "    That of the last command.\n"},
    {"time", "time [-p] pipeline",
     "time: time [-p] pipeline\n"
     "    Measure how long a pipeline takes.\n"
     "    \n"
     "    When PIPELINE has ended, its real, user and system time are printed, laid\n"
     "    out as the variable TIMEFORMAT says.\n"
     "    \n"
     "    Options:\n"
     "      -p\tuse the layout of POSIX\n"
     "    \n"
     "    Exit Status:\n"
     "    That of PIPELINE.\n"},
    {"until", "until COMMANDS; do COMMANDS-2; done",
     "until: until COMMANDS; do COMMANDS-2; done\n"
     "    Run commands again and again until a condition holds.\n"
     "    \n"
     "    COMMANDS-2 run as long as the last of COMMANDS does not end with status 0.\n"
     "    \n"
     "    Exit Status:\n"
     "    That of the last of COMMANDS-2.\n"},
    {"variables", "variables - Names and meanings of some shell variables",
     "variables: variables - Names and meanings of some shell variables\n"
     "    Variables that the shell uses.\n"
     "    \n"
     "    BASH_VERSION\tThe version of the shell.\n"
     "    CDPATH\tDirectories in which `cd' looks, with colons between them.\n"
     "    GLOBIGNORE\tPatterns of names that pathname expansion leaves out, with\n"
     "    \t\tcolons between them.\n"
     "    HISTFILE\tThe file that keeps the history.\n"
     "    HISTFILESIZE\tThe most lines in that file.\n"
     "    HISTSIZE\tThe most lines that a running shell remembers.\n"
     "    HOME\tThe user's own directory.\n"
     "    HOSTNAME\tThe name of this host.\n"
     "    HOSTTYPE\tThe kind of processor.\n"
     "    IGNOREEOF\tHow many ends of input at an empty prompt an interactive\n"
     "    \t\tshell ignores before it ends; unset, the first ends it.\n"
     "    MACHTYPE\tThe kind of system, as GNU names it.\n"
     "    MAILCHECK\tSeconds between two looks for new mail.\n"
     "    MAILPATH\tFiles in which to look for mail, with colons between them.\n"
     "    OSTYPE\tThe operating system.\n"
     "    PATH\tDirectories in which commands are found, with colons between\n"
     "    \t\tthem.\n"
     "    PROMPT_COMMAND\tWhat runs before each first prompt.\n"
     "    PS1\t\tThe first prompt.\n"
     "    PS2\t\tThe prompt for the rest of a command.\n"
     "    PWD\t\tThe working directory.\n"
     "    SHELLOPTS\tThe options that are on, with colons between them.\n"
     "    TERM\tThe kind of terminal.\n"
     "    TIMEFORMAT\tHow the word `time' prints.\n"
     "    auto_resume\tWhen set, a command of one word may name a stopped job:\n"
     "    \t\tall of its command (`exact'), a part of it (`substring')\n"
     "    \t\tor its beginning (any other value).\n"
     "    histchars\tThe characters of history expansion: `!', quick substitution\n"
     "    \t\t(`^') and comment (`#').\n"
     "    HISTIGNORE\tPatterns of commands that the history leaves out, with colons\n"
     "    \t\tbetween them.\n"
     "\n"},
    {"while", "while COMMANDS; do COMMANDS-2; done",
     "while: while COMMANDS; do COMMANDS-2; done\n"
     "    Run commands again and again while a condition holds.\n"
     "    \n"
     "    COMMANDS-2 run as long as the last of COMMANDS ends with status 0.\n"
     "    \n"
     "    Exit Status:\n"
     "    That of the last of COMMANDS-2.\n"},
    {"{ ... }", "{ COMMANDS ; }",
     "{ ... }: { COMMANDS ; }\n"
     "    Run commands as one.\n"
     "    \n"
     "    A group takes redirections as a whole, and runs in the shell itself.\n"
     "    \n"
     "    Exit Status:\n"
     "    That of the last command.\n"},
};

}  // namespace

std::span<const HelpTopic> help_topics() { return kTopics; }

}  // namespace nacre::builtins
