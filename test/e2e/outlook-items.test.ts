import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROPERTY_SET } from "../../src/properties/named-properties.ts";
import { PID } from "../../src/properties/property-ids.ts";
import { integer, text, time } from "../pst-writer/property-writer.ts";
import { buildStore, patternBytes } from "../pst-writer/sample-store.ts";
import { mailProperties } from "../pst-writer/store-writer.ts";
import { archivetool, scratchDirectory } from "./cli.ts";
import { command } from "./command.ts";

const scratch = scratchDirectory("outlook-items");
const STORE = join(scratch, "ann.pst");
const PLAN = patternBytes(9000, 3);
const MORE = patternBytes(500, 4);

/**
 * A store with a mail, a contact, a note, and an appointment with attachments.
 * @param plan the content of two attachments with the same name
 */
function writeStore(plan: Buffer): void {
  const created = time(PID.creationTime, Date.UTC(2024, 0, 1));
  const attached = (name: string, data: Buffer) => ({ properties: [text(PID.attachLongFilename, name)], data });
  const bytes = buildStore({ layout: "unicode", encoding: "permute" }, (store) => {
    const inbox = store.addFolder("Inbox");
    const private_ = store.addFolder("Private");
    store.addMessage(inbox, {
      properties: mailProperties({ subject: "Grain", body: "b", sentAt: 0, from: "bo@mill.example" }),
    });
    const address = store.named({ set: PROPERTY_SET.address, name: 0x8083 });
    const contact = [
      text(PID.messageClass, "IPM.Contact"),
      text(PID.displayName, "Bo Lund"),
      text(address, "bo@mill.example"),
      text(0x3a16, "Grain and Sons"),
      text(0x3a17, "Miller"),
      text(0x3a08, "555 0101"),
      text(0x3a1c, "555 0100"),
      created,
    ];
    store.addMessage(private_, { properties: [...contact, text(PID.subject, "Bo Lund")] });
    const note = "# No heading\r\n- no list\r\n<b>no tag</b> [[no link]]";
    store.addMessage(private_, {
      properties: [
        text(PID.messageClass, "IPM.StickyNote"),
        text(PID.subject, "# [[x]] <i>"),
        text(PID.body, note),
        created,
      ],
    });
    const start = time(store.named({ set: PROPERTY_SET.appointment, name: 0x820d }), Date.UTC(2024, 0, 1));
    store.addMessage(private_, {
      properties: [text(PID.messageClass, "IPM.Appointment"), text(PID.subject, "Planning"), start, created],
      attachments: [attached("../plan.bin", plan), attached("../PLAN.bin", MORE)],
    });
  });
  writeFileSync(STORE, bytes);
}

interface Item {
  readonly id: string;
  readonly kind: string;
  readonly fields: Readonly<Record<string, string>>;
}

interface Extracted {
  readonly items: readonly Item[];
  readonly calendar_events: readonly {
    readonly id: string;
    readonly attachments: readonly { readonly path: string | null }[];
  }[];
}

function extractAll(output: string, ...flags: readonly string[]): Extracted {
  const run = archivetool("-q", "extract", STORE, "-o", output, "--json", ...flags);
  expect(run.exitCode, run.stderr).toBe(0);
  return JSON.parse(readFileSync(join(output, "extraction.json"), "utf8")) as Extracted;
}

function extract(output: string, ...flags: readonly string[]): readonly Item[] {
  return extractAll(output, ...flags).items;
}

const savedIn = (output: string): readonly string[] =>
  existsSync(join(output, "wiki/attachments"))
    ? readdirSync(join(output, "wiki/attachments"), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".bin"))
        .sort()
    : [];

