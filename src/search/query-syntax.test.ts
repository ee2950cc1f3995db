import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDateSpan } from "./query-dates.ts";
import { type Clause, MAX_CLAUSES, parseQuery } from "./query-syntax.ts";

/** Clauses in short: `+phrase(a b)`, `prefix(a)`, `-from(ann)`. */
function brief(query: string): string {
  const sign = { optional: "", required: "+", excluded: "-" };
  const one = (clause: Clause): string =>
    `${sign[clause.demand]}${clause.kind === "field" ? clause.field : clause.kind}(${clause.tokens.join(" ")})`;
  return parseQuery(query).clauses.map(one).join(" ");
}

describe("parseQuery", () => {
  it.each([
    ["annual  budget", "words(annual) words(budget)"],
    ["foo-bar ann@x.org", "words(foo bar) words(ann x org)"],
    ['"annual budget" "one"', "+phrase(annual budget) +words(one)"],
    ["“curly quotes”", "+phrase(curly quotes)"],
    ['-"not this" +"but this"', "-phrase(not this) +phrase(but this)"],
    ["+must -not", "+words(must) -words(not)"],
    ["-foo-bar", "-phrase(foo bar)"],
    ["rep* +rep* -rep*", "prefix(rep) +prefix(rep) -prefix(rep)"],
    ["foo-bar*", "words(foo bar)"],
    [
      "FROM:Ann to:ben cc:c subject:s filename:f.pdf in:Inbox topic:3",
      "+from(ann) +to(ben) +cc(c) +subject(s) +filename(f pdf) +mailbox(inbox) +topic(3)",
    ],
    ["id:<a.1@x.example> -ID:b@x.example", "+id() -id()"],
    ["id:<> id:", "words(id) words(id)"],
    ['-from:"ann lee" has:Attachments', "-from(ann lee) +has(attachment)"],
    ["has:wings from: :x re:plan", "words(has wings) words(from) words(x) words(re plan)"],
    ['from:... from:""', "words(from) words(from)"],
    ["after:soon -before:2001", "words(after soon) words(before 2001)"],
    ["http://example.org/a", "words(http example org a)"],
    ['say"hello there', "words(say hello) words(there)"],
    ['- + " *', ""],
    ["山 山*", "prefix(山) prefix(山)"],
  ])("%s", (query, expected) => {
    expect(brief(query)).toBe(expected);
  });

  it("takes the narrowest of several dates", () => {
    const { clauses, after, before } = parseQuery("after:2001 after:2001-05-14 before:2001-06 before:2002-01-01");
    expect(clauses).toEqual([]);
    expect(new Date(after).toISOString()).toBe("2001-05-14T00:00:00.000Z");
    expect(new Date(before).toISOString()).toBe("2001-06-30T23:59:59.999Z");
  });

  it("takes an id as it is written, without angle brackets", () => {
    const ids = parseQuery('id:<a.1@x.example> id:"<B 2@x.example>" id:c<3>').clauses;
    expect(ids.map((clause) => (clause.kind === "field" ? clause.text : ""))).toEqual([
      "a.1@x.example",
      "B 2@x.example",
      "c<3>",
    ]);
  });

  it("reads a bounded number of clauses", () => {
    expect(parseQuery("w ".repeat(1000)).clauses).toHaveLength(MAX_CLAUSES);
  });

  it("never throws, and yields no clause without tokens but that of an id", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 60 }),
        fc.constantFrom("", "+", "-", '"', "from:", "after:"),
        (text, head) => {
          for (const clause of parseQuery(`${head}${text}`).clauses)
            if (clause.kind !== "field" || clause.field !== "id") expect(clause.tokens.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 500 },
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
  ])("%j is none", (text) => {
    expect(parseDateSpan(text)).toBeNull();
  });
});
