import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WordMatch } from "../../mail/exploration.ts";
import type { Phrase } from "./phrase.ts";
import { parseDateSpan, parseTypedDates } from "./query-dates.ts";
import { problemSentences } from "./query-problems.ts";
import { type Clause, leavesOf, MAX_CLAUSES, MAX_QUERY_CHARACTERS, parseQuery } from "./query-syntax.ts";

const SIGNS = { optional: "", required: "+", excluded: "-" };
const day = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

function oneInShort(clause: Clause): string {
  const sign = SIGNS[clause.demand];
  if (clause.kind === "group") return `${sign}{${clause.alternatives.map(inShort).join(" | ")}}`;
  if (clause.kind === "date") return `${sign}date(${day(clause.first)} ${day(clause.last)})`;
  if (clause.kind === "phrase") return `${sign}phrase(${phraseInShort(clause)})`;
  return `${sign}${clause.kind === "field" ? clause.field : clause.kind}(${clause.tokens.join(" ")})`;
}

function phraseInShort({ tokens, signs, members, distance }: Phrase): string {
  if (members !== undefined) {
    const ends = members.map((_, at) => members.slice(0, at + 1).reduce((sum, count) => sum + count));
    return `${ends.map((end, at) => tokens.slice(end - members[at]!, end).join("+")).join(" ")} ~${distance}`;
  }
  const words = tokens.map((token, at) => `${token}${signs[at + 1] ?? ""}${signs[at + 1] === "&" ? "" : " "}`);
  return `${signs[0] ?? ""}${words.join("").trim()}${distance === null ? "" : ` ~${distance}`}`;
}

function inShort(clauses: readonly Clause[]): string {
  return clauses.map(oneInShort).join(" ");
}

/** Clauses in short: `+phrase(a b)`, `words(a*)`, `-from(ann)`, `+{words(a) | words(b)}`. */
function brief(query: string, match: WordMatch = "any"): string {
  return inShort(parseQuery(query, match, Date.UTC(2024, 2, 31, 12)).clauses);
}