describe("messages of Outlook", () => {
  it("have their kind, sender and author, and are found by them", async () => {
    const output = join(scratch, "kinds");
    const mail = (subject: string, ...more: ReturnType<typeof mailProperties>) => ({
      properties: [
        ...mailProperties({ subject, body: subject, sentAt: 0, from: "ann@mill.example" }).filter(
          ({ id }) => !more.some((other) => other.id === id),
        ),
        ...more,
      ],
    });
    const bytes = buildStore({ layout: "unicode", encoding: "permute" }, (store) => {
      const inbox = store.addFolder("Inbox");
      store.addMessage(
        inbox,
        mail("Grain", text(PID.senderName, "Office"), text(PID.senderEmail, "office@mill.example")),
      );
      store.addMessage(inbox, mail("Undelivered", text(PID.messageClass, "REPORT.IPM.Note.NDR")));
      const { properties } = mail("Signed", text(PID.messageClass, "IPM.Note.SMIME.MultipartSigned"));
      const entity = "Content-Type: multipart/signed; boundary=b\r\n\r\n--b\r\n\r\nBring the sacks\r\n--b--\r\n";
      store.addMessage(inbox, {
        properties: properties.filter(({ id }) => id !== PID.body),
        attachments: [{ properties: [text(PID.attachMimeTag, "multipart/signed")], data: Buffer.from(entity) }],
      });
    });
    writeFileSync(join(scratch, "kinds.pst"), bytes);
    expect(archivetool("-q", "extract", join(scratch, "kinds.pst"), "-o", output, "--json").exitCode).toBe(0);
    const { messages } = JSON.parse(readFileSync(join(output, "extraction.json"), "utf8")) as {
      readonly messages: readonly { readonly kind: string; readonly sender: { readonly email: string } | null }[];
    };
    expect(messages.map(({ kind, sender }) => [kind, sender?.email])).toEqual([
      ["mail", "office@mill.example"],
      ["non_delivery_report", undefined],
      ["signed", undefined],
    ]);
    expect(messages[2]).toMatchObject({ body: "Bring the sacks", attachments: [] });
    const page = readFileSync(join(output, "emails/all.md"), "utf8");
    expect(page.match(/^- \*\*Kind\*\* .*$/gm)).toEqual(["- **Kind** non delivery report", "- **Kind** signed"]);
    expect(page.match(/^- \*\*Sent by\*\* .*on behalf of the above$/gm)).toHaveLength(1);
    const found = async (query: string): Promise<string> => (await command("search", output, query)).stdout;
    expect(await found("kind:non-delivery-report")).toContain("Undelivered");
    expect(await found("kind:report")).toContain("Undelivered");
    expect(await found("kind:delivery_report")).not.toContain("Undelivered");
    expect(await found("-is:mail")).not.toContain("Grain");
  });
});

