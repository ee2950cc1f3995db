import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PID } from "../../src/properties/property-ids.ts";
import { text } from "../pst-writer/property-writer.ts";
import { buildStore } from "../pst-writer/sample-store.ts";
import { mailProperties } from "../pst-writer/store-writer.ts";
import { archivetool, scratchDirectory } from "./cli.ts";

const scratch = scratchDirectory("encapsulated-addresses");
const STORE = join(scratch, "ann.pst");
const NOTES = "IMCEANOTES-Jim+20Doe_Quay_Mill+40Mill@mill.example";
const GROUP = "IMCEANOTES-All+20Quay+40MILL@mill.example";
const SMTP = "IMCEANOTES-+22Ida+20Reed+22+20+3Cida+40quay+2Eexample+3E+40NOTES@mill.example";

/** Three mails of a Notes user, as Exchange forwards them; the second replies to the first by subject. */
function writeStore(): void {
  const mails = [
    { subject: "Grain", from: NOTES, to: SMTP },
    { subject: "Re: Grain", from: SMTP, to: NOTES },
    { subject: "Meeting of all", from: NOTES, to: GROUP },
  ];
  const bytes = buildStore({ layout: "unicode", encoding: "permute" }, (store) => {
    const inbox = store.addFolder("Inbox");
    for (const [at, { subject, from, to }] of mails.entries()) {
      const sentAt = Date.UTC(2001, 0, 2 + at);
      const header = [
        `From: <${from}>`,
        `To: <${to}>`,
        `Date: ${new Date(sentAt).toUTCString()}`,
        `Subject: ${subject}`,
        `Message-ID: <${at}@mill.example>`,
      ];
      store.addMessage(inbox, {
        properties: [
          ...mailProperties({ subject, body: `Text ${at} of the mail.`, sentAt, from }),
          text(PID.transportHeaders, `${header.join("\r\n")}\r\n\r\n`),
        ],
      });
    }
  });
  writeFileSync(STORE, bytes);
}

interface Extraction {
  readonly messages: readonly { readonly message_id: string; readonly from: unknown; readonly to: unknown }[];
  readonly contacts: readonly { readonly email: string; readonly aliases: readonly string[] }[];
  readonly threads: readonly { readonly subject: string; readonly message_count: number }[];
}

function extracted(name: string, ...sources: readonly string[]): Extraction {
  const output = join(scratch, name);
  const { exitCode, stderr } = archivetool("-q", "extract", ...sources, "-o", output, "--json", "--no-wiki");
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(readFileSync(join(output, "extraction.json"), "utf8"));
}

/** Fields in which a store and its export must agree. */
function found({ messages, contacts, threads }: Extraction) {
  return {
    messages: messages.map((message) => [message.message_id, message.from, message.to]).sort(),
    contacts: contacts.map(({ email, aliases }) => [email, ...aliases].sort().join(" + ")).sort(),
    threads: threads.map((thread) => `${thread.subject} ${thread.message_count}`).sort(),
  };
}

describe("addresses that Exchange packed into others", () => {
  it("are the same in an Outlook store and in its MBOX export", () => {
    writeStore();
    const ofStore = extracted("store", STORE);
    const mbox = join(scratch, "mail.mbox");
    const { exitCode, stderr } = archivetool("export", join(scratch, "store"), "--format", "mbox", "-o", mbox);
    expect(exitCode, stderr).toBe(0);
    expect(found(extracted("mbox", mbox))).toEqual(found(ofStore));
    expect(found(ofStore)).toMatchObject({
      contacts: ['"All Quay"@MILL', "Jim Doe/Quay/Mill@Mill", "ida@quay.example"],
      threads: ["Grain 2", "Meeting of all 1"],
    });
    const both = extracted("both", STORE, mbox);
    expect(found(both)).toEqual(found(ofStore));
  });
});
