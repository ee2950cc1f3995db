import { describe, expect, it } from "vitest";
import { nestedMessages } from "../../../test/nested-messages.ts";
import { parseMessage } from "../parse-message.ts";
import { MIME_FINDINGS } from "../syntax/findings.ts";
import { decodeBytes } from "./body-content.ts";
import { MAX_NESTING_DEPTH, MAX_PARTS, type MimeEntity, readStructure } from "./structure.ts";

const bytesOf = (...lines: readonly string[]): Buffer => Buffer.from(lines.join("\n"), "latin1");

/** Media type of each leaf with its body. */
function leaves(bytes: Buffer): readonly string[] {
  const found: string[] = [];
  const stack: MimeEntity[] = [readStructure(bytes)];
  for (let entity = stack.pop(); entity !== undefined; entity = stack.pop()) {
    if (entity.children.length > 0) stack.push(...entity.children.toReversed());
    else found.push(`${entity.mediaType}|${decodeBytes(entity).toString("latin1")}`);
  }
  return found;
}

describe("readStructure", () => {
  it("returns byte ranges", () => {
    const bytes = bytesOf(
      "Content-Type: multipart/mixed; boundary=x",
      "",
      "--x",
      "Content-Id: <i>",
      "",
      "body",
      "--x--",
      "",
    );
    const part = readStructure(bytes).children[0]!;
    expect([part.contentId, part.mediaType, bytes.toString("latin1", part.start, part.end)]).toEqual([
      "i",
      "text/plain",
      "Content-Id: <i>\n\nbody",
    ]);
  });

  it.each([
    ["a delimiter with text behind it", ["--x and more", "", "a", "--x-- the end", "epilogue"], ["text/plain|a"]],
    ["delimiters with blanks behind", ["--x  ", "", "a", "--x\t", "", "b", "--x--"], ["text/plain|a", "text/plain|b"]],
    ["no delimiter inside a longer word", ["--x", "", "a", "--xy", "--x--"], ["text/plain|a\n--xy"]],
    [
      "parts without header or body",
      ["--x", "--x", "", "--x", "", "b", "--x--"],
      ["text/plain|", "text/plain|", "text/plain|b"],
    ],
    ["CRLF before a delimiter", ["--x", "", "a\r", "--x--"], ["text/plain|a"]],
    ["a missing end", ["--x", "", "a"], ["text/plain|a"]],
  ])("reads %s", (_, body, expected) => {
    expect(leaves(bytesOf("Content-Type: multipart/mixed; boundary=x", "", ...body))).toEqual(expected);
  });

  it("closes children at a parent's boundary", () => {
    const inner = ["Content-Type: multipart/alternative; boundary=y", "", "--y", "", "a"];
    expect(
      leaves(bytesOf("Content-Type: multipart/mixed; boundary=x", "", "--x", ...inner, "--x", "", "b", "--x--")),
    ).toEqual(["text/plain|a", "text/plain|b"]);
  });

  it("prefers the longest of several boundaries with the same prefix", () => {
    const inner = ['Content-Type: multipart/mixed; boundary="a----"', "", "--a----", "", "body", "--a------"];
    expect(leaves(bytesOf('Content-Type: multipart/mixed; boundary="a--"', "", "--a--", ...inner, "--a----"))).toEqual([
      "text/plain|body",
    ]);
  });

  it("reads the messages of a digest", () => {
    const read = readStructure(
      bytesOf("Content-Type: multipart/digest; boundary=x", "", "--x", "", "Subject: a", "", "b", "--x--"),
    );
    expect(read.children.map((part) => [part.mediaType, part.children[0]?.mediaType])).toEqual([
      ["message/rfc822", "text/plain"],
    ]);
  });

  it.each([
    ["a text", "Content-Type: text/plain", "Hello", ["text/plain|Hello\n", "text/html|b"]],
    ["a preamble for old readers", "Content-Type: text/plain", "This is a message in MIME format.", ["text/html|b"]],
    ["nothing", "Content-Type: text/plain", "", ["text/html|b"]],
    ["another multipart", "Content-Type: multipart/mixed; boundary=y", "Hello", ["text/html|b"]],
  ])("finds %s whose boundary line was lost", (_, second, text, expected) => {
    const header = ["Content-Type: multipart/alternative; boundary=x", second, "Content-Transfer-Encoding: 7bit", ""];
    const bytes = bytesOf(...header, text, "", "--x", "Content-Type: text/html", "", "b", "--x--");
    expect(leaves(bytes)).toEqual(expected);
    const isFound = expected.length > 1;
    expect(parseMessage(bytes).findings.map(({ code }) => code)).toEqual(isFound ? ["delimiter-missing"] : []);
  });

  const PLAIN = [
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: quoted-printable",
    "",
    "a =3D b",
  ];
  const HTML = ["Content-Type: text/html", "", "<p>a = b</p>"];
  const MIXED = ["Content-Type: multipart/mixed; boundary=x", ""];

  it.each([
    ["two texts", ["", "--x-y", ...PLAIN, "--x-y", ...HTML, "--x-y--"], "multipart/alternative"],
    ["a first line with one dash", ["-__x", ...PLAIN, "--__x", ...HTML, "--__x--"], "multipart/alternative"],
    [
      "a preamble",
      ["This is a multi-part message in MIME format.", "", "--x", ...PLAIN, "--x", ...HTML, "--x--"],
      "multipart/alternative",
    ],
    [
      "a preamble in another language",
      ["Dies ist eine Nachricht im MIME-Format.", "", "--x", ...PLAIN, "--x", ...HTML, "--x--"],
      "multipart/alternative",
    ],
    ["a text and a file", ["----x", ...PLAIN, "----x", "content-disposition: attachment", "", "f"], "multipart/mixed"],
  ])("reads the parts of an undeclared multipart: %s", (_, body, expected) => {
    const bytes = bytesOf("Subject: a", "", ...body);
    expect([readStructure(bytes).mediaType, leaves(bytes)[0]]).toEqual([expected, "text/plain|a = b"]);
    expect(parseMessage(bytes).textBody?.trim()).toBe("a = b");
    expect(parseMessage(bytes).findings.map(({ code }) => code)).toContain("multipart-not-named");
  });

  it.each([
    ["a boundary that does not come again", [], ["--x", ...PLAIN, "--y--"]],
    ["a rule above words", [], ["--x", "content of the parcel", "", "--x"]],
    ["a quoted message", [], ["MIME mail failed:", "", "To: a", "", "--x", ...PLAIN, "--x--"]],
    ["words above the boundary", [], ["Bounced:", "", "--x", ...PLAIN, "--x--"]],
    ["a file", ["Content-Disposition: attachment"], ["--x", ...PLAIN, "--x--"]],
    ["an encoded text", ["Content-Transfer-Encoding: quoted-printable"], ["--x", ...PLAIN, "--x--"]],
  ])("does not read text as a multipart: %s", (_, header, body) => {
    const { mediaType, children } = readStructure(bytesOf("Subject: a", ...header, "", ...body));
    expect([mediaType, children]).toEqual(["text/plain", []]);
  });

  it.each([
    ["a misspelled type", ["Content-Type: mulitpart/mixed; boundary=x", "", "--x", ...PLAIN, "--x--"]],
    ["a blank line before the header of a part", [...MIXED, "--x", "", ...PLAIN, "--x--"]],
    ["a part after the end", [...MIXED, "--x", "", "first", "--x--", "--x", ...PLAIN, "--x--"]],
    [
      "a boundary cut at a semicolon",
      ["Content-Type: multipart/mixed; boundary=x;1", "", "--x;1", ...PLAIN, "--x;1--"],
    ],
    ["a blank line before the type", ["", ...MIXED, "--x", ...PLAIN, "--x--"]],
  ])("reads the parts of a damaged multipart: %s", (_, lines) => {
    expect(leaves(bytesOf("Subject: a", ...lines)).at(-1)).toBe("text/plain|a = b");
  });

  it("leaves a part after the end to an enclosing multipart with the same boundary", () => {
    const inner = ["Content-Type: message/rfc822", "", ...MIXED, "--x", ...PLAIN, "--x--"];
    const root = readStructure(bytesOf("Subject: a", ...MIXED, "--x", ...inner, "--x", ...HTML, "--x--"));
    expect(root.children.map(({ mediaType }) => mediaType)).toEqual(["message/rfc822", "text/html"]);
  });

  it("has a sentence for every finding", () => {
    for (const [code, message] of Object.entries(MIME_FINDINGS))
      expect([/^[a-z0-9-]+$/.test(code), message.length > 10]).toEqual([true, true]);
  });
});

