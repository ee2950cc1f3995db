import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAddressList } from "./address-list.ts";
import { simpleAddresses } from "./simple-addresses.ts";

/** `name|email` of each address, which is easy to read in a table. */
const read = (field: string): readonly string[] =>
  parseAddressList(Buffer.from(field).toString("latin1")).map(({ name, email }) => `${name}|${email}`);

describe("parseAddressList", () => {
  it("reads an at sign and a backslash inside two-byte characters as parts of them", () => {
    // "ァ表" <a@b.c>
    const name = Buffer.from("8340955c", "hex").toString("latin1");
    expect(parseAddressList(`"${name}" <a@b.c>`, "shift_jis")).toEqual([{ name: "ァ表", email: "a@b.c" }]);
  });

  it.each([
    ["a bare address", "a@b.c", ["|a@b.c"]],
    ["a word in brackets before an address", "Jane <Mill> <j@x.org>", ["Jane <Mill>|j@x.org"]],
    ["an address with an invisible character", "Jane <j@x.org\u200b>", ["Jane|j@x.org"]],
    ["a list in an encoded word", "=?utf-8?Q?J=C3=A9_<j@x.org>,_a@b.c?=", ["Jé|j@x.org", "|a@b.c"]],
    ["local addresses of Unix", "root (Cron Daemon), MAILER-DAEMON (Mail)", ["Cron Daemon|root", "Mail|MAILER-DAEMON"]],
    ["a name in brackets before an address", "<Ann Reed> a@b.c, <Bo> d@e.f", ["Ann Reed|a@b.c", "Bo|d@e.f"]],
    ["an address in brackets and quotes", 'Ann <"a@b.c">', ["Ann|a@b.c"]],
    ["encoded quotes", '=?utf-8?Q?"Reed,_J=C3=A9"?= <a@b.c>', ["Reed, Jé|a@b.c"]],
    ["a name after a bracket", "<Ann Reed <a@b.c>, d@e.f", ["Ann Reed|a@b.c", "|d@e.f"]],
    ["brackets that are not closed", "<Ann <a@b.c, Bo Lee <d@e.f>, c@d.e", ["Ann|a@b.c", "Bo Lee|d@e.f", "|c@d.e"]],
    ["a canonical name of Notes", "CN=Ann Reed/O=MILL@mill.example", ["Ann Reed|CN=Ann Reed/O=MILL@mill.example"]],
    ["paths of UUCP", "mcvax!ukc!ann (Ann Reed), quay!ben", ["Ann Reed|mcvax!ukc!ann", "|quay!ben"]],
    [
      "names with an exclamation mark",
      "Hello! World, Yahoo! Groups, Quay!",
      ["Hello! World|", "Yahoo! Groups|", "Quay!|"],
    ],
    ["a quoted name with a comma", '"Doe, Jane" <j@x.org>', ["Doe, Jane|j@x.org"]],
    ["an unquoted name with a comma", "Doe, Jane <j@x.org>", ["Doe, Jane|j@x.org"]],
    [
      "two unquoted names with commas",
      "Doe, Jane <j@x.org>, Roe, Rick <r@x.org>",
      ["Doe, Jane|j@x.org", "Roe, Rick|r@x.org"],
    ],
    ["a name alone before an address", "Jane, r@x.org", ["Jane|", "|r@x.org"]],
    ["names only", "Jane Doe, Rick Roe", ["Jane Doe|", "Rick Roe|"]],
    ["semicolons", "a@b.c; Jane <j@x.org>; d@e.f", ["|a@b.c", "Jane|j@x.org", "|d@e.f"]],
    ["a group", "Team: a@b.c, Jane <j@x.org>;, d@e.f", ["|a@b.c", "Jane|j@x.org", "|d@e.f"]],
    ["an empty group", "undisclosed-recipients:;", []],
    ["a name in a comment", "a@b.c (Jane Doe)", ["Jane Doe|a@b.c"]],
    ["a nested comment", "a@b.c (Jane (Jo) Doe)", ["Jane (Jo) Doe|a@b.c"]],
    ["single quotes", "'kaminski@aol.com'", ["|kaminski@aol.com"]],
    ["single quotes in brackets", "'Jane Doe' <'j@x.org'>", ["Jane Doe|j@x.org"]],
    ["no commas", "a@b.c d@e.f", ["|a@b.c", "|d@e.f"]],
    ["brackets without commas", "<a@b.c> <d@e.f>", ["|a@b.c", "|d@e.f"]],
    ["a name without brackets", "Jane Doe j@x.org", ["Jane Doe|j@x.org"]],
    ["an address in double quotes", '"a@b.c"', ["|a@b.c"]],
    ["an unterminated quote", '"Jane Doe <j@x.org>', ["Jane Doe|j@x.org"]],
    ["an unterminated bracket", "Jane <j@x.org, b@c.d", ["Jane|j@x.org", "|b@c.d"]],
    ["an unterminated comment", "Jane (home <j@x.org>", ["Jane home|j@x.org"]],
    ["doubled brackets", "Jane <<j@x.org>>", ["Jane|j@x.org"]],
    ["an encoded word that hides brackets", "=?utf-8?Q?Mill_<?= <j@x.org>", ["Mill <|j@x.org"]],
    ["a route", "<@r.x,@s.y:a@b.c>", ["|a@b.c"]],
    ["an address inside a quoted local part", '"<a@evil>"@b.c', ['|"<a@evil>"@b.c']],
    ["a forged address in the name", '"boss@x.org" <thief@y.org>', ["boss@x.org|thief@y.org"]],
    ["an encoded name with a comma", "=?utf-8?Q?Doe,_J=C3=BCrg?= <j@x.org>", ["Doe, Jürg|j@x.org"]],
    ["name and address in one encoded word", "=?utf-8?Q?J=C3=BCrg_<j@x.org>?=", ["Jürg|j@x.org"]],
    ["raw UTF-8", "Jürg <j@x.org>", ["Jürg|j@x.org"]],
    ["an X.500 name", "Doe, Jane </O=ACME/CN=JDOE>", ["Doe, Jane|/O=ACME/CN=JDOE"]],
    ["one with blanks, also folded", "J </O=ACME PIKE/OU=FIRST\r\n  SITE/CN=J>", ["J|/O=ACME PIKE/OU=FIRST SITE/CN=J"]],
    ["escapes in quotes", '"a \\"b\\" c" <a@b.c>', ['a "b" c|a@b.c']],
    ["blanks in an address", "<j @ x . org>", ["|j@x.org"]],
    ["an address of Notes", "Jane  Doe/HOU/ECT@ECT", ["Jane Doe|Jane Doe/HOU/ECT@ECT"]],
    ["an address of Notes in brackets", "JD <CN=Jane Doe/O=ECT @ECT>", ["JD|CN=Jane Doe/O=ECT@ECT"]],
    [
      "addresses of Notes",
      "Jane Doe/ECT@ECT, Jo Lee Roe/NA/Mill@Mill",
      ["Jane Doe|Jane Doe/ECT@ECT", "Jo Lee Roe|Jo Lee Roe/NA/Mill@Mill"],
    ],
    ["an address of Notes behind a gateway", "Jane Doe/HOU/ECT%ECT@x.org", ["Jane Doe|Jane Doe/HOU/ECT%ECT@x.org"]],
    ["a name before an address with a slash", "Jane Doe j/d@x.org", ["Jane Doe|j/d@x.org"]],
    ["empty brackets", "Jane <>", ["Jane|"]],
    ["nothing", " , ;,", []],
  ])("reads %s", (_, field, expected) => {
    expect(read(field)).toEqual(expected);
  });

  it.each([
    ['"\x1b$BF|K\\8l$N%a!<%k\x1b(B" <a@b.example>', "日本語のメール"],
    ['\x1b$B$"$,<>\x1b(B <a@b.example>', "あが湿"],
    ['"\x1b$BF|\x1b(B \\"x\\"" <a@b.example>', '日 "x"'],
    ['"\x1b$BF <a@b.example>', expect.anything()],
  ])("reads raw ISO-2022-JP: %j", (field, name) => {
    expect(parseAddressList(field)).toEqual([{ name, email: "a@b.example" }]);
  });

  it("reads back its own output", () => {
    const address = fc.record({
      name: fc.stringMatching(/^[A-Za-z][A-Za-z .]{0,10}[A-Za-z]$/).map((name) => name.replace(/ +/g, " ")),
      email: fc.stringMatching(/^[a-z0-9.+-]{1,8}@[a-z0-9]{1,8}\.[a-z]{2,3}$/),
    });
    fc.assert(
      fc.property(fc.array(address, { maxLength: 6 }), (addresses) => {
        const field = addresses.map(({ name, email }) => `"${name}" <${email}>`).join(", ");
        expect(parseAddressList(field)).toEqual(addresses);
      }),
    );
  });

  it("limits the number of names and addresses", () => {
    expect(parseAddressList(":x".repeat(200_000))[0]!.name.length).toBeLessThan(70_000);
    expect(parseAddressList("a@b.example;".repeat(120_000))).toHaveLength(100_000);
    expect(parseAddressList(`${"<a@b.example, ".repeat(120_000)}>`)).toHaveLength(100_000);
    expect(parseAddressList(`${"<a ".repeat(200_000)}>`)[0]!.name.length).toBeLessThan(70_000);
    expect(simpleAddresses("a@b.example,".repeat(120_000), 0, 12 * 120_000)).toHaveLength(100_000);
  });
});

