// A dump of the tree, for tests: one node a line, two blanks a level.
#include "base/numbers.h"
#include "parser/printer.h"

namespace nacre::parser {

namespace {

class Dump {
 public:
  explicit Dump(const base::SymbolTable& symbols) : symbols_(symbols) {}
  void node(const Node* n);
  std::string out;

 private:
  void line(std::string_view s) {
    out.append(static_cast<size_t>(depth_) * 2, ' ');
    out += s;
    out += '\n';
  }
  void redirects(std::span<const Redirect> list);
  void assign(const Assign& a);
  void word(std::string_view label, const Word* w);
  void words(std::string_view label, std::span<const Word* const> list) {
    for (const Word* w : list) word(label, w);
  }
  void part(const WordPart& p);
  void parts(std::span<const WordPart> list) {
    ++depth_;
    for (const WordPart& p : list) part(p);
    --depth_;
  }
  void param(const Param& p);
  void arith(std::string_view label, const Arith* a);
  void expr(const ArithNode* n);
  void cond(const CondExpr* e);
  void subscript(const Subscript* s);
  void child(std::string_view label, const Node* n) {
    ++depth_;
    line(label);
    ++depth_;
    node(n);
    depth_ -= 2;
  }
  std::string text(std::string_view s) {
    std::string q = "'";
    for (char c : s) {
      if (c == '\n') q += "\\n";
      else q += c;
    }
    q += '\'';
    return q;
  }

