import { describe, expect, it } from "vitest";
import { parseMessage } from "../parse-message.ts";
import { collapseBytes, trimBytes, withoutBlanks } from "./byte-text.ts";

describe("byte text", () => {
  it("trims ASCII white space only", () => {
    expect(trimBytes("\t\v a b\xa0 \r\n")).toBe("a b\xa0");
    expect(collapseBytes(" a \t b\xa0\n c ")).toBe("a b\xa0 c");
    expect(withoutBlanks("a \xa0\tb")).toBe("a\xa0b");
    expect([trimBytes(""), trimBytes(" \n")]).toEqual(["", ""]);
  });

  it.each(["à", "Р", "voilà", "СССР", "丠", "ꀠ"])("keeps UTF-8 that ends in the byte 0xA0: %s", (word) => {
    const lines = [
      `Subject: ${word}`,
      `From: "${word}" <a@site.example>`,
      `To: ${word} <b@site.example>, ${word}  ${word} <c@site.example>, <${word}@site.example>`,
      `Cc: d@site.example (${word}), ${word}`,
      `Message-ID: <${word} ${word}@site.example>`,
      `Content-Type: application/octet-stream; name=${word}; x="${word}"`,
      "",
      "x",
    ];
    const { envelope, attachments } = parseMessage(Buffer.from(lines.join("\n")));
    expect([envelope.subject, envelope.from?.name, envelope.messageId]).toEqual([
      word,
      word,
      `${word}${word}@site.example`,
    ]);
    expect(envelope.to.map(({ name }) => name)).toEqual([word, `${word} ${word}`, ""]);
    expect([envelope.to[2]?.email, ...envelope.cc.map(({ name }) => name)]).toEqual([
      `${word}@site.example`,
      word,
      word,
    ]);
    expect(attachments.map((part) => part.filename)).toEqual([word]);
  });

  it("removes a no-break space around a decoded name", () => {
    const { envelope } = parseMessage(Buffer.from("From: \u00a0Ann\u00a0 <a@site.example>\nSubject: x\u00a0\n\n"));
    expect([envelope.from?.name, envelope.subject]).toEqual(["Ann", "x"]);
  });
});
