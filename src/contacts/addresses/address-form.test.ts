import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fewPages } from "../../../test/pages-in-memory.ts";
import { addressKey, normalAddress } from "./address-form.ts";
import { findOrganizations } from "./organization.ts";

const organizations = findOrganizations(
  new Map([
    ["acme.com", 90],
    ["ect.acme.com", 4],
    ["acme.net", 5],
    ["x.org", 1],
  ]),
  fewPages(),
);

describe("addressKey", () => {
  it.each([
    ["  Ann@X.ORG ", "ann@x.org"],
    ["ann@x.org", "ann@x.org"],
    ["Ａnn@x.org", "ann@x.org"],
    ["/O=ACME/CN=RECIPIENTS/CN=JDOE", "/o=acme/cn=recipients/cn=jdoe"],
  ])("folds %j to %j", (email, key) => expect(addressKey(email)).toBe(key));

  it("is idempotent on anything", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => addressKey(addressKey(text)) === addressKey(text)),
    );
  });
});

describe("normalAddress", () => {
  it.each([
    ["ann@x.org", "smtp", "ann@x.org", "none"],
    ["ann'.'doe@acme.com", "smtp", "ann.doe@acme.com", "quotes"],
    ["'ann'@x.org", "smtp", "ann@x.org", "quotes"],
    ['"ann"@x.org', "smtp", "ann@x.org", "quotes"],
    ["..ann.@x.org", "smtp", "ann@x.org", "quotes"],
    ["k..doe@acme.com", "smtp", "k..doe@acme.com", "none"],
    ["jane.o'hara@acme.com", "smtp", "jane.o'hara@acme.com", "none"],
    ["ann+lists@x.org", "smtp", "ann@x.org", "tag"],
    ["a.n.n@gmail.com", "smtp", "ann@gmail.com", "gmail"],
    ["ann@googlemail.com", "smtp", "ann@gmail.com", "gmail"],
    ["a.n.n+shop@googlemail.com", "smtp", "ann@gmail.com", "tag"],
    ["ann@acme", "smtp", "ann@acme.com", "completed"],
    ["ann@ect", "smtp", "ann@acme.com", "completed"],
    ["ann@nowhere", "smtp", "ann@nowhere", "none"],
    ["/o=acme/ou=na/cn=recipients/cn=jdoe", "x500", "/o=acme/ou=na/cn=recipients/cn=jdoe", "none"],
    ["'/o=acme/cn=recipients/cn=jdoe'@acme.com", "x500", "/o=acme/cn=recipients/cn=jdoe", "quotes"],
    [
      "imceaex-_o=acme_ou=na_cn=recipients_cn=jdoe@acme.com",
      "x500",
      "/o=acme/ou=na/cn=recipients/cn=jdoe",
      "encapsulated",
    ],
    ["imceaex-_o=acme_cn=a+2eb+5fc@acme.com", "x500", "/o=acme/cn=a.b_c", "encapsulated"],
    ["imceanotes-jane+20doe_hou_ees+40ees+40acme@acme.com", "notes", "jane doe/hou/ees@ees@acme", "encapsulated"],
    ["imceasmtp-ann+40x+2eorg@acme.com", "smtp", "ann@x.org", "encapsulated"],
    ["jane doe/hou/ect@ect", "notes", "jane doe/hou/ect@ect", "none"],
    ["e-mail <.john@acme.com", "malformed", "e-mail <.john@acme.com", "none"],
    ["ann", "malformed", "ann", "none"],
    ["@x.org", "malformed", "@x.org", "none"],
    ["''@x.org", "malformed", "''@x.org", "none"],
    ["/o=acme", "malformed", "/o=acme", "none"],
  ])("%s is %s %s (%s)", (key, form, text, respelling) => {
    expect(normalAddress(key, organizations)).toEqual({ form, text, respelling });
  });

  it("never throws, and is idempotent: the normal form of a mailbox is its own normal form", () => {
    const key = fc
      .string({ unit: fc.constantFrom(..."ab'\".+@/<= imcea-o", "gmail.com", "imceasmtp-", "+40") })
      .map(addressKey);
    fc.assert(
      fc.property(key, (text) => {
        const normal = normalAddress(text, organizations);
        if (normal.form !== "smtp" || normal.text.startsWith("imcea")) return;
        expect(normalAddress(normal.text, organizations).text).toBe(normal.text);
      }),
    );
  });

  it("reads a long hostile address without delay", () => {
    const form = (key: string) => normalAddress(key, organizations).form;
    expect([form(`${"'".repeat(1_000)}@x.org`), form("a@".repeat(100_000)), form("+".repeat(1_000_000))]).toEqual([
      "malformed",
      "malformed",
      "malformed",
    ]);
  });
});
