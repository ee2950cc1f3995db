import { describe, expect, it } from "vitest";
import { readEnvelope } from "../envelope/envelope.ts";
import { decodedField, fieldCount, findField, firstField, MAX_HEADER_BYTES, parseHeaderBlock } from "./header-block.ts";

const block = (text: string): ReturnType<typeof parseHeaderBlock> => parseHeaderBlock(Buffer.from(text, "latin1"));

describe("parseHeaderBlock", () => {
  it("finds fields by name in any case, in order", () => {
    const read = block("SUBJECT: one\r\nX-A : two\r\nsubject:three\r\n\r\nbody");
    expect([fieldCount(read), findField(read, "x-a"), firstField(read, "x-a"), firstField(read, "subject")]).toEqual([
      3,
      1,
      "two",
      "one",
    ]);
    expect([findField(read, "subject", 1), findField(read, "subjecs"), read.bodyStart]).toEqual([2, -1, 42]);
  });

  it.each([
    ["Subject: a\r\n\tb\r\n  c\r\n\r\n", "a b c"],
    ["Subject:\n folded\n\n", "folded"],
    ["Subject: a\r\r\n b\r\r\n\r\r\n", "a b"],
    ["Subject: \nSubject: second\n\n", "second"],
    ["Subject:: two colons\n\n", "two colons"],
    ["To: a\nbroken\nbroken\nSubject: after invalid lines\n\n", "after invalid lines"],
    ["Subject: =?utf-8?Q?a?=\n =?utf-8?Q?b?=\n\n", "ab"],
  ])("unfolds %j", (text, expected) => {
    expect(decodedField(block(text), "subject")).toBe(expected);
  });

  it.each([
    ["a header without end", "Subject: a\n", ["header-without-body"]],
    ["a line that is no field", "Subject: a\nno field here\nTo: b\n\n", ["header-line-ignored"]],
    [
      "a boundary line without a blank line before it",
      'Content-Type: multipart/mixed;\n boundary="--x"\nX-A: b\n----x\nContent-Type: text/plain\n\nhi\n----x--\n',
      ["header-without-blank-line"],
    ],
    ["a quoted header after two lines", "Subject: a\nHello\nBob\nSubject: b\n\n", ["header-without-blank-line"]],
    ["text that quotes a header", "Hello\nBob\nSubject: b\n\n", ["header-without-blank-line"]],
    ["a blank line before the type", "Subject: a\n\nContent-Type: text/html\n\n<p>", ["header-line-ignored"]],
    ["the type of another text", "Content-Type: a/b\n\nContent-Type: text/html\n\n<p>", []],
    ["words after a type", "Subject: a\n\nContent-Type: text/html\nis a field\n\n", []],
    ["a rule in a header", "Subject: boundary=\n----\nTo: b\n\n", ["header-line-ignored"]],
    ["a body without blank line", "Subject: a\nDear Bob\nhow are you\n", ["header-without-blank-line"]],
  ])("reports %s", (_, text, findings) => {
    expect(block(text).findings).toEqual(findings);
  });

  it("reads a header longer than its first windows", () => {
    const long = `X-Long: ${"x".repeat(50_000)}\nSubject: after\n\nbody`;
    expect(firstField(block(long), "subject")).toBe("after");
  });

  it("truncates a header at its limit, and continues", () => {
    const read = parseHeaderBlock(
      Buffer.concat([Buffer.from("Subject: kept\nX: "), Buffer.alloc(MAX_HEADER_BYTES, "x"), Buffer.from("\n\nbody")]),
    );
    expect([firstField(read, "subject"), read.findings]).toEqual(["kept", ["header-cut"]]);
  });
});

