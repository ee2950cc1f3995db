import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEnvelope } from "../envelope/envelope.ts";
import { readExportedNames } from "./exported-names.ts";
import { parseHeaderBlock } from "./header-block.ts";

function namesOf(...lines: readonly string[]): readonly string[] | null {
  const fields = parseHeaderBlock(Buffer.from(`${lines.join("\n")}\n\n`, "latin1"));
  return readExportedNames(fields, readEnvelope(fields));
}

const TO_TWO = "To: jane.doe@org.com, rick@org.com";

describe("names that an export stores separately", () => {
  it.each([
    ["a name alone", "Jane M Doe", "Jane M Doe"],
    ["a Notes path behind it", "Jane Doe <Jane Doe/HOU/ORG@OrgXGate>", "Jane Doe"],
    ["a directory name, shortened", "Doe, Jane </o=Org/ou=NA/cn=Recipients/cn=Jdoe>", "Doe, Jane </O=ORG/CN=JDOE>"],
    ["quotes and the address", `"Doe, Jane" <JANE.DOE@org.com>`, "Doe, Jane"],
    ["quotes of both kinds", `"'Jane Doe'" <jane.doe@org.com>`, "Jane Doe"],
    ["an encoded word", "=?utf-8?Q?J=C3=A9anne_Doe?= <x/y>", "Jéanne Doe"],
    ["the address over again", "Jane.Doe@org.com", null],
    ["the address in quotes", `"'jane.doe@org.com'" <jane.doe@org.com>`, null],
    ["the address of somebody else", "Rick Roe <rick@org.com>", null],
    ["nothing", "", null],
  ])("reads %s", (_, written, name) => {
    expect(namesOf("From: jane.doe@org.com", `X-From: ${written}`)).toEqual(name === null ? null : [name]);
  });

  it("aligns lists with the addresses by position", () => {
    expect(namesOf(TO_TWO, "X-To: Jane Doe, Rick Roe")).toEqual(["Jane Doe", "Rick Roe"]);
    expect(namesOf(TO_TWO, "X-To: Doe, Jane </O=ORG/CN=JDOE>, Roe, Rick </O=ORG/CN=RROE>")).toEqual([
      "Doe, Jane </O=ORG/CN=JDOE>",
      "Roe, Rick </O=ORG/CN=RROE>",
    ]);
    expect(namesOf(TO_TWO, "X-To: Doe, Jane <a/b>; Rick Roe")).toEqual(["Doe, Jane", "Rick Roe"]);
    expect(namesOf(TO_TWO, `X-To: "Doe, Jane" <Jane.Doe@org.com>, 'Roe, Rick' <rick@org.com>`)).toEqual([
      "Doe, Jane",
      "Roe, Rick",
    ]);
    expect(namesOf(TO_TWO, "X-To: Jane Doe <a/b>, rick@org.com")).toEqual(["Jane Doe", ""]);
  });

  it("reads another address next to a name that the address is made of", () => {
    expect(namesOf(TO_TWO, "X-To: Jane Doe <jd@mill.example>, Roe, Rick <rr@mill.example>")).toEqual([
      "Jane Doe <jd@mill.example>",
      "Roe, Rick <rr@mill.example>",
    ]);
    expect(namesOf(TO_TWO, "X-To: Jane Poe <jp@mill.example>, Rick Roe")).toBeNull();
    expect(namesOf(TO_TWO, "X-To: jane.doe@x.example <jd@mill.example>, Rick Roe")).toBeNull();
  });

  it("ignores names that do not fit the addresses", () => {
    expect(namesOf(TO_TWO, "X-To: Ann Poe, Jane Doe, Rick Roe")).toBeNull();
    expect(namesOf(TO_TWO, "X-To: Doe, Jane, Roe, Rick")).toBeNull();
    expect(namesOf(TO_TWO, "X-To: Rick Roe <rick@org.com>, Jane Doe <jane.doe@org.com>")).toBeNull();
    expect(namesOf("X-To: Jane Doe")).toBeNull();
  });

  it("keeps the order From, To, Cc, Bcc, and existing names", () => {
    expect(
      namesOf(
        "From: Ann <ann@org.com>",
        TO_TWO,
        "Cc: c@org.com",
        "Bcc: d@org.com",
        "X-From: Ann Poe",
        "X-cc: Cy Coe",
        "X-bcc: Di Lee",
      ),
    ).toEqual(["", "", "", "Cy Coe", "Di Lee"]);
  });

  it("is one text for each address, and never throws", () => {
    const piece = fc.constantFrom(
      "Doe",
      "Jane",
      ",",
      ";",
      "<",
      ">",
      '"',
      "'",
      "\\",
      " ",
      "a@b.c",
      "/O=ORG",
      "/CN=X",
      "=?utf-8?Q?=3C?=",
      "@ORG",
    );
    const written = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), written, (count, text) => {
        const to = Array.from({ length: count }, (_, at) => `p${at}@org.com`).join(", ");
        const names = namesOf(`To: ${to}`, `X-To: ${text}`, `X-From: ${text}`);
        if (names !== null) expect(names).toHaveLength(count);
      }),
      { numRuns: 500 },
    );
  });

  it.each(["'", '"', "<", "a,", "a <", "'x' <", `"'`, "Doe, ", "'a<"])(
    "reads a long field of %j in one pass",
    (unit) => {
      const field = unit.repeat(Math.floor(200_000 / unit.length));
      const names = namesOf(`To: ${"p@q.r,".repeat(2_000)}`, `X-To: ${field}`);
      // No interpretation has as many entries as there are addresses.
      expect(names).toBeNull();
    },
  );
});
