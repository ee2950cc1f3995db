import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { baseSubject, isCommonSubject, isGenericSubject } from "./base-subject.ts";

describe("baseSubject", () => {
  it.each([
    ["Quarterly forecast", "quarterly forecast", false],
    ["Re: Quarterly forecast", "quarterly forecast", true],
    ["RE: FW: AW: Quarterly  forecast", "quarterly forecast", true],
    ["Re[2]: budget 2003", "budget 2003", true],
    ["Re(3): budget 2003", "budget 2003", true],
    ["Re^2: budget 2003", "budget 2003", true],
    ["回复：预算", "预算", true],
    ["답장: 예산", "예산", true],
    ["SV: VS: RV: TR: Réf: Odp: Budget", "budget", true],
    ["Antw: Re: WG: Angebot", "angebot", true],
    ["[archive-dev] Re: [archive-dev] parser", "parser", true],
    ["Parser news (fwd)", "parser news", true],
    ["Re : espace insécable", "espace insécable", true],
    ["[EXTERNAL]", "[external]", false],
    ["Note: read this", "note: read this", false],
    ["Chapter 3: the end", "chapter 3: the end", false],
    ["Re:", "", true],
    ["", "", false],
  ])("%s", (subject, key, isReply) => {
    expect(baseSubject(subject)).toEqual({ key, isReply });
  });

  it("is idempotent, and removes exactly a mark added in front", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (subject) => {
        const once = baseSubject(subject);
        expect(baseSubject(`Re: ${subject}`).key).toBe(once.key);
      }),
    );
  });

  it("accepts a megabyte of marks", () => {
    expect(baseSubject("Re: ".repeat(300_000)).isReply).toBe(true);
    expect(baseSubject("[".repeat(1_000_000)).isReply).toBe(false);
  });
});

it("detects empty subjects", () => {
  for (const key of ["", "hi", "12", "??", "ok", "a - b", "..."]) expect(isGenericSubject(key), key).toBe(true);
  for (const key of ["ferc filing", "预算", "pipeline capacity 2001", "ns50", "2001", "fyi", "meeting", "(no subject)"])
    expect(isGenericSubject(key), key).toBe(false);
});

it("detects common subjects", () => {
  for (const key of ["meeting", "fyi", "(no subject)"]) expect(isCommonSubject(key), key).toBe(true);
  for (const key of ["ns50", "meeting of may 3", ""]) expect(isCommonSubject(key), key).toBe(false);
});
