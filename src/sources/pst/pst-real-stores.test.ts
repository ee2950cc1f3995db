import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { keptItemsOf } from "../../../test/kept-items.ts";
import { realData } from "../../../test/real-data.ts";
import type { Message } from "../../mail/records/message.ts";
import { parseMessage } from "../../mime/parse-message.ts";
import type { SourceItem } from "../reading/source.ts";
import { pst } from "./pst.ts";

const PSTS = realData("pst");
const TREE = realData("enron-14-custodians/lokay-m");
const squeeze = (text: string | null): string => (text ?? "").replace(/\s+/g, " ").trim();

async function itemsOf(path: string): Promise<readonly SourceItem[]> {
  const opened = await pst.open(path, { password: null, skipProtected: false });
  return keptItemsOf(opened.units());
}

/** Known changes that the two releases of this mailbox made to its messages; the rest must agree. */
describe.skipIf(PSTS === null || TREE === null)("the mailbox that exists as PST and as mail tree", () => {
  const pairs: { readonly ours: Message; readonly theirs: Message }[] = [];
  let unmatched = 0;

  beforeAll(async () => {
    const bySubject = new Map<string, Message[]>();
    for (const entry of readdirSync(TREE!, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const message = parseMessage(readFileSync(join(entry.parentPath, entry.name)));
      const key = squeeze(message.envelope.subject);
      bySubject.set(key, [...(bySubject.get(key) ?? []), message]);
    }
    for (const item of await itemsOf(join(PSTS!, "pst-extractor-enron-lokay.pst"))) {
      if (item.kind !== "object") continue;
      const same = bySubject.get(squeeze(item.message.envelope.subject)) ?? [];
      const apart = (message: Message): number =>
        Math.abs((message.envelope.sentAt ?? 0) - item.message.envelope.sentAt!);
      const [theirs] = same.filter((message) => isSameText(item.message, message)).sort((a, b) => apart(a) - apart(b));
      if (theirs === undefined) unmatched++;
      else pairs.push({ ours: item.message, theirs });
    }
  });

  /** The PST release adds a notice to each text; the file tree lost all non-ASCII characters. */
  function isSameText(ours: Message, theirs: Message): boolean {
    const letters = (text: string | null): string =>
      squeeze(text)
        .replace(/\s?\*{5,} EDRM.*$/s, "")
        .replace(/[^a-zA-Z0-9]/g, "");
    const [left, right] = [letters(ours.textBody), letters(theirs.textBody)];
    return left === right || (left.length > 1000 && right.startsWith(left.slice(0, 1000)));
  }

  it("has most of its messages in both, with one text", () => {
    expect(pairs.length + unmatched).toBe(71);
    expect(pairs.length).toBeGreaterThanOrEqual(60);
  });

  it("has equal dates in both, except for whole hours, because the releases used other zones", () => {
    for (const { ours, theirs } of pairs) {
      const hours = (ours.envelope.sentAt! - theirs.envelope.sentAt!) / 3_600_000;
      expect(Math.abs(hours), ours.envelope.subject).toBeLessThan(24);
      expect(hours % 1, ours.envelope.subject).toBe(0);
    }
  });

  it("has equal senders if the PST has an SMTP address", () => {
    let compared = 0;
    for (const { ours, theirs } of pairs) {
      const { from } = ours.envelope;
      const isSmtp = from !== null && /^[^/]+@[^@]+\.[^@]+$/.test(from.email) && !from.email.startsWith("IMCEA");
      // The file tree wrote addresses it did not understand as `40enron@enron.com` or `no.address@enron.com`.
      if (!isSmtp || /^(40enron|no\.address|.*\.enron)@/.test(theirs.envelope.from!.email)) continue;
      expect(from.email.toLowerCase()).toBe(theirs.envelope.from!.email.toLowerCase());
      compared++;
    }
    expect(compared).toBeGreaterThanOrEqual(40);
  });
});

describe.skipIf(PSTS === null)("the exports another reader's tests expect", () => {
  const EXPORTS: readonly (readonly [string, string])[] = [
    ["hiraoka-hello-cjk.pst", "Hello CJK.pst.export"],
    ["hiraoka-msg-in-msg-in-msg.pst", "msgInMsgInMsg.pst.export"],
    ["hiraoka-three-items.pst", "threeItems.pst.export"],
  ];

  it.each(EXPORTS)("%s", async (store, exported) => {
    const root = join(PSTS!, "hiraoka-exports", exported);
    const items = await itemsOf(join(PSTS!, store));
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".nested.eml"),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const nid = Number.parseInt(file.replace(/^.*\/|\.nested\.eml$/g, ""), 10);
      const item = items.find(({ location }) => location === `nid:${nid.toString(16)}`);
      if (item?.kind !== "object") throw new Error(`no message ${nid}`);
      const expected = parseMessage(readFileSync(join(root, file)));
      // In our paths, the top folder appears only for its direct items.
      const folder = relative(root, join(root, file)).split("/").slice(0, -1);
      expect(item.mailbox).toBe(folder.length > 1 ? folder.slice(1).join("/") : folder[0]);
      expectSame(item.message, expected);
    }
  });

  /** Subject, text, attachments by name and bytes, and attached messages in the same form. */
  function expectSame(ours: Message, theirs: Message): void {
    const waiting = [{ ours, theirs }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [left, right] = [next.ours, next.theirs];
      expect(left.envelope.subject).toBe(right.envelope.subject);
      expect(squeeze(left.textBody)).toBe(squeeze(right.textBody));
      expect(left.attachments.map(({ filename }) => filename).sort()).toEqual(
        right.attachments.map(({ filename }) => filename).sort(),
      );
      for (const part of left.attachments) {
        const twin = right.attachments.find(({ filename }) => filename === part.filename)!;
        if (part.mediaType !== "message/rfc822") expect(Buffer.compare(part.bytes(), twin.bytes())).toBe(0);
        else
          waiting.push({
            ours: parseMessage(Buffer.from(part.bytes())),
            theirs: parseMessage(Buffer.from(twin.bytes())),
          });
      }
    }
  }

  it.each([
    ["hiraoka-contacts.pst", "contacts.pst.export"],
    ["hiraoka-contacts-97-2002-ansi.pst", "contacts97-2002.pst.export"],
  ])("%s: the contact, Shift-JIS or Unicode", async (store, exported) => {
    const root = join(PSTS!, "hiraoka-exports", exported);
    const file = readdirSync(root, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(".vcf"))!;
    const card = new Map(
      readFileSync(join(root, file), "utf8")
        .split(/\r?\n/)
        .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]),
    );
    const [item] = await itemsOf(join(PSTS!, store));
    if (item?.kind !== "item") throw new Error("no contact");
    const { fields } = item.item;
    expect(item.mailbox).toBe(file.split("/")[1]);
    expect(fields["display_name"]).toBe(card.get("FN"));
    expect(`${fields["surname"]};${fields["given_name"]};${fields["middle_name"]}`).toBe(
      card.get("N")!.split(";").slice(0, 3).join(";"),
    );
    expect(`${fields["company"]};${fields["department"]}`).toBe(card.get("ORG"));
    expect(fields["job_title"]).toBe(card.get("TITLE"));
    expect(fields["business_phone"]).toBe(card.get("TEL;WORK;VOICE"));
    expect(fields["home_phone"]).toBe(card.get("TEL;HOME;VOICE"));
    expect(fields["mobile_phone"]).toBe(card.get("TEL;CELL;VOICE"));
    expect(fields["business_fax"]).toBe(card.get("TEL;WORK;FAX"));
    expect(fields["email_1"]).toBe(card.get("EMAIL;PREF;INTERNET"));
    expect(
      [fields["street"], fields["city"], fields["state"], fields["postal_code"], fields["country"]].join(";"),
    ).toBe(card.get("ADR;WORK;PREF"));
    expect([fields["web_page"], fields["business_home_page"]]).toContain(card.get("URL;WORK"));
  });
});

describe.skipIf(PSTS === null)("an OST of Outlook 2013", () => {
  it("has creation and change times of every appointment from the folder tables", async () => {
    const items = await itemsOf(join(PSTS!, "pst-extractor-outlook2013-4k.ost"));
    const entries = items.flatMap((item) => (item.kind === "appointment" ? [item.entry] : []));
    expect(entries.length).toBeGreaterThan(160);
    expect(entries.filter(({ createdAt, updatedAt }) => createdAt === null || updatedAt === null)).toEqual([]);
  });
});