  const base::SymbolTable& symbols_;
  int depth_ = 0;
};

constexpr std::string_view kParamOps[] = {
    "",   "-",  "=",  "?",  "+",  "length", ":", "#", "##", "%",         "%%",    "/",    "//",  "/#",
    "/%", "^",  "^^", ",",  ",,", "~",      "~~", "@", "names", "keys", "bad",   "unclosed"};

constexpr std::string_view kArithOps[] = {
    "number", "variable", "param", "plus", "minus", "!", "~", "++x", "--x", "x++", "x--",
    "*", "/", "%", "+", "-", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "^", "|",
    "&&", "||", "**", ",", "?:", "=", "op="};

constexpr std::string_view kRedirects[] = {"<", ">", ">|", ">>", "<>", "<&", ">&",
                                           "&>", "&>>", "<<", "<<<"};

void Dump::expr(const ArithNode* n) {
  if (!n) {
    out += "?";
    return;
  }
  switch (n->op) {
    case ArithOp::number:
      base::append_int(out, n->value);
      return;
    case ArithOp::variable:
      out += symbols_.name(n->name);
      if (n->sub) {
        out += '[';
        if (n->sub->kind == Subscript::Kind::index && n->sub->arith.tree) expr(n->sub->arith.tree);
        else out += n->sub->raw;
        out += ']';
      }
      return;
    case ArithOp::param:
      out += n->param->raw;
      return;
    default:
      break;
  }
  out += '(';
  out += kArithOps[static_cast<size_t>(n->op)];
  if (n->op == ArithOp::compound_assign) {
    out += ' ';
    out += kArithOps[static_cast<size_t>(n->compound)];
  }
  for (const ArithNode* c : {n->a, n->b, n->c}) {
    if (!c) break;
    out += ' ';
    expr(c);
  }
  out += ')';
}

void Dump::arith(std::string_view label, const Arith* a) {
  if (!a) return;
  out.append(static_cast<size_t>(depth_) * 2, ' ');
  out += label;
  out += ' ';
  if (a->tree) {
    expr(a->tree);
    out += '\n';
    return;
  }
  out += "text\n";
  parts(a->text->parts);
}

void Dump::subscript(const Subscript* s) {
  if (!s) return;
  if (s->kind != Subscript::Kind::index) {
    line(s->kind == Subscript::Kind::at ? "[@]" : "[*]");
    return;
  }
  arith("subscript", &s->arith);
}

void Dump::param(const Param& p) {
  std::string s = "param ";
  if (p.indirect) s += '!';
  if (p.kind == Param::Kind::variable) s += symbols_.name(p.name);
  else if (p.kind == Param::Kind::positional) base::append_uint(s, p.position);
  else if (p.special) s += p.special;
  if (p.op != ParamOp::none) {
    s += ' ';
    if (p.colon) s += ':';
    s += kParamOps[static_cast<size_t>(p.op)];
    if (p.transform) s += p.transform;
  }
  if (p.op == ParamOp::names) s += p.names_at ? " @" : " *";
  if (p.op == ParamOp::bad || p.op == ParamOp::unclosed) s += " " + text(p.raw);
  line(s);
  ++depth_;
  subscript(p.sub);
  if (p.arg) word("arg", p.arg);
  if (p.replacement) word("by", p.replacement);
  arith("offset", p.offset);
  arith("length", p.length);
  --depth_;
}

void Dump::part(const WordPart& p) {
  switch (p.kind) {
    case PartKind::literal: line("literal " + text(p.text)); break;
    case PartKind::quoted: line("quoted " + text(p.text)); break;
    case PartKind::tilde: line("tilde " + text(p.text)); break;
    case PartKind::double_quoted:
      line("double");
      parts(p.parts);
      break;
    case PartKind::param: param(*p.param); break;
    case PartKind::command_sub:
      line(p.command->backquote ? "backquote" : p.command->read_file ? "read_file" : "command");
      if (!p.command->error.empty()) line("error " + text(p.command->error));
      ++depth_;
      node(p.command->body);
      --depth_;
      break;
    case PartKind::arith_sub: arith("arith", p.arith); break;
    case PartKind::process_sub:
      line(p.process->output ? "process >" : "process <");
      ++depth_;
      node(p.process->body);
      --depth_;
      break;
    case PartKind::brace: {
      const Brace& b = *p.brace;
      if (b.kind == Brace::Kind::list) {
        line("brace");
        ++depth_;
        words("item", b.items);
        --depth_;
        break;
      }
      std::string s = b.kind == Brace::Kind::ints ? "ints " : "chars ";
      base::append_int(s, b.first);
      s += ' ';
      base::append_int(s, b.last);
      s += " by ";
      base::append_int(s, b.step);
      if (b.width) {
        s += " width ";
        base::append_int(s, b.width);
      }
      line(s);
      break;
    }
  }
}

void Dump::word(std::string_view label, const Word* w) {
  std::string s(label);
  if (w->is_literal) {
    s += " " + text(w->literal);
    if (w->quoted) s += " quoted";
    if (w->may_glob) s += " glob";
    line(s);
  } else {
    if (w->may_glob) s += " glob";
    line(s);
    parts(w->parts);
  }
  if (w->assign) {
    ++depth_;
    assign(*w->assign);
    --depth_;
  }
}

void Dump::assign(const Assign& a) {
  std::string s = "assign ";
  s += symbols_.name(a.name);
  if (a.append) s += " +=";
  if (a.is_array) s += " array";
  line(s);
  ++depth_;
  subscript(a.sub);
  if (a.value) word("value", a.value);
  for (const ArrayElement& e : a.elements) {
    if (e.sub) {
      line(e.append ? "at +=" : "at");
      ++depth_;
      subscript(e.sub);
      --depth_;
    }
    if (e.value) word("element", e.value);
  }
  --depth_;
}

void Dump::redirects(std::span<const Redirect> list) {
  ++depth_;
  for (const Redirect& r : list) {
    std::string s = "redirect ";
    if (r.fd >= 0) base::append_int(s, r.fd);
    if (r.fd_var != base::kNoSymbol) {
      s += '{';
      s += symbols_.name(r.fd_var);
      s += '}';
    }
    s += kRedirects[static_cast<size_t>(r.op)];
    if (r.op == RedirectOp::here_doc) {
      s += ' ';
      s += r.delimiter;
      if (r.strip_tabs) s += " -";
    }
    word(s, r.target);
  }
  --depth_;
}

void Dump::cond(const CondExpr* e) {
  ++depth_;
  switch (e->kind) {
    case CondKind::and_: case CondKind::or_:
      line(e->kind == CondKind::and_ ? "and" : "or");
      cond(e->left);
      cond(e->right);
      break;
    case CondKind::not_:
      line("not");
      cond(e->left);
      break;
    case CondKind::group:
      line("group");
      cond(e->left);
      break;
    case CondKind::word: word("word", e->lhs); break;
    case CondKind::unary: word(std::string("unary ") + e->letter, e->lhs); break;
    case CondKind::binary:
      line("binary " + std::string(e->op_text));
      ++depth_;
      word("lhs", e->lhs);
      word("rhs", e->rhs);
      --depth_;
      break;
  }
  --depth_;
}

void Dump::node(const Node* n) {
  if (!n) {
    line("empty");
    return;
  }
  const auto items = [&](std::span<const Node* const> list) {
    ++depth_;
    for (const Node* c : list) node(c);
    --depth_;
  };
  switch (n->kind) {
    case NodeKind::simple: {
      const auto& c = static_cast<const SimpleCommand&>(*n);
      line("simple");
      ++depth_;
      for (const Assign* a : c.assigns) assign(*a);
      words("word", c.words);
      --depth_;
      break;
    }
    case NodeKind::pipeline: {
      const auto& p = static_cast<const Pipeline&>(*n);
      std::string s = "pipeline";
      if (p.timed) s += p.time_posix ? " time-p" : " time";
      if (p.negated) s += " !";
      for (bool both : p.pipe_both) s += both ? " |&" : " |";
      line(s);
      items(p.stages);
      break;
    }
    case NodeKind::and_or: {
      const auto& a = static_cast<const AndOr&>(*n);
      std::string s = "and_or";
      for (ListOp op : a.ops) s += op == ListOp::and_ ? " &&" : " ||";
      line(s);
      items(a.items);
      break;
    }
    case NodeKind::list:
      line("list");
      ++depth_;
      for (const ListItem& i : static_cast<const List&>(*n).items) {
        if (i.background) line("background");
        node(i.node);
      }
      --depth_;
      break;
    case NodeKind::subshell:
      line("subshell");
      items(std::span(&static_cast<const Subshell&>(*n).body, 1));
      break;
    case NodeKind::group:
      line("group");
      items(std::span(&static_cast<const Group&>(*n).body, 1));
      break;
    case NodeKind::if_:
      line("if");
      for (const IfClause& c : static_cast<const If&>(*n).clauses) {
        if (c.condition) child("when", c.condition);
        child(c.condition ? "then" : "else", c.body);
      }
      break;
    case NodeKind::while_: {
      const auto& w = static_cast<const While&>(*n);
      line(w.until ? "until" : "while");
      child("when", w.condition);
      child("do", w.body);
      break;
    }
    case NodeKind::for_: case NodeKind::select: {
      const auto& f = static_cast<const For&>(*n);
      line((n->kind == NodeKind::for_ ? "for " : "select ") + std::string(f.name_text) +
           (f.has_in ? " in" : ""));
      ++depth_;
      words("word", f.words);
      --depth_;
      child("do", f.body);
      break;
    }
    case NodeKind::arith_for: {
      const auto& f = static_cast<const ArithFor&>(*n);
      line("arith_for");
      ++depth_;
      arith("init", f.init);
      arith("test", f.test);
      arith("step", f.step);
      --depth_;
      child("do", f.body);
      break;
    }
    case NodeKind::case_: {
      const auto& c = static_cast<const Case&>(*n);
      line("case");
      ++depth_;
      word("word", c.word);
      for (const CaseClause& k : c.clauses) {
        line(k.end == CaseEnd::break_         ? "clause"
             : k.end == CaseEnd::fall_through ? "clause ;&"
                                              : "clause ;;&");
        ++depth_;
        words("pattern", k.patterns);
        node(k.body);
        --depth_;
      }
      --depth_;
      break;
    }
    case NodeKind::function: {
      const auto& f = static_cast<const Function&>(*n);
      line("function " + std::string(symbols_.name(f.name)));
      items(std::span(&f.body, 1));
      break;
    }
    case NodeKind::cond:
      line("cond");
      cond(static_cast<const Cond&>(*n).expr);
      break;
    case NodeKind::arith:
      arith("((", static_cast<const ArithCommand&>(*n).expr);
      break;
    case NodeKind::coproc: {
      const auto& c = static_cast<const Coproc&>(*n);
      line("coproc " + std::string(symbols_.name(c.name)));
      items(std::span(&c.body, 1));
      break;
    }
  }
  redirects(n->redirects);
}

}  // namespace

std::string dump_tree(const Node& node, const base::SymbolTable& symbols) {
  Dump d(symbols);
  d.node(&node);
  return std::move(d.out);
}

}  // namespace nacre::parser