/** A test hangs or runs out of memory if time or space grows faster than the input. */
describe("hostile structure", () => {
  const codes = (bytes: Buffer): readonly string[] => parseMessage(bytes).findings.map((finding) => finding.code);
  const nested = (count: number): Buffer =>
    Buffer.from(
      Array.from({ length: count }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`).join(""),
    );

  it.each([3000, 100_000])("stops opening %d nested multiparts", (count) => {
    const read = parseMessage(nested(count));
    expect(read.findings.map(({ code }) => code)).toContain("nesting-too-deep");
    let depth = 0;
    for (
      let entity: MimeEntity | undefined = readStructure(nested(count));
      entity !== undefined;
      entity = entity.children[0]
    )
      depth++;
    expect(depth).toBe(MAX_NESTING_DEPTH + 1);
  });

  it("keeps parts above the limit as one", () => {
    const bytes = Buffer.from(`Content-Type: multipart/mixed; boundary=b\n\n${"--b\n\npart\n".repeat(50_000)}`);
    expect(codes(bytes)).toContain("too-many-parts");
    const { children } = readStructure(bytes);
    expect([children.length, children.at(-1)!.end]).toEqual([MAX_PARTS, bytes.length]);
  });

  it("follows 20,000 nested messages only so deep", () => {
    const message = parseMessage(Buffer.from(`${"Content-Type: message/rfc822\n\n".repeat(20_000)}\nhi`));
    expect([...nestedMessages(message)].length).toBe(50);
  });

  it.each([
    ["one field of 3 MB", `Subject: ${"x".repeat(3e6)}`],
    ["many fields", "X-A: b\n".repeat(400_000)],
    ["many folds", `Subject: a\n${" b\n".repeat(500_000)}`],
    ["stray carriage returns", `Subject: ${"a\r".repeat(1_000_000)}`],
    ["very many recipients", `To: ${"Some Name <name@example.org>, ".repeat(45_000)}`],
    ["opened quotes", `To: ${'"'.repeat(1_000_001)}`],
    ["opened comments", `To: ${"(".repeat(1_000_000)}`],
    ["comments", `To: ${"a()".repeat(400_000)}`],
    ["opened brackets", `To: ${"<a".repeat(500_000)}`],
    ["colons", `To: ${"a:".repeat(500_000)}`],
    ["opened words", `Subject: ${"=?a?q?x".repeat(150_000)}`],
    ["opened words in addresses", `To: ${"=?a?q?x".repeat(150_000)}`],
    ["opened ids", `References: ${"<".repeat(1_000_000)}`],
    ["parameters", `Content-Type: a/b${"; a=b".repeat(200_000)}`],
  ])("reads a header of %s", (_, field) => {
    expect(parseMessage(Buffer.from(`${field.trimEnd()}\n\nbody`)).textBody ?? "body").toBe("body");
  });

  it.each([
    "begin 644 a\n",
    "=ybegin line\n",
    "begin-base64 644 a\nQ2F0\n",
    "(This file must be converted with BinHex\n",
    "--\n",
    "--x\n",
    "=",
    "= \t",
    "a=",
    "> ",
  ])("reads a body of %j only", (piece) => {
    for (const field of [
      "X: y",
      "Content-Transfer-Encoding: base64",
      "Content-Transfer-Encoding: quoted-printable",
      "Content-Type: multipart/mixed",
    ]) {
      const message = parseMessage(Buffer.from(`${field}\n\n${piece.repeat(50_000)}`));
      expect(message.textBody !== null || message.attachments.length > 0).toBe(true);
    }
  });
});
