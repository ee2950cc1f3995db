import { describe, expect, it } from "vitest";
import { sampleMsg } from "../../../test/msg-writer/sample-msg.ts";
import type { AttachmentPart } from "../../mail/records/message.ts";
import { NO_ITEM_FILES } from "../message/attachment-parts.ts";
import { openAttachedMessages } from "./attached-messages.ts";

function part(filename: string, content: string | Buffer, mediaType = "message/rfc822"): AttachmentPart {
  const bytes = Buffer.from(content as string);
  return { filename, mediaType, disposition: "attachment", contentId: null, linkTarget: null, bytes: () => bytes };
}

/** Nested messages with the given number of levels. */
function nested(levels: number): string {
  let inner = "Subject: last\r\n\r\nlast text\r\n";
  for (let level = levels; level > 1; level--)
    inner = `Subject: level ${level}\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment; filename=${level}.eml\r\n\r\n${inner}`;
  return inner;
}

/** Encoded, so that only opening the attachments reads it. */
function encoded(content: string): string {
  return [
    "Subject: packed",
    "Content-Type: multipart/mixed; boundary=b",
    "",
    "--b",
    "Content-Type: application/octet-stream; name=inner.eml",
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(content).toString("base64"),
    "--b--",
    "",
  ].join("\r\n");
}

const namesOf = (parts: readonly AttachmentPart[]) =>
  openAttachedMessages(parts, NO_ITEM_FILES).files.map(({ part: { filename }, attachedMessage }) => [
    filename,
    attachedMessage,
  ]);

describe("openAttachedMessages", () => {
  it("does not change files that are not messages", () => {
    const parts = [
      part("plan.pdf", "%PDF", "application/pdf"),
      part("page.mht", "Subject: page\r\n\r\npage"),
      part("zeros.eml", Buffer.alloc(100)),
    ];
    const { files, findings } = openAttachedMessages(parts, NO_ITEM_FILES);
    expect(files.map((file) => file.part)).toEqual(parts);
    expect(files.every(({ text, attachedMessage }) => text === null && attachedMessage === null)).toBe(true);
    expect(findings).toEqual([]);
  });

  it("lists files level by level, those of the message first", () => {
    expect(namesOf([part("a.eml", encoded("Subject: x\r\n\r\nx")), part("b.txt", "b", "text/plain")])).toEqual([
      ["a.eml", null],
      ["b.txt", null],
      ["inner.eml", "a.eml"],
    ]);
  });

  it("separates names that contain separators", () => {
    expect(namesOf([part("a/b.eml", encoded("Subject: x\r\n\r\nx"))])[1]).toEqual(["inner.eml", "b.eml"]);
  });

  it("opens messages that Outlook saved, and those embedded in them", () => {
    const { files } = openAttachedMessages(
      [part("saved.msg", sampleMsg(), "application/vnd.ms-outlook")],
      NO_ITEM_FILES,
    );
    expect(files.map(({ part: { filename }, attachedMessage }) => [filename, attachedMessage])).toEqual([
      ["saved.msg", null],
      ["figures.bin", "saved.msg"],
      ["Inner.eml", "saved.msg"],
      ["", "saved.msg/Inner.eml"],
    ]);
    expect(files.map(({ text }) => text !== null)).toEqual([true, false, true, false]);
  });

  it("stops at a depth, with a finding", () => {
    let content = "Subject: last\r\n\r\nlast";
    for (let level = 0; level < 30; level++) content = encoded(content);
    const { files, findings } = openAttachedMessages([part("top.eml", content)], NO_ITEM_FILES);
    expect(files).toHaveLength(9);
    expect(files.at(-1)!.text).toBeNull();
    expect(findings.map(({ code }) => code)).toEqual(["attached-message-not-read"]);
    expect(openAttachedMessages([part("top.eml", nested(200))], NO_ITEM_FILES).files.length).toBeLessThan(30);
  });

  it("stops at a number of messages, with a finding", () => {
    const { files, findings } = openAttachedMessages(
      Array.from({ length: 600 }, (_, at) => part(`${at}.eml`, `Subject: ${at}\r\n\r\nx`)),
      NO_ITEM_FILES,
    );
    expect(files.filter(({ text }) => text !== null)).toHaveLength(500);
    expect(findings).toHaveLength(1);
  });
});