describe("a header over its limit", () => {
  const long = (...lines: readonly string[]): ReturnType<typeof block> & { readonly body: string } => {
    const bytes = Buffer.concat(
      lines.map((line) =>
        line.endsWith(": …")
          ? Buffer.concat([Buffer.from(line.slice(0, -1)), Buffer.alloc(MAX_HEADER_BYTES + 1, "x"), Buffer.from("\n")])
          : Buffer.from(`${line}\n`),
      ),
    );
    const read = parseHeaderBlock(bytes);
    return { ...read, body: bytes.toString("latin1", read.bodyStart) };
  };

  it("continues after a long field, and keeps its beginning", () => {
    const read = long("Subject: a", "X-Long: …", "To: b@mill.example", "Cc: …", "Date: today", "", "body");
    expect(["subject", "to", "date"].map((name) => firstField(read, name))).toEqual(["a", "b@mill.example", "today"]);
    expect(firstField(read, "x-long")).toMatch(/^x{1000}/);
    expect([read.body, read.findings]).toEqual(["body\n", ["header-cut"]]);
  });

  it("ends where it has no blank line", () => {
    const read = long("Subject: a", "X-Long: …", "To: b@mill.example", "Dear Bob", "how are you");
    expect([firstField(read, "to"), read.body]).toEqual(["b@mill.example", "Dear Bob\nhow are you\n"]);
  });

  it("ends with a field that does not end", () => {
    const read = long("Subject: a", "X-Long: …");
    expect([firstField(read, "subject"), read.body]).toEqual(["a", ""]);
  });

  it("is limited in all", () => {
    const read = long("Subject: a", ...Array.from({ length: 6 }, (_, index) => `X-${index}: …`), "", "body");
    expect(read.text.length).toBeLessThanOrEqual(MAX_HEADER_BYTES);
    expect([firstField(read, "subject"), read.findings]).toEqual(["a", ["header-cut"]]);
  });
});

describe("readEnvelope", () => {
  it("joins repeated address fields and drops mailto", () => {
    const { to } = readEnvelope(block("To: a@b.c\nTo: <mailto:d@e.f>\n\n"));
    expect(to.map(({ email }) => email)).toEqual(["a@b.c", "d@e.f"]);
  });

  it("unwraps encapsulated Exchange addresses in every field", () => {
    const notes = "IMCEANOTES-Jim+20Doe_Quay_Mill+40Mill@corp.example";
    const fields = ["From", "Sender", "Reply-To", "To", "Cc", "Bcc"].map((name) => `${name}: "Doe, Jim" <${notes}>\n`);
    const { from, sender, replyTo, to, cc, bcc } = readEnvelope(block(`${fields.join("")}\n`));
    for (const address of [from, sender, ...replyTo, ...to, ...cc, ...bcc])
      expect(address).toEqual({ name: "Doe, Jim", email: "Jim Doe/Quay/Mill@Mill" });
  });

  it("decapsulates among addresses of other forms", () => {
    const packed = "imceasmtp-ann+40mill+2Eexample@corp.example";
    const { to } = readEnvelope(block(`To: =?utf-8?q?J=C3=B3n?= <${packed}>, ida@mill.example, Ben <${packed}>\n\n`));
    expect(to.map(({ name, email }) => `${name} ${email}`)).toEqual([
      "Jón ann@mill.example",
      " ida@mill.example",
      "Ben ann@mill.example",
    ]);
  });

  it.each([
    ["Ann Reed [mailto:ann@mill.example]", [["Ann Reed", "ann@mill.example"]]],
    [
      '"Reed, Ann" [mailto:ann@mill.example]; [ben@mill.example]',
      [
        ["Reed, Ann", "ann@mill.example"],
        ["", "ben@mill.example"],
      ],
    ],
    [
      "ann@[192.0.2.1], [list] Ben <ben@mill.example>",
      [
        ["", "ann@[192.0.2.1]"],
        ["[list] Ben", "ben@mill.example"],
      ],
    ],
  ])("reads addresses in square brackets: %s", (field, expected) => {
    const { to } = readEnvelope(block(`To: ${field}\n\n`));
    expect(to.map(({ name, email }) => [name, email])).toEqual(expected);
  });

  it("uses the last hop with a readable date", () => {
    const { receivedAt } = readEnvelope(
      block("Received: from a; no date\nReceived: from b; 02 Sep 2023 04:24:06 +0200\n\n"),
    );
    expect(receivedAt).toBe(Date.UTC(2023, 8, 2, 2, 24, 6));
  });

  it("extracts ids from other text", () => {
    const envelope = readEnvelope(
      block(
        'Message-ID: 1@x.y\nIn-Reply-To: Your message of "Mon" <2@x.y>\nReferences: <3@\n x.y> <3@x.y> junk <4@x.y\n\n',
      ),
    );
    expect([envelope.messageId, envelope.inReplyTo, envelope.references]).toEqual([
      "1@x.y",
      ["2@x.y"],
      ["3@x.y", "4@x.y"],
    ]);
  });

  it.each(["Message-ID: <>\n\n", "Subject: x\n\n", "Message-ID:\n\n"])("has no id for %j", (text) => {
    expect(readEnvelope(block(text)).messageId).toBeNull();
  });

  it("has no conversation root for a short Thread-Index", () => {
    expect(readEnvelope(block("Thread-Index: AcJ2\n\n")).conversationIndexRoot).toBeNull();
  });
});