describe("parseQuery", () => {
  it.each([
    ["annual  budget", "words(annual) words(budget)"],
    [`sha256:${"AB".repeat(32)}`, "+file()"],
    ["sha256:ab", "phrase(sha256 ab)"],
    ["foo-bar ann@x.org", "phrase(foo bar) phrase(ann x org)"],
    ['"annual budget" "one"', "+phrase(annual budget) +words(one)"],
    ["“curly quotes”", "+phrase(curly quotes)"],
    [
      "‹a b› 〈c d〉 〝e f〟 ｢g h｣ ﹁i j﹂ ❝k l❞",
      "+phrase(a b) +phrase(c d) +phrase(e f) +phrase(g h) +phrase(i j) +phrase(k l)",
    ],
    ['-"not this" +"but this"', "-phrase(not this) +phrase(but this)"],
    ["+must -not", "+words(must) -words(not)"],
    ["-foo-bar", "-phrase(foo bar)"],
    ["rep* +rep* -rep*", "words(rep*) +words(rep*) -words(rep*)"],
    ["foo-bar* a", "phrase(foo bar*) words(a)"],
    ["(foo-bar a) b", "phrase(foo bar) words(a) words(b)"],
    ["foo-bar from:ann", "phrase(foo bar) +from(ann)"],
    [
      "FROM:Ann to:ben cc:c subject:s filename:f.pdf in:Inbox topic:3",
      "+from(ann) +to(ben) +cc(c) +subject(s) +filename(f pdf) +mailbox(inbox) +topic(3)",
    ],
    ["id:<a.1@x.example> -ID:b@x.example", "+id() -id()"],
    ["id:<> id:", "words(id) words(id)"],
    ['-from:"ann lee" has:Attachments', "-from(ann lee) +has(attachment)"],
    ["has:wings from: :x re:plan", "phrase(has wings) words(from) words(x) phrase(re plan)"],
    ['from:... from:""', "words(from) words(from)"],
    ["after:soon -before:2001", "phrase(after soon) -date(0001-01-01 2001-12-31)"],
    ["stem:contracts -stem:Contract", "words(contracts~) -words(contract~)"],
    ['stem:"old contracts"~4', "+phrase(old~ contracts~ ~4)"],
    [
      'stem:(purchase agreements) +stem:"purchase agreements"',
      "words(purchase~) words(agreements~) +phrase(purchase~ agreements~)",
    ],
    [
      'stem:* contract 10:30 moor* "purchase agreement" from:ann x OR y',
      "words(contract~) phrase(10 30) words(moor*) +phrase(purchase agreement) +from(ann) words(x~) words(y~)",
    ],
    ["stem:... stem:", "words(stem) words(stem)"],
    ["newer_than:2w -older_than:1Y", "+date(2024-03-17 9999-12-31) -date(0001-01-01 2023-03-30)"],
    ["newer_than:1m", "+date(2024-02-29 9999-12-31)"],
    ["newer_than:13m older_than:0d", "+date(2023-02-28 9999-12-31) +date(0001-01-01 2024-03-30)"],
    ["older_than:soon", "phrase(older than soon)"],
    ["<a.1@x.example>", "+{+id() | +phrase(a 1 x example)}"],
    ["-<a@x> Ann <b@y>", "-{+id() | +phrase(a x)} words(ann) +{+id() | +phrase(b y)}"],
    ['"<a@x>" <a@x', "+phrase(a x) phrase(a x)"],
    ["since:2001/5/14 until:2001.06", "+date(2001-05-14 9999-12-31) +date(0001-01-01 2001-06-30)"],
    ["-date:2001-05..2001-08 on:5/14/2001", "-date(2001-05-01 2001-08-31) phrase(on 5 14 2001)"],
    ["after:2001-05 on:2001-02", "+date(2001-05-01 9999-12-31) +date(2001-02-01 2001-02-28)"],
    ["thread:Thread-000012 thread:12", "+thread() phrase(thread 12)"],
    ["person:ann mailbox:Inbox", "+person(ann) +place()"],
    ["lang:english type:picture larger:big", "phrase(lang english) phrase(type picture) phrase(larger big)"],
    ["lang:en type:PDF smaller:1.5M source:0", "+lang() +type() +smaller() +source(0)"],
    ["is:reply is:signed has:copies is:undated", "+trait() +kind(signed) +trait() +undated()"],
    ["a OR b c", "words(a) words(b) words(c)"],
    ["from:ann OR b c", "+{+from(ann) | words(b)} words(c)"],
    ["a OR +b OR c", "+{words(a) | +words(b) | words(c)}"],
    ["OR a OR", "words(or) words(a)"],
    ["a OR OR b", "words(a) words(or) words(b)"],
    ['a "OR" b or c', "words(a) +words(or) words(b) words(or) words(c)"],
    ["(a b)", "words(a) words(b)"],
    ["(from:ann a) OR (from:ben b)", "+{+from(ann) words(a) | +from(ben) words(b)}"],
    ["-(a b) +(c)", "-{words(a) words(b)} words(c)"],
    ["from:(ann OR ben) subject:(annual budget)", "+{+from(ann) | +from(ben)} +subject(annual) +subject(budget)"],
    ['-from:(ann "b c" -ben)', "-{+from(ann) +from(b c) -from(ben)}"],
    ["from:(to:ann b)", "+to(ann) +from(b)"],
    ["((a) (from:b", "words(a) +from(b)"],
    ["f(x) a) :) b", "phrase(f x) words(a) words(b)"],
    ["(f(x) a)", "phrase(f x) words(a)"],
    ["size:(a b)", "phrase(size a) words(b)"],
    ["() -() (()) a", "words(a)"],
    ["http://example.org/a", "phrase(http example org a)"],
    [
      "-10:30 +1:23-cv -http://x.example -fro:x",
      "-phrase(10 30) +phrase(1 23 cv) -phrase(http x example) -phrase(fro x)",
    ],
    ["a NOT b NOT (c d) NOT -e", "words(a) -words(b) -{words(c) words(d)} +words(e)"],
    ["NOT a OR NOT", "+{-words(a) | words(not)}"],
    ["a AND b c", "+words(a) +words(b) words(c)"],
    ["a OR b AND c", "+{words(a) words(b)} +words(c)"],
    ["AND a AND", "words(and) +words(a)"],
    ['say"hello there', "phrase(say hello) words(there)"],
    ['- + " *', ""],
    ["c?n *tract a*b", "words(c?n) words(*tract) words(a*b)"],
    ["from:anne-m* subject:con?ract", "+from(anne m*) +subject(con?ract)"],
    ['"con* x"', "+phrase(con x)"],
    ['"mooring line"~20', "+phrase(mooring line ~20)"],
    ["mooring w/10 line NEAR boat", "phrase(mooring line boat ~10)"],
    ['"old mooring" w/5 F-150 -line', "phrase(old+mooring f+150 ~5) -words(line)"],
    ['"old F-150"~3 "F-150"~2', "+phrase(old f+150 ~3) +phrase(f+150 ~2)"],
    ["-a NEAR/3 b", "-phrase(a b ~3)"],
    ["w/10 a", "phrase(w 10) words(a)"],
    ["a !b !(c d)", "words(a) -words(b) -{words(c) words(d)}"],
    ["AT&T C++ .NET 3.5 R&D's", "phrase(at&t) phrase(c++) phrase(.net) phrase(3 5) phrase(r&d s)"],
    ["«two words» 「三文字」", "+phrase(two words) +phrase(三文 文字)"],
    ["from:王 3月", "+from(王*) phrase(3 月*)"],
    ["山 山*", "words(山*) words(山*)"],
  ])("%s", (query, expected) => {
    expect(brief(query)).toBe(expected);
  });

  it.each([
    ["a b* from:c", "+words(a) +words(b*) +from(c)"],
    ["a OR b c", "+{+words(a) | +words(b)} +words(c)"],
    ["-(a b) OR c", "+{-{+words(a) +words(b)} | +words(c)}"],
  ])("%s, when all words must match", (query, expected) => {
    expect(brief(query, "all")).toBe(expected);
  });

  it.each([
    ["a b OR c -(d) http://x.example 10:30 from:ann", []],
    ["fro:x", ['"fro:x" is not an operator: searched as text']],
    ["-type:picture", ['"-type:picture" is not a valid value for this operator: searched as text']],
    ['from:" a', ['"from:"" is not a valid value for this operator: searched as text']],
    ["from: a", ['"from:" is not a valid value for this operator: searched as text']],
    ['"open a', ['""open" has an unmatched quotation mark: searched as text']],
    ['contract" a', ['"contract"" has an unmatched quotation mark: searched as text']],
    ['"', ['""" has an unmatched quotation mark: searched as text']],
    ['a 5" b - c', []],
    ["- *", ['"- *" has no letters or digits: ignored']],
    ["a NOT", ['"NOT" has no operand']],
    ["a w/5", ['"w/5" has no operand']],
    ["a )", ['")" has an unmatched parenthesis: ignored']],
    ["report.*.v2", ['"report.*.v2" is not supported: only its words are searched']],
    ["/amb.*/", ['"/amb.*/" is not supported: only its words are searched']],
    ["is:read", ['"is:read" is not a valid value for this operator: searched as text']],
    ["kind:message", ['"kind:message" is not a valid value for this operator: searched as text']],
    ['subject:"a b"~2', ['"subject:"a b"~2" is not supported: only its words are searched']],
    ['"a b"~99999 a w/100000 b kind:distribution_list is:(event OR report) x.* a/*', []],
    ["a pre/5 b", ['"pre/5" is not supported: only its words are searched']],
    [
      "a || b~2",
      ['"||" is not supported: only its words are searched', '"b~2" is not supported: only its words are searched'],
    ],
    ["gas||price", ['"gas||price" is not supported: only its words are searched']],
    ["a ||b", ['"||b" is not supported: only its words are searched']],
    ["gas&&price", ['"gas&&price" is not supported: only its words are searched']],
    ['"a b" ~5', ['"~5" is not supported: only its words are searched']],
    ["http://x.example/a?b=1&&c=2 AT&T a|b ~x", []],
    ["(a b", ['"(" has an unmatched parenthesis: ignored']],
    ["a b)", ['"b)" has an unmatched parenthesis: ignored']],
    ["OR a AND", ['"OR" has no operand', '"AND" has no operand']],
    ["w ".repeat(101), ['"w " exceeds the query size limit: ignored']],
  ])("reports the problems of %s", (query, sentences) => {
    expect(problemSentences(query, parseQuery(query, "all").problems)).toEqual(sentences);
  });

  it("records the position of each clause", () => {
    const query = 'annual -(from:"ann lee" OR "x y") after:2001';
    const { clauses } = parseQuery(query, "any");
    const written = [...clauses, ...leavesOf(clauses)].map(({ start, end }) => query.slice(start, end));
    expect(written).toEqual([
      "annual",
      '-(from:"ann lee" OR "x y")',
      "after:2001",
      ...["annual", 'from:"ann lee"', '"x y"', "after:2001"],
    ]);
  });

  it("handles extreme depths and lengths", () => {
    expect(brief(`${"(".repeat(10_000)}a`)).toBe("");
    const deep = `${"-(".repeat(1000)}a${")".repeat(1000)} b`;
    expect(brief(deep)).toMatch(/^(-\{){16}words\(a\)\}{16} words\(b\)$/);
    for (const piece of ["(", ")", "-(", "a OR ", "from:(", "OR ", "(a OR b) ", '"', "((a) "]) {
      const query = piece.repeat(10_000);
      const leaves = leavesOf(parseQuery(query, "any").clauses);
      expect(leaves.length).toBeLessThanOrEqual(MAX_CLAUSES);
      for (const { end } of leaves) expect(end).toBeLessThanOrEqual(MAX_QUERY_CHARACTERS);
    }
  });

  it("accepts an id without angle brackets", () => {
    const ids = parseQuery('id:<a.1@x.example> id:"<B 2@x.example>" id:c<3>', "any").clauses;
    expect(ids.map((clause) => (clause.kind === "field" ? clause.text : ""))).toEqual([
      "a.1@x.example",
      "B 2@x.example",
      "c<3>",
    ]);
  });

  it("reads a bounded number of clauses", () => {
    expect(parseQuery("w ".repeat(1000), "any").clauses).toHaveLength(MAX_CLAUSES);
  });

  it("never throws, and yields no words without tokens and no empty group", () => {
    const check = (clauses: readonly Clause[]): void => {
      for (const clause of clauses) {
        expect(clause.start).toBeLessThan(clause.end);
        if (clause.kind === "words" || clause.kind === "phrase") expect(clause.tokens.length).toBeGreaterThan(0);
        if (clause.kind !== "group") continue;
        expect(clause.alternatives.length).toBeGreaterThan(clause.demand === "excluded" ? 0 : 1);
        for (const alternative of clause.alternatives) {
          expect(alternative.length).toBeGreaterThan(0);
          check(alternative);
        }
      }
    };
    const piece = fc.oneof(
      fc.constantFrom("(", ")", "-(", " OR ", "from:(", "+", "-", '"', "from:", "after:", "on:2001", " ", "a"),
      fc.string({ unit: "binary", maxLength: 10 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom<WordMatch>("any", "all"), (pieces, match) =>
        check(parseQuery(pieces.join(""), match).clauses),
      ),
      { numRuns: 1000 },
    );
  });
});

describe("parseDateSpan", () => {
  it.each([
    ["2001", "2001-01-01T00:00:00.000Z", "2001-12-31T23:59:59.999Z"],
    ["2000-02", "2000-02-01T00:00:00.000Z", "2000-02-29T23:59:59.999Z"],
    ["2001-05-14", "2001-05-14T00:00:00.000Z", "2001-05-14T23:59:59.999Z"],
    ["0050-12-31", "0050-12-31T00:00:00.000Z", "0050-12-31T23:59:59.999Z"],
    ["2001-05-14T10:00:00+02:00", "2001-05-14T08:00:00.000Z", "2001-05-14T08:00:00.000Z"],
  ])("%s", (text, first, last) => {
    const span = parseDateSpan(text)!;
    expect([new Date(span.first).toISOString(), new Date(span.last).toISOString()]).toEqual([first, last]);
  });

  it.each([
    "",
    "20010514",
    "2001-13",
    "2001-00",
    "2001-02-30",
    "2001-02-00",
    "2001-5-14",
    "2001-05-14T10:00",
    "yesterday",
  ])("rejects %j", (text) => {
    expect(parseDateSpan(text)).toBeNull();
  });
});

describe("parseTypedDates", () => {
  it.each([
    ["2001-05-14", "2001-05-14T00:00:00.000Z", "2001-05-14T23:59:59.999Z"],
    ["2001/5/4", "2001-05-04T00:00:00.000Z", "2001-05-04T23:59:59.999Z"],
    ["2001.05", "2001-05-01T00:00:00.000Z", "2001-05-31T23:59:59.999Z"],
    ["14.5.2001", "2001-05-14T00:00:00.000Z", "2001-05-14T23:59:59.999Z"],
    ["2001-05-14+02:00", "2001-05-13T22:00:00.000Z", "2001-05-14T21:59:59.999Z"],
    ["2001/5/14-05:30", "2001-05-14T05:30:00.000Z", "2001-05-15T05:29:59.999Z"],
    ["2001-05-14Z", "2001-05-14T00:00:00.000Z", "2001-05-14T23:59:59.999Z"],
    ["2001..2002-03", "2001-01-01T00:00:00.000Z", "2002-03-31T23:59:59.999Z"],
    ["2001-05-14..", "2001-05-14T00:00:00.000Z", "9999-12-31T23:59:59.999Z"],
    ["..2001-05-14-08:00", "0001-01-01T00:00:00.000Z", "2001-05-15T07:59:59.999Z"],
    ["2001-05-14T10:00:00Z..2001-05-14T11:00:00Z", "2001-05-14T10:00:00.000Z", "2001-05-14T11:00:00.000Z"],
  ])("%s", (text, first, last) => {
    const span = parseTypedDates(text)!;
    expect([new Date(span.first).toISOString(), new Date(span.last).toISOString()]).toEqual([first, last]);
  });

  it.each([
    "",
    "..",
    "2001..2000",
    "2001..soon",
    "2001-05/14",
    "2001/2/30",
    "5/14/2001",
    "14.13.2001",
    "2001+02:00",
    "2001-05-14+15:00",
    "2001-05-14+02:60",
    "2001-05-14T10:00",
  ])("rejects %j", (text) => {
    expect(parseTypedDates(text)).toBeNull();
  });
});
