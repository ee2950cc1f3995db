import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Message } from "../../src/mail/records/message.ts";
import { parseMessage } from "../../src/mime/parse-message.ts";
import { realData } from "../real-data.ts";

const mikel = realData("mime/mikel-mail");
const tika = realData("mime/tika");
const talon = realData("mime/talon");
const enron = realData("enron-14-custodians");

const messagesIn = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".eml"))
    .toSorted();

/** All texts of a message. */
function textsOf(message: Message): readonly string[] {
  const { envelope } = message;
  const people = [envelope.from, envelope.sender, ...envelope.replyTo, ...envelope.to, ...envelope.cc, ...envelope.bcc];
  return [
    envelope.subject,
    envelope.messageId ?? "",
    ...envelope.references,
    ...people.flatMap((address) => (address === null ? [] : [address.name, address.email])),
    message.textBody ?? "",
    message.htmlBody ?? "",
    ...message.attachments.map((part) => part.filename),
    ...message.calendarParts.map((part) => part.text),
  ];
}

function expectWellFormed(message: Message, name: string): void {
  for (const text of textsOf(message)) expect(text.isWellFormed() && !text.includes("\0"), name).toBe(true);
  for (const part of message.attachments) expect(part.bytes().length, name).toBeGreaterThanOrEqual(0);
}

describe.skipIf(mikel === null)("mikel-mail", () => {
  it("reads every message", () => {
    const names = messagesIn(mikel!);
    expect(names.length).toBe(104);
    let senders = 0;
    let bodies = 0;
    let undated = 0;
    for (const name of names) {
      const message = parseMessage(readFileSync(join(mikel!, name)));
      expectWellFormed(message, name);
      if (message.envelope.from?.email.includes("@") === true) senders++;
      if ((message.textBody ?? message.htmlBody ?? "").trim() !== "" || message.attachments.length > 0) bodies++;
      if (message.findings.some(({ code }) => code === "date-unreadable")) undated++;
    }
    expect([senders >= 90, bodies >= 95, undated <= 3], `${senders} ${bodies} ${undated}`).toEqual([true, true, true]);
  });

  it.each([
    ["attachment_emails/attachment_with_unquoted_name.eml", "This is a test.txt"],
    ["attachment_emails/attachment_with_quoted_filename.eml", "Eelanalüüsi päring.jpg"],
    ["attachment_emails/attachment_with_base64_encoded_name.eml", "This is a test.pdf"],
    ["attachment_emails/attachment_nonascii_filename.eml", "ciële.txt"],
    ["multi_charset/japanese_attachment.eml", "てすと.txt"],
  ])("reads the attachment name of %s", (name, filename) => {
    const message = parseMessage(readFileSync(join(mikel!, "emails", name)));
    expect(message.attachments.map((part) => part.filename)).toEqual([filename]);
  });

  it("survives damage anywhere", () => {
    // A linear congruential generator (Numerical Recipes): the same damage in every run.
    let state = 20_261_121;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (const name of messagesIn(mikel!)) {
      const whole = readFileSync(join(mikel!, name));
      for (let round = 0; round < 8; round++) {
        const bytes = Buffer.from(whole);
        for (let edit = 0; edit < 12; edit++) bytes[random(bytes.length)] = random(256);
        const cut = round % 2 === 0 ? bytes : bytes.subarray(random(bytes.length));
        expectWellFormed(parseMessage(cut), `${name} ${round}`);
      }
    }
  });
});

describe.skipIf(tika === null || talon === null)("tika and talon", () => {
  it("read every message with sender and body", () => {
    const files = [tika!, talon!].flatMap((dir) => messagesIn(dir).map((name) => join(dir, name)));
    expect(files.length).toBeGreaterThan(15);
    for (const file of files) {
      const message = parseMessage(readFileSync(file));
      expectWellFormed(message, file);
      expect((message.textBody ?? message.htmlBody ?? "").trim(), file).not.toBe("");
    }
  });
});

describe.skipIf(enron === null)("Enron mail", () => {
  it("has sender, date and id in every message, and no findings", () => {
    const dir = join(enron!, "lokay-m");
    const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBe(5568);
    let odd = 0;
    for (const file of files) {
      const { envelope, findings, textBody } = parseMessage(readFileSync(join(file.parentPath, file.name)));
      if (
        envelope.messageId === null ||
        envelope.sentAt === null ||
        envelope.from === null ||
        textBody === null ||
        findings.length > 0
      )
        odd++;
    }
    expect(odd).toBe(0);
  });
});
