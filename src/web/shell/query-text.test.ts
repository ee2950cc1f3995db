import { describe, expect, it } from "vitest";
import type { FacetName } from "../../mail/exploration.ts";
import { leavesOf, parseQuery } from "../../search/query/query-syntax.ts";
import {
  type ClauseText,
  choiceFromText,
  choiceOf,
  clauseTexts,
  negated,
  operatorClause,
  withChoice,
  withClause,
  withExclusion,
  withoutRange,
  withSpan,
} from "./query-text.ts";

/** Clauses as the server would return them. */
function clausesOf(q: string): readonly ClauseText[] {
  return clauseTexts(
    q,
    parseQuery(q, "all").clauses.map((clause) => ({
      start: clause.start,
      end: clause.end,
      kind: clause.kind === "field" ? clause.field : clause.kind,
      is_excluded: clause.demand === "excluded",
      is_no_operator: false,
      forms: [],
      count: 0,
    })),
  );
}

const choose = (q: string, clause: string, of: FacetName = "from"): string => withChoice(q, clausesOf(q), clause, of);
const exclude = (q: string, clause: string): string => withExclusion(q, clausesOf(q), clause);

describe("a value of a facet", () => {
  it("is added, joined to others of its kind, and taken back", () => {
    expect(choose("rope", "from:ann")).toBe("rope from:ann");
    expect(choose("rope from:ann pier", "from:ben")).toBe("rope from:ann OR from:ben pier");
    expect(choose("rope from:ann OR from:ben pier", "from:ann")).toBe("rope from:ben pier");
    expect(choose("rope from:ann", "from:ann")).toBe("rope");
    expect(choose("from:ann", "lang:de", "lang")).toBe("from:ann lang:de");
  });

  it("replaces other values of the facet, but not excluded ones", () => {
    expect(choose("rope is:undated", "on:2022", "year")).toBe("rope on:2022");
    expect(choose("after:2021-02 rope before:2021-05 -on:2021-03", "on:2022", "year")).toBe("rope -on:2021-03 on:2022");
    expect(choose("on:2021 rope", "on:2022", "year")).toBe("on:2021 OR on:2022 rope");
    expect(choose("in:inbox rope", "mailbox:Sent", "mailbox")).toBe("rope mailbox:Sent");
  });

  it("remains a condition when joined to others", () => {
    const { clauses } = parseQuery(choose("rope from:ann pier", "from:ben"), "all");
    expect(clauses.map(({ kind }) => kind)).toEqual(["words", "group", "words"]);
    expect(leavesOf(clauses)).toHaveLength(4);
  });

  it("is excluded from any state", () => {
    expect(exclude("rope", "from:ann")).toBe("rope -from:ann");
    expect(exclude("rope -from:ann", "from:ann")).toBe("rope");
    expect(exclude("rope from:ann", "from:ann")).toBe("rope -from:ann");
    expect(choose("rope -from:ann", "from:ann")).toBe("rope from:ann");
  });

  it("is found in the query", () => {
    const clauses = clausesOf('rope -from:ann mailbox:"Sent Items" lang:de OR lang:fr');
    expect(
      ["from:ann", 'mailbox:"Sent Items"', "lang:fr", "lang:en", ""].map((clause) => choiceOf(clauses, clause)),
    ).toEqual(["excluded", "included", "included", null, null]);
    expect(
      ["from:ann", "from:an", "lang:de", ""].map((clause) => choiceFromText("-from:ann lang:de OR lang:fr", clause)),
    ).toEqual(["excluded", null, "included", null]);
  });
});

describe("a clause", () => {
  const remove = (q: string, index: number): string => withoutRange(q, clausesOf(q)[index]!);

  it("is removed with its otherwise empty parentheses", () => {
    expect(remove("rope pier", 0)).toBe("pier");
    expect(remove("(from:ann) pier", 0)).toBe("pier");
    expect(remove('a "b c" d', 1)).toBe("a d");
    expect(remove("-(a b) c", 0)).toBe("c");
    expect(remove("((from:ann OR from:ben)) c", 0)).toBe("c");
  });

  it("is negated and back", () => {
    const negate = (q: string, index: number): string => negated(q, clausesOf(q)[index]!);
    expect(negate("rope from:ann", 1)).toBe("rope -from:ann");
    expect(negate("rope -from:ann", 1)).toBe("rope from:ann");
    expect(negate("lang:de OR lang:fr x", 0)).toBe("-(lang:de OR lang:fr) x");
    expect(negate("+rope", 0)).toBe("-rope");
  });
});

it("has one span of time", () => {
  const span = (q: string, first: string, last: string): string => withSpan(q, clausesOf(q), first, last);
  expect(span("rope", "2001-05", "2001-05")).toBe("rope on:2001-05");
  expect(span("on:2001 rope", "2001-02", "2001-05")).toBe("rope after:2001-02 before:2001-05");
  expect(span("after:2001-02 rope before:2001-05 -on:2001-03", "2001-04-01", "2001-04-01")).toBe(
    "rope -on:2001-03 on:2001-04-01",
  );
  // Half of a completely selected month: the other half is counted.
  expect(span("after:2001-05-14 rope before:2001-09", "2001-05", "2001-05")).toBe("after:2001-05-14 rope on:2001-05");
  expect(span("on:2000 OR on:2001-05", "2001-05-02", "2001-05-03")).toBe("after:2001-05-02 before:2001-05-03");
  expect(span("before:2001-05-14T10:00:00Z", "2001", "2001")).toBe("before:2001-05-14T10:00:00Z on:2001");
});

it("quotes values that need it", () => {
  expect(operatorClause("mailbox", "Sent Items")).toBe('mailbox:"Sent Items"');
  expect(operatorClause("from", "ann@x.example")).toBe("from:ann@x.example");
  expect(withClause(" ", "a")).toBe("a");
});