describe("links as attachments", () => {
  const path = join(scratch, "links.pst");
  const target = "https://files.mill.example/personal/ann@mill.example/quay.docx";

  interface Linked {
    readonly messages: readonly { readonly attachments: readonly Readonly<Record<string, unknown>>[] }[];
    readonly items: readonly { readonly fields: Readonly<Record<string, string>> }[];
  }
  function linked(name: string, ...flags: readonly string[]): Linked {
    const run = archivetool("-q", "extract", path, "-o", join(scratch, name), "--json", ...flags);
    expect(run.exitCode, run.stderr).toBe(0);
    return JSON.parse(readFileSync(join(scratch, name, "extraction.json"), "utf8")) as Linked;
  }

  it("keep their targets in every output", async () => {
    const link = (method: number, property: number, to: string) => ({
      properties: [integer(PID.attachMethod, method), text(property, to)],
    });
    const attachments = [
      link(7, PID.attachLongPathname, target),
      link(2, PID.attachPathname, "\\\\mill\\plans\\berth.doc"),
      { properties: [text(PID.attachLongFilename, "kept.txt")], data: Buffer.from("kept") },
    ];
    const bytes = buildStore({ layout: "unicode", encoding: "permute" }, (store) => {
      const inbox = store.addFolder("Inbox");
      store.addMessage(inbox, {
        properties: mailProperties({ subject: "Links", body: "b", sentAt: 0, from: "bo@mill.example" }),
        attachments,
      });
      store.addMessage(inbox, {
        properties: [text(PID.messageClass, "IPM.Task"), text(PID.subject, "Repair the quay")],
        attachments: attachments.slice(0, 1),
      });
    });
    writeFileSync(path, bytes);
    const { messages, items } = linked("links");
    expect(messages[0]!.attachments.map(({ filename, link_target }) => [filename, link_target])).toEqual([
      ["quay.docx", target],
      ["berth.doc", "\\\\mill\\plans\\berth.doc"],
      ["kept.txt", undefined],
    ]);
    expect(items[0]!.fields["attachments"]).toContain(`link to ${target})`);
    const page = readFileSync(join(scratch, "links/emails/all.md"), "utf8");
    expect(page).toMatch(
      /^- \*\*Attachment\*\* berth\.doc \(application\/msword, link to .*mill.*plans.*berth\.doc\)$/m,
    );
    expect(page).toMatch(/^- \*\*Attachment\*\* kept\.txt \(text\/plain, 4 bytes\)$/m);
    expect((await command("show", join(scratch, "links"), "msg-000001")).stdout).toMatch(/link to\s+https:/);
  });

  it("are redacted like all other text", () => {
    const { messages } = linked("links-redacted", "--redact", "email");
    expect(JSON.stringify(messages)).not.toContain("ann@mill.example");
    expect(messages[0]!.attachments[0]!["link_target"]).toMatch(/^https:\/\/files\.mill\.example\/personal\/\[/);
  });
});

describe("Outlook items other than mail", () => {
  it("are in the wiki with every field, in a list for each kind", () => {
    writeStore(PLAN);
    const output = join(scratch, "wiki");
    extract(output);
    const page = (name: string): string => readFileSync(join(output, name), "utf8");
    expect(page("index.md")).toContain("| [[items/contacts\\|Address book]] | 1 |");
    expect(readdirSync(join(output, "items")).sort()).toEqual(["contacts.md", "notes.md"]);
    expect(page("items/contacts.md")).toMatch(
      /^- \*\*email 1\*\* \[\[wiki\/contacts\/contact-\d+\|bo@mill\.example\]\]$/m,
    );
    const note = page("items/notes.md");
    expect(note).toContain("\n## \\# \\[\\[x\\]\\] \\<i\\>\n");
    expect(note).toContain(
      "\n**body**\n\n\\# No heading  \n\\- no list  \n\\<b\\>no tag\\</b\\> \\[\\[no link\\]\\]\n",
    );
    expect(page("calendar.md")).toMatch(/\| Planning \|.*\| plan\.bin, PLAN\.bin \| {2}\|$/m);
    expect(savedIn(output)).toEqual([]);
  });

  it("are found next to messages, by words and kinds, with their ids and folders", async () => {
    writeStore(PLAN);
    const output = join(scratch, "found");
    extract(output);
    const found = async (...args: readonly string[]): Promise<string> =>
      (await command("search", output, ...args)).stdout;
    const contact =
      "    Bo Lund\n    Bo Lund bo@mill.example Grain and Sons Miller 555 0101 555 0100\n    2024-01-01T00:00:00Z\n    item-000001, Private\n";
    expect(await found("person:bo")).toMatch(/^1\. .*bo@mill\.example>?\n {4}Grain\n/);
    expect(await found("person:bo")).toContain(`Also found: 1 item\n\n    2024-01-01  contact\n${contact}`);
    expect(await found("kind:event")).toBe(
      "No messages match.\nAlso found: 1 event\n\n    2024-01-01  event\n    Planning\n    plan.bin PLAN.bin\n    event-000001, Private\n\n",
    );
    expect(await found("kind:note heading")).toContain("item-000002, Private");
    const shown = await command("show", output, "item-000001");
    expect(shown.stdout).toMatch(/^Display name: +Bo Lund$/m);
    expect(await found("planning", "--after", "2024-01-02")).toBe("No messages match.\n");
    expect(await found("planning", "--sender", "bo@mill.example")).toBe("No messages match.\n");
    const { results, records } = JSON.parse(await found("kind:event planning", "--json")) as Record<string, unknown[]>;
    expect(results).toEqual([]);
    expect(records).toEqual([
      {
        ...{ id: "event-000001", kind: "event", date: "2024-01-01T00:00:00Z", subject: "Planning" },
        ...{ mailbox: "Private", snippet: "plan.bin PLAN.bin" },
      },
    ]);
  });

  it("show the address book entry of a person in the mail", async () => {
    writeStore(PLAN);
    const output = join(scratch, "address-book");
    const [card] = extract(output).filter(({ kind }) => kind === "contact");
    const { stdout } = await command("search", output, "Grain", "--json");
    const [{ from_email: email }] = (JSON.parse(stdout) as { results: [{ from_email: string }] }).results;
    expect(email).toBe("bo@mill.example");
    const { stdout: shown } = await command("show", output, "contact-000001");
    expect(shown.replace(/\s+/g, " ")).toContain(
      `Card: Bo Lund; Miller; Grain and Sons; business 555 0101; mobile 555 0100; ${card!.id}`,
    );
    expect(readFileSync(join(output, "wiki/contacts/contact-000001.md"), "utf8")).toContain(
      "| [[items/contacts\\|Bo Lund]] | Grain and Sons | Miller | business 555 0101; mobile 555 0100 |",
    );
  });

  it("are not found by redacted values", async () => {
    writeStore(PLAN);
    const output = join(scratch, "redacted-search");
    extract(output, "--redact", "email");
    const found = async (query: string): Promise<string> => (await command("search", output, query)).stdout;
    expect(await found("kind:contact")).toContain("Bo Lund");
    expect(await found("kind:contact")).not.toContain("mill.example");
    expect(await found("kind:contact mill")).toBe("No messages match.\n");
  });

  it("have no section in an archive without any", () => {
    const mail = join(scratch, "mail.mbox");
    writeFileSync(mail, "From a@b Wed Jan  1 12:00:00 2003\nFrom: a@mill.example\nSubject: s\n\nb\n");
    const output = join(scratch, "none");
    expect(archivetool("-q", "extract", mail, "-o", output).exitCode).toBe(0);
    expect(existsSync(join(output, "items"))).toBe(false);
    const index = readFileSync(join(output, "index.md"), "utf8");
    expect(index).not.toContain("Outlook items");
    expect(index).toMatch(/[^\n]\n$/);
  });

  it("leave the attachments of events to these, without those of replaced versions", () => {
    const output = join(scratch, "saved");
    mkdirSync(output);
    writeStore(PLAN);
    const pathsOf = (event: Extracted["calendar_events"][number]) => event.attachments.map(({ path }) => path!);
    const [first] = extractAll(output, "--extract-attachments").calendar_events;
    const saved = pathsOf(first!);
    expect(saved).toEqual([`wiki/attachments/${first!.id}/plan.bin`, `wiki/attachments/${first!.id}/PLAN (2).bin`]);
    expect(saved.map((path) => readFileSync(join(output, path)))).toEqual([PLAN, MORE]);
    expect(readFileSync(join(output, "calendar.md"), "utf8")).toContain(`| [[${saved[0]}\\|plan.bin]], [[`);

    // The same input again: nothing is stored twice, and saved files stay.
    const mail = join(scratch, "more.mbox");
    writeFileSync(mail, "From a@b Wed Jan  1 12:00:00 2003\nFrom: a@mill.example\nSubject: s\n\nb\n");
    expect(
      archivetool("-q", "extract", STORE, mail, "-o", output, "--incremental", "--extract-attachments").exitCode,
    ).toBe(0);
    expect(savedIn(output)).toEqual([`${first!.id}/PLAN (2).bin`, `${first!.id}/plan.bin`]);

    writeStore(Buffer.from("another plan"));
    const [second, ...others] = extractAll(output, "--incremental", "--extract-attachments").calendar_events;
    expect(others).toEqual([]);
    expect(second!.id).not.toBe(first!.id);
    expect(savedIn(output)).toEqual([`${second!.id}/PLAN (2).bin`, `${second!.id}/plan.bin`]);

    // Without the flag nothing more is saved, and saved files of unchanged items are kept.
    const third = extractAll(output, "--incremental").calendar_events;
    expect(third.map(pathsOf)).toEqual([pathsOf(second!)]);
    expect(savedIn(output)).toEqual([`${second!.id}/PLAN (2).bin`, `${second!.id}/plan.bin`]);
  });

  it("are not saved if mail is redacted", () => {
    writeStore(PLAN);
    const output = join(scratch, "redacted");
    const { items, calendar_events: events } = extractAll(output, "--redact", "email");
    expect(items.map(({ fields }) => fields["attachment_files"])).toEqual(items.map(() => undefined));
    expect(events[0]!.attachments.map(({ path }) => path)).toEqual([null, null]);
    expect(savedIn(output)).toEqual([]);
  });
});
