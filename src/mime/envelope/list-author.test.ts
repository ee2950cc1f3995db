import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMessage } from "../parse-message.ts";

const LIST = ["List-Post: <mailto:weavers@lists.example>", "List-Id: Weavers <weavers.lists.example>"];
const read = (...fields: readonly string[]) => parseMessage(Buffer.from([...fields, "", "text", ""].join("\n")));
const authorOf = (...fields: readonly string[]) => read(...fields).envelope.from;
const ANN = { name: "Ann Reed", email: "ann@mill.example" };

describe("the author of list mail", () => {
  it("is the Reply-To address that is not the list", () => {
    const from = "From: Ann Reed via Weavers <weavers@lists.example>";
    expect(authorOf(...LIST, from, "Reply-To: Ann Reed <ann@mill.example>")).toEqual(ANN);
    expect(authorOf(...LIST, from, "Reply-To: Weavers <weavers@lists.example>, Ann Reed <ann@mill.example>")).toEqual(
      ANN,
    );
    expect(authorOf(...LIST, from, "Reply-To: ann@mill.example"), "with the name of From").toEqual(ANN);
  });

  it("is X-Original-From, or else the name alone", () => {
    const from = "From: 'Ann Reed' via Weavers <weavers@lists.example>";
    const toList = "Reply-To: weavers@lists.example";
    expect(authorOf(...LIST, from, toList, "X-Original-From: Ann Reed <ann@mill.example>")).toEqual(ANN);
    expect(authorOf(...LIST, from, toList)).toEqual({ name: "Ann Reed", email: "" });
    expect(authorOf("From: Weavers on behalf of Ann Reed <weavers@lists.example>")).toEqual({
      name: "Ann Reed",
      email: "",
    });
  });

  it("is the Cc address with the name in From, if replies go to the list", () => {
    const from = "From: Ann Reed via Weavers <weavers@lists.example>";
    const toList = "Reply-To: weavers@lists.example";
    expect(authorOf(...LIST, from, toList, "Cc: Bo Lund <bo@mill.example>, Ann Reed <ann@mill.example>")).toEqual(ANN);
    expect(authorOf(...LIST, from, toList, "Cc: Bo Lund <bo@mill.example>")).toEqual({ name: "Ann Reed", email: "" });
  });

  it.each(["X-MailFrom", "X-eGroups-From", "X-Sender", "X-Envelope-From", "X-Google-Original-From"])(
    "is the person in %s",
    (field) => {
      const from = "From: Ann Reed via Weavers <weavers@lists.example>";
      expect(authorOf(...LIST, from, `${field}: ann@mill.example`)).toEqual(ANN);
      expect(authorOf(...LIST, `${field}: ann@mill.example`)).toEqual({ ...ANN, name: "" });
      expect(authorOf(...LIST, "From: Bo Lund <bo@mill.example>", `${field}: ann@mill.example`)?.name).toBe("Bo Lund");
      for (const address of [
        "weavers-bounces@lists.example",
        "b+ann=mill.example@esp.example",
        "weavers@lists.example",
      ])
        expect(authorOf(...LIST, from, `${field}: ${address}`)).toEqual({ ...ANN, email: "" });
      expect(authorOf(`${field}: noreply@mill.example`)).toBe(null);
    },
  );

  it("is the address in the display name", () => {
    const toList = "Reply-To: weavers@lists.example";
    expect(authorOf(...LIST, 'From: "ann@mill.example" <weavers@lists.example>', toList)).toEqual({ ...ANN, name: "" });
    const own = 'From: "weavers@lists.example" <weavers@lists.example>';
    expect(authorOf(...LIST, own, "Reply-To: Ann Reed <ann@mill.example>")).toEqual(ANN);
    expect(authorOf(...LIST, own, toList)?.email).toBe("weavers@lists.example");
  });

  it("is in an address that a list rewrote", () => {
    const list = "List-Id: <weavers.groups.example>";
    expect(authorOf(list, "From: Ann Reed <ann@mill.example.INVALID>")).toEqual(ANN);
    expect(authorOf(list, "From: Ann Reed via Weavers <ann=mill.example@groups.example>")).toEqual(ANN);
    const yahoo = 'From: "Ann Reed ann@mill.example [weavers]" <weavers-noreply@groups.example>';
    expect(authorOf(list, yahoo)).toEqual(ANN);
    expect(authorOf(yahoo.replace("-noreply", ""))).toEqual(ANN);
    for (const from of ["ann@mill.example.invalid", "ann=mill.example@groups.example"])
      expect(authorOf(`From: ${from}`)?.email).toBe(from);
  });

  it("is not an automated service", () => {
    const from = "From: Ann Reed via Forum <noreply@forum.example>";
    const author = { name: "Ann Reed", email: "" };
    expect(authorOf(from, "Reply-To: Forum <reply+1@forum.example>", "List-Id: <forum.example>")).toEqual(author);
    expect(authorOf(from, "Reply-To: Reed, Ann <ann@mill.example>", "List-Id: <forum.example>")?.email).toBe(ANN.email);
  });

  it("is X-Original-Sender in Google Groups", () => {
    const from = "From: 'Ann Reed' via Weavers <weavers@lists.example>";
    expect(authorOf(...LIST, from, "X-Original-Sender: ann@mill.example")).toEqual(ANN);
  });

  it("is the address in the name", () => {
    const from = "From: ann@mill.example via Weavers <weavers@lists.example>";
    const nameless = { name: "", email: "ann@mill.example" };
    expect(authorOf(...LIST, from, "Reply-To: weavers@lists.example")).toEqual(nameless);
    expect(authorOf(...LIST, from, "Cc: ann@mill.example")).toEqual(nameless);
    expect(authorOf(...LIST, from, "Reply-To: ann@mill.example")).toEqual(nameless);
  });

  it("is decoded from a DMARC address of a list", () => {
    expect(authorOf(...LIST, "From: Ann Reed <ann=40mill.example@dmarc.lists.example>")).toEqual(ANN);
    expect(authorOf("From: Ann Reed <ann=2Bweb=40mill.example@dmarc.lists.example>")?.email).toBe(
      "ann+web@mill.example",
    );
    expect(authorOf("From: Ann Reed <ann=40mill.example@lists.example>")?.email).toBe(
      "ann=40mill.example@lists.example",
    );
  });

  it("is detected by List-Id alone", () => {
    expect(
      authorOf(
        "List-Id: <weavers.lists.example>",
        "From: Weavers <weavers@lists.example>",
        "Reply-To: Ann Reed <ann@mill.example>",
      ),
    ).toEqual(ANN);
  });

  it("is the name alone if the public archive removed all addresses", () => {
    const from = "From: weavers at lists.example (Ann Reed)";
    const bare = read(from, "Subject: Re: [Weavers] looms");
    expect([bare.envelope.from, bare.listAddress]).toEqual([{ name: "Ann Reed", email: "" }, "weavers@lists.example"]);
    const nameless = read("From: weavers at lists.example (weavers at lists.example)", "Subject: [weavers] looms");
    expect([nameless.envelope.from?.email, nameless.listAddress]).toEqual([
      "weavers@lists.example",
      "weavers@lists.example",
    ]);
    const own = { name: "Ann Reed", email: "weavers@lists.example" };
    for (const subject of ["looms", "[looms] new", "Are [weavers] right?"])
      expect(authorOf(from, `Subject: ${subject}`), subject).toEqual(own);
    expect(authorOf(from, "Subject: [weavers] looms", "To: bo@mill.example"), "it went to somebody").toEqual(own);
  });

  it("is From in all other mail", () => {
    const own = { name: "Weavers", email: "weavers@lists.example" };
    expect(authorOf(...LIST, "From: Weavers <weavers@lists.example>"), "the list itself").toEqual(own);
    expect(authorOf(...LIST, "From: Ann Reed <ann@mill.example>", "Reply-To: weavers@lists.example")).toEqual(ANN);
    expect(authorOf("From: Ann Reed <ann@mill.example>", "Reply-To: Bo Lund <bo@mill.example>")).toEqual(ANN);
    expect(authorOf("From: Viola Reed <viola@mill.example>")).toEqual({
      name: "Viola Reed",
      email: "viola@mill.example",
    });
  });

  it("keeps the original From, and reports the list", () => {
    const { findings, listAddress } = read(
      ...LIST,
      "From: Ann Reed via Weavers <weavers@lists.example>",
      "Reply-To: ann@mill.example",
    );
    expect(listAddress).toBe("weavers@lists.example");
    expect(findings).toEqual([
      {
        code: "from-of-list",
        message: "From was Ann Reed via Weavers <weavers@lists.example>; the author was read from other fields",
      },
    ]);
    expect(read("List-Post: NO", "From: ann@mill.example").listAddress).toBeNull();
  });

  it("accepts any fields", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", " via ", "<", ">", "@", "mailto:", "on behalf of ", "'", ".", "é"),
      maxLength: 40,
    });
    fc.assert(
      fc.property(
        text,
        text,
        text,
        (from, post, reply) =>
          void read(`From: ${from}`, `List-Post: ${post}`, `List-Id: ${post}`, `Reply-To: ${reply}`),
      ),
    );
  });
});

describe("an address that Pipermail hides", () => {
  it("is restored", () => {
    expect(authorOf("From: ann at mill.example (Ann Reed)")).toEqual(ANN);
    expect(authorOf("From: ann.reed at mail.mill.example")).toEqual({ name: "", email: "ann.reed@mail.mill.example" });
  });
  it("can be in parentheses instead of a name", () => {
    expect(authorOf("From: ann at mill.example (ann@mill.example)")?.email).toBe("ann@mill.example");
  });
  it("is not read from words", () => {
    expect(authorOf("From: Ann at mill.example <ann.reed@sea.example>")?.email).toBe("ann.reed@sea.example");
    expect(authorOf("From: Ann at Mill")?.email).not.toContain("@");
    expect(authorOf("From: somebody at the mill.example office")?.email).not.toContain("@");
  });
});