describe("groups", () => {
  const ann = { name: "", email: "ann@mill.example" };
  it.each([
    "Team: ann@mill.example;",
    '"Mill Team": ann@mill.example;',
    "team@mill.example: ann@mill.example;",
    '"team@mill.example": ann@mill.example;',
    "'team@mill.example': ann@mill.example;",
    "Mill Team team@mill.example: ann@mill.example;",
    "<team@mill.example>: ann@mill.example;",
    "Team <team@mill.example>: ann@mill.example;",
    "Team (team@mill.example): ann@mill.example;",
    "=?utf-8?Q?team=40mill.example?=: ann@mill.example;",
  ])("have a name without an address: %s", (field) => {
    expect(parseAddressList(field)).toEqual([ann]);
  });

  it.each([
    ["<Undisclosed-Recipient:@mail.example;>", [{ name: "Undisclosed-Recipient", email: "" }]],
    ["<undisclosed-recipients:>", [{ name: "undisclosed-recipients", email: "" }]],
    ["All Quay Staff@MILL", [{ name: "All Quay Staff", email: '"All Quay Staff"@MILL' }]],
    ["Ann Reed REED@QUAYVM", [{ name: "Ann Reed", email: "REED@QUAYVM" }]],
    ["Hidden <Undisclosed-Recipient:;>", [{ name: "Hidden", email: "" }]],
    ["<Team: ann@mill.example;>", [ann]],
    ['"Undisclosed-Recipient:@mail.example;"', [{ name: "Undisclosed-Recipient:@mail.example;", email: "" }]],
    ["Undisclosed-Recipient:@mail.example;", []],
    ["unlisted-recipients:; (no To-header on input)", []],
    ["<ann@mill.example;>", [ann]],
    ['"ann@mill.example;"', [ann]],
    ['<"Team:;"@mill.example>', [{ name: "", email: '"Team:;"@mill.example' }]],
  ])("without members, or in brackets, are not addresses: %s", (field, expected) => {
    expect(parseAddressList(field)).toEqual(expected);
  });

  it("may be empty and may have neighbors", () => {
    expect(parseAddressList("team@mill.example:;")).toEqual([]);
    expect(parseAddressList("ann@mill.example, team@mill.example: ;")).toEqual([ann]);
  });

  it("do not begin at a colon that no semicolon follows", () => {
    expect(parseAddressList("ann@mill.example:25")[0]!.email).toContain("ann@mill.example");
    expect(parseAddressList("mailto:ann@mill.example; mailto:bo@mill.example").map(({ email }) => email)).toEqual([
      "mailto:ann@mill.example",
      "mailto:bo@mill.example",
    ]);
  });

  it("reads the comment after the last address as its name", () => {
    expect(parseAddressList("ann@mill.example ben@mill.example (Ben Quay)")).toEqual([
      { name: "", email: "ann@mill.example" },
      { name: "Ben Quay", email: "ben@mill.example" },
    ]);
  });
});
