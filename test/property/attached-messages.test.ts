import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { messageLines } from "../../src/cli/reading/format-message.ts";
import type { Archive } from "../../src/mail/archive.ts";
import type { ExtractionOptions } from "../../src/mail/records/provenance.ts";
import { partOf } from "../../src/originals/part-of-original.ts";
import { scratchDirectory } from "../e2e/cli.ts";
import { ALL_FORMATS } from "../extraction-request.ts";
import { extractInline, withArchive } from "./extraction.ts";

const scratch = scratchDirectory("attached-messages");

interface Part {
  readonly type: string;
  readonly filename?: string;
  readonly content: string;
  readonly isEncoded?: true;
}

/** A message with a text and attached parts. */
function mail(subject: string, text: string, parts: readonly Part[]): string {
  const boundary = `b-${subject.replaceAll(" ", "")}`;
  const rendered = parts.map(({ type, filename, content, isEncoded }) =>
    [
      `--${boundary}`,
      `Content-Type: ${type}`,
      ...(filename === undefined ? [] : [`Content-Disposition: attachment; filename="${filename}"`]),
      ...(isEncoded ? ["Content-Transfer-Encoding: base64"] : []),
      "",
      isEncoded ? Buffer.from(content).toString("base64") : content,
    ].join("\r\n"),
  );
  return [
    "From: Ida Brook <ida@quay.example>",
    "To: jon@quay.example",
    "Date: Wed, 01 Jan 2003 12:00:10 +0000",
    `Message-ID: <${boundary}@quay.example>`,
    `Subject: ${subject}`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    `--${boundary}`,
    "Content-Type: text/plain",
    "",
    text,
    ...rendered,
    `--${boundary}--`,
    "",
  ].join("\r\n");
}

const ROPE: Part = { type: "text/plain", filename: "rope.txt", content: "halyard", isEncoded: true };
const TIDE: Part = { type: "application/pdf", filename: "tide.pdf", content: "not a pdf", isEncoded: true };
const INNER = mail("Inner", "zephyr to ann@quay.example", [TIDE]);
const MIDDLE = mail("Middle", "the sextant", [ROPE, { type: "message/rfc822", content: INNER }]);
const OUTER = mail("Outer", "see below", [
  { type: "application/octet-stream", filename: "kept.eml", content: MIDDLE, isEncoded: true },
]);

let runs = 0;
async function extracted<T>(
  messages: readonly string[],
  options: Partial<ExtractionOptions>,
  look: (archive: Archive, output: string) => Promise<T>,
): Promise<T> {
  runs++;
  const directory = join(scratch, `${runs}`);
  mkdirSync(directory);
  for (const [at, message] of messages.entries()) writeFileSync(join(directory, `${at}.eml`), message);
  const output = join(scratch, `${runs}-out`);
  await extractInline([directory], output, options, { ...ALL_FORMATS });
  return withArchive(output, (archive) => look(archive, output));
}

describe("messages attached to messages", () => {
  it.each([false, true])(
    "are found under the message, with their files (attachment text: %s)",
    async (attachmentText) => {
      await extracted([OUTER], { attachmentText }, async (archive, output) => {
        for (const query of [
          ...["zephyr", "sextant", '"Middle"', "attachment:zephyr", "filename:rope.txt", "filename:tide", "type:pdf"],
          ...["type:message", "has:attachment"],
        ])
          expect(await archive.search.matching(query), query).toEqual(["msg-000001"]);
        expect(await archive.search.matching("halyard")).toHaveLength(attachmentText ? 1 : 0);
        const [message] = await archive.messages.getMany(["msg-000001"]);
        expect(message!.attachments.map(({ filename, attachedMessage }) => [filename, attachedMessage])).toEqual([
          ["kept.eml", null],
          ["rope.txt", "kept.eml"],
          ["Inner.eml", "kept.eml"],
          ["tide.pdf", "kept.eml/Inner.eml"],
        ]);
        const stats = await archive.stats();
        expect(stats.totalAttachments).toBe(4);
        expect(messageLines(message!, true).join("\n").replaceAll(/\s+/g, " ")).toContain(
          "tide.pdf (9 bytes, in kept.eml/Inner.eml)",
        );
        const document = JSON.parse(readFileSync(join(output, "extraction.json"), "utf8"));
        expect(document.messages[0].attachments[3].attached_message).toBe("kept.eml/Inner.eml");
        const original = { state: "available", bytes: Buffer.from(OUTER), isExact: true } as const;
        for (const { sha256 } of message!.attachments) {
          const file = await partOf(
            original,
            { kind: "attachment", sha256 },
            { charset: null, files: undefined as never },
          );
          expect(file.state).toBe("available");
        }
      });
    },
  );

  it("are redacted", async () => {
    await extracted([OUTER], { redact: ["email"] }, async (archive) => {
      expect(await archive.search.matching("zephyr")).toHaveLength(1);
      const texts = await archive.messages.fileTexts("msg-000001");
      expect(texts.join("\n")).toContain("zephyr to [REDACTED:email]");
      expect(texts.join("\n")).not.toContain("ann@quay.example");
      expect(await archive.search.matching('attachment:"ann@quay.example"')).toEqual([]);
    });
  });

  it("do not make duplicates different messages", async () => {
    const other = OUTER.replace("Message-ID: <b-Outer", "Message-ID: <b-Copy");
    await extracted([OUTER, other], {}, async (archive) => {
      expect((await archive.stats()).totalMessages).toBe(1);
    });
  });
});
