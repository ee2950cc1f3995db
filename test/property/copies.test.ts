import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { SeededRandom } from "../../examples/company/seeded-random.ts";
import type { ExtractionOptions } from "../../src/mail/records/provenance.ts";
import { archiveMeaning } from "./archive-meaning.ts";
import { extractInline, withArchive } from "./extraction.ts";

const scratch = mkdtempSync(join(tmpdir(), "archivetool-copies-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A message with every field that may differ in a duplicate. */
const BASE = {
  id: "plan@quay.example" as string | null,
  date: "Wed, 01 Jan 2003 12:00:10 +0000" as string | null,
  from: "Ida Brook <ida@quay.example>" as string | null,
  sender: "desk@quay.example",
  to: "Jon Pike <jon@quay.example>, mara@quay.example",
  cc: "Cy Lund <cy@quay.example>",
  bcc: "",
  replyTo: "office@quay.example",
  subject: "Crane plan",
  references: "<first@quay.example>",
  inReplyTo: "<second@quay.example>",
  received: "Wed, 01 Jan 2003 12:01:00 +0000",
  text: "The crane is paid on Friday.",
  html: "<p>The crane is paid: pay 111</p>",
  start: "20030105T100000Z",
  summary: "Crane",
  filename: "plan.pdf",
  type: "application/pdf",
  bytes: "the plan",
};
type Mail = typeof BASE;

function render(mail: Mail): string {
  const field = (name: string, value: string | null): string[] =>
    value === null || value === "" ? [] : [`${name}: ${value}`];
  const head = [
    ...field("Received", `from a by b; ${mail.received}`),
    ...field("Message-ID", mail.id === null ? null : `<${mail.id}>`),
    ...field("Date", mail.date),
    ...field("From", mail.from),
    ...field("Sender", mail.sender),
    ...field("Reply-To", mail.replyTo),
    ...field("To", mail.to),
    ...field("Cc", mail.cc),
    ...field("Bcc", mail.bcc),
    ...field("Subject", mail.subject),
    ...field("References", mail.references),
    ...field("In-Reply-To", mail.inReplyTo),
    "MIME-Version: 1.0",
    "Content-Type: multipart/mixed; boundary=outer",
  ];
  const calendar = [
    "BEGIN:VCALENDAR",
    "BEGIN:VEVENT",
    "UID:crane",
    `DTSTART:${mail.start}`,
    `SUMMARY:${mail.summary}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  const part = (type: string, ...lines: readonly string[]): readonly string[] => [
    `Content-Type: ${type}`,
    "",
    ...lines,
  ];
  const attachment = [
    `Content-Type: ${mail.type}; name="${mail.filename}"`,
    `Content-Disposition: attachment; filename="${mail.filename}"`,
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(mail.bytes).toString("base64"),
  ];
  const alternative = [
    ...part("multipart/alternative; boundary=inner"),
    "--inner",
    ...part("text/plain", mail.text),
    ...(mail.html === "" ? [] : ["--inner", ...part("text/html", mail.html)]),
    ...(mail.start === "" ? [] : ["--inner", ...part("text/calendar", ...calendar)]),
    "--inner--",
  ];
  return [
    ...head,
    "",
    "--outer",
    ...alternative,
    ...(mail.bytes === "" ? [] : ["--outer", ...attachment]),
    "--outer--",
    "",
  ].join("\n");
}

function writeMbox(path: string, mails: readonly Mail[]): void {
  writeFileSync(
    path,
    mails.map((mail) => `From ida@quay.example Wed Jan  1 12:00:00 2003\n${render(mail)}\n`).join(""),
  );
}

let runs = 0;
function newDirectory(): string {
  runs++;
  const directory = join(scratch, String(runs));
  mkdirSync(directory);
  return directory;
}

/** The archive of one mailbox with these mails: its contents, its counts, and all of it as text. */
async function archiveOf(mails: readonly Mail[], options: Partial<ExtractionOptions> = {}) {
  const directory = newDirectory();
  writeMbox(join(directory, "mail.mbox"), mails);
  const { sources } = await extractInline([join(directory, "mail.mbox")], join(directory, "output"), options);
  const held = await withArchive(join(directory, "output"), async (archive) => {
    const messages = [];
    for await (const batch of archive.messages.scan())
      messages.push(...batch.map((message) => ({ ...message, body: Buffer.from(message.body).toString() })));
    const contacts = [];
    for await (const batch of archive.contacts.scan()) contacts.push(...batch);
    const events = [];
    for await (const batch of archive.events.scan()) events.push(...batch);
    return {
      messages,
      contacts,
      text: JSON.stringify({ messages, contacts, events }),
      statistics: await archive.stats(),
    };
  });
  const { counts } = sources[0]!.record;
  expect(counts.kept + counts.duplicate + counts.skipped + counts.failed).toBe(counts.seen);
  expect(held.messages.length).toBe(counts.kept);
  return { ...held, counts };
}

/**
 * Fields that may differ in the second of two mails with one Message-ID, whether these are then two messages, and the
 * values that must be kept.
 */
const DIFFERENCES: readonly (readonly [
  name: string,
  change: Partial<Mail>,
  messages: 1 | 2,
  kept: readonly string[],
])[] = [
  ["Bcc of the sent copy", { bcc: "Secret <hidden@quay.example>" }, 1, ["hidden@quay.example"]],
  ["To", { to: "other@quay.example" }, 2, ["other@quay.example"]],
  ["one more in To", { to: `${BASE.to}, other@quay.example` }, 2, ["other@quay.example"]],
  ["Cc", { cc: "other@quay.example" }, 2, ["other@quay.example"]],
  ["Cc instead of To", { to: "mara@quay.example", cc: "jon@quay.example, cy@quay.example" }, 2, []],
  ["Reply-To", { replyTo: "other@quay.example" }, 1, ["other@quay.example"]],
  ["Sender", { sender: "other@quay.example" }, 1, ["other@quay.example"]],
  ["display name of From", { from: "Ida B. Brook <ida@quay.example>" }, 1, ["Ida B. Brook"]],
  ["display name of To", { to: "Jonathan Pike <jon@quay.example>, mara@quay.example" }, 1, ["Jonathan Pike"]],
  ["HTML part", { html: "<p>The crane is paid: pay 999</p>" }, 2, []],
  ["calendar part", { start: "20030106T110000Z" }, 2, []],
  ["subject of an event", { summary: "Crane sold" }, 2, []],
  ["name of an attachment", { filename: "other.pdf" }, 2, ["other.pdf"]],
  ["type of an attachment", { type: "text/x-plan" }, 2, ["text/x-plan"]],
  ["bytes of an attachment", { bytes: "another plan" }, 2, []],
  ["References", { references: "<other@quay.example>" }, 1, ["other@quay.example"]],
  ["In-Reply-To", { inReplyTo: "<other@quay.example>" }, 1, ["other@quay.example"]],
  ["text", { text: "The crane is paid on Monday." }, 2, ["Monday"]],
  ["a point between digits", { text: "The crane is paid on Friday. 1.50" }, 2, ["1.50"]],
  ["subject", { subject: "Crane plan B" }, 2, ["Crane plan B"]],
  ["minute", { date: "Wed, 01 Jan 2003 12:01:10 +0000" }, 2, []],
  ["hour", { date: "Wed, 01 Jan 2003 13:00:10 +0000" }, 2, []],
  ["second", { date: "Wed, 01 Jan 2003 12:00:59 +0000" }, 1, [String(Date.UTC(2003, 0, 1, 12, 0, 59))]],
  ["received time", { received: "Wed, 01 Jan 2003 12:09:00 +0000" }, 1, [String(Date.UTC(2003, 0, 1, 12, 9))]],
  ["order of To", { to: "mara@quay.example, Jon Pike <jon@quay.example>" }, 1, []],
  ["Message-ID", { id: "copy@quay.example" }, 1, ["copy@quay.example"]],
];

describe("two mails of one Message-ID", () => {
  it.each(DIFFERENCES)("that differ in %s lose nothing", async (_, change, messages, kept) => {
    for (const mails of [
      [BASE, { ...BASE, ...change }],
      [{ ...BASE, ...change }, BASE],
    ]) {
      const found = await archiveOf(mails);
      expect(found.counts).toMatchObject({ seen: 2, kept: messages, duplicate: 2 - messages });
      for (const text of kept) expect(found.text).toContain(text);
      if (messages === 1) expect(found.messages[0]?.occurrences).toHaveLength(2);
      if (messages === 2) expect(new Set(found.messages.map(({ id }) => id)).size).toBe(2);
    }
  });

  it("are one message for the Bcc recipients of the sent copy, in any order", async () => {
    const sent = { ...BASE, bcc: "Secret <hidden@quay.example>" };
    for (const mails of [
      [BASE, sent],
      [sent, BASE],
    ]) {
      const { messages, contacts } = await archiveOf(mails);
      expect(messages[0]?.bcc).toEqual([{ name: "Secret", email: "hidden@quay.example" }]);
      const hidden = contacts.find(({ email }) => email === "hidden@quay.example");
      expect(hidden).toMatchObject({ name: "Secret", messageCount: 1, receivedCount: 1, inDegree: 1 });
    }
  });

  it("are not merged if text imitates an attachment", async () => {
    const plain = { ...BASE, html: "", start: "", bytes: "" };
    const { counts } = await archiveOf([
      { ...BASE, html: "", start: "" },
      { ...plain, text: `${BASE.filename}${BASE.type}${BASE.text}` },
      { ...plain, text: `${BASE.text}\n8:plan.pdf15:application/pdf` },
      { ...plain, subject: "Crane", text: `plan${BASE.text}` },
      { ...plain, subject: "Crane plan", text: BASE.text },
    ]);
    expect(counts).toMatchObject({ seen: 5, kept: 5 });
  });

  it("lose nothing in any difference: a thousand pairs", async () => {
    const random = new SeededRandom(11);
    const tokens: string[] = [];
    const mails = Array.from({ length: 1_000 }, (_, pair) => {
      const base = { ...BASE, id: `pair-${pair}@quay.example`, subject: `Pair ${pair}` };
      const other = { ...base };
      for (const change of Object.keys(VARIED) as (keyof typeof VARIED)[]) {
        if (random.below(6) > 0) continue;
        const token = `t${pair}x${change.toLowerCase()}`;
        tokens.push(token);
        other[change] = VARIED[change](token);
      }
      return random.below(2) === 0 ? [base, other] : [other, base];
    }).flat();
    const { text, counts, messages } = await archiveOf(mails);
    expect(counts.seen).toBe(2_000);
    expect(tokens.length).toBeGreaterThan(1_000);
    expect(tokens.filter((token) => !text.includes(token))).toEqual([]);
    const places = messages.flatMap(({ occurrences }) => occurrences.map(({ location }) => location));
    expect(new Set(places).size).toBe(2_000);
    const hidden = messages.flatMap(({ bcc }) => bcc.map(({ email }) => email));
    expect(hidden.toSorted()).toEqual(
      tokens
        .filter((token) => token.endsWith("xbcc"))
        .map((token) => `${token}@quay.example`)
        .toSorted(),
    );
  });
});

/** Fields of a mail with a word in them. */
const VARIED = {
  bcc: (word: string) => `${word}@quay.example`,
  to: (word: string) => `Jon Pike <jon@quay.example>, ${word}@quay.example`,
  cc: (word: string) => `${word}@quay.example`,
  replyTo: (word: string) => `${word}@quay.example`,
  sender: (word: string) => `${word}@quay.example`,
  from: (word: string) => `${word} <ida@quay.example>`,
  references: (word: string) => `<${word}@quay.example>`,
  inReplyTo: (word: string) => `<${word}@quay.example>`,
  text: (word: string) => `The crane is paid ${word}.`,
  filename: (word: string) => `${word}.pdf`,
  type: (word: string) => `application/x-${word}`,
  subject: (word: string) => `Crane ${word}`,
} as const;

describe("duplicates with different Message-IDs", () => {
  const plain: Mail = { ...BASE, html: "", start: "", bytes: "", references: "", inReplyTo: "" };

  it("are one message, and the thread of all that reference any of them", async () => {
    const answer = { ...plain, subject: "Quite another thing", date: "Thu, 02 Jan 2003 12:00:00 +0000" };
    const { messages, counts, statistics } = await archiveOf([
      plain,
      { ...plain, id: "copy@quay.example" },
      { ...plain, id: null },
      { ...answer, id: "answer-1@quay.example", references: "<plan@quay.example>" },
      { ...answer, id: "answer-2@quay.example", references: "<copy@quay.example>", text: "Yes." },
    ]);
    expect(counts).toMatchObject({ seen: 5, kept: 3, duplicate: 2 });
    expect(messages[0]?.occurrences.map(({ messageId }) => messageId)).toEqual([
      undefined,
      "copy@quay.example",
      expect.stringMatching(/^sha256:[0-9a-f]{64}@archivetool$/),
    ]);
    expect(statistics.totalThreads).toBe(1);
    expect(messages.map(({ body }) => body.trim())).toEqual([plain.text, plain.text, "Yes."]);
  });

  it("are detected if Exchange encapsulated an address", async () => {
    const packed = (email: string) =>
      `IMCEANOTES-${email.replace(/[^a-z]/g, (sign) => `+${sign.charCodeAt(0).toString(16).toUpperCase()}`)}@quay.example`;
    const to = (email: string): Partial<Mail> => ({ from: `Ida <${packed("ida@quay.example")}>`, to: email });
    const { counts } = await archiveOf([
      { ...plain, from: "Ida <ida@quay.example>", to: "jon@quay.example" },
      { ...plain, ...to(packed("jon@quay.example")), id: "copy@quay.example" },
      { ...plain, ...to(packed("cy@quay.example")), id: "other@quay.example" },
    ]);
    expect(counts).toMatchObject({ seen: 3, kept: 2, duplicate: 1 });
  });

  it("survive other quoting, wrapping and blanks", async () => {
    const { counts } = await archiveOf([
      { ...plain, text: "From here it is 5 minutes.\nThe café – closed – is “ours”." },
      {
        ...plain,
        id: "copy@quay.example",
        text: '>From here it\nis 5 minutes. The\u00a0café - closed - is "ours".\n\n',
      },
    ]);
    expect(counts).toMatchObject({ kept: 1, duplicate: 1 });
  });

  it.each<[string, Partial<Mail>]>([
    ["no date", { date: null }],
    ["no sender", { from: null }],
    ["no content", { text: "" }],
    ["signs for content", { text: "-- >\n>" }],
  ])("are not merged if a message has too little content: %s", async (_, change) => {
    const mail = { ...plain, ...change, sender: "" };
    const again = { ...mail, received: "Wed, 01 Jan 2003 12:09:00 +0000" };
    const { counts } = await archiveOf([
      mail,
      again,
      { ...mail, id: "copy@quay.example" },
      { ...mail, id: null },
      { ...mail, id: null },
      { ...again, id: null },
    ]);
    expect(counts).toMatchObject({ seen: 6, kept: 4, duplicate: 2 });
  });

  it("of one minute, one sender and one subject with another text are two", async () => {
    const { counts } = await archiveOf([
      plain,
      { ...plain, id: "b@quay.example", text: "The crane is paid on Mondays." },
    ]);
    expect(counts).toMatchObject({ kept: 2, duplicate: 0 });
  });

  it("are kept with keepCopies, except those with the same Message-ID and content", async () => {
    const mails = [plain, { ...plain, id: "copy@quay.example" }, { ...plain, bcc: "hidden@quay.example" }];
    const { counts } = await archiveOf(mails, { keepCopies: true });
    expect(counts).toMatchObject({ seen: 3, kept: 2, duplicate: 1 });
  });
});

describe("a message with copies", () => {
  const mails: readonly (readonly [mailbox: string, mail: Mail])[] = [
    ["Inbox", BASE],
    ["Sent Mail", { ...BASE, id: "sent@quay.example", bcc: "Secret Hand <hidden@quay.example>" }],
    ["Cranes", { ...BASE, id: "filed@quay.example", to: "J. Pike <jon@quay.example>, mara@quay.example" }],
    ["Cranes", { ...BASE, id: "alone@quay.example", subject: "Another", text: "The crane stands still." }],
  ];

  it.each(["one run", "a run for each"])(
    "is found and counted by all its locations, ids and names, after %s",
    async (runsTaken) => {
      const directory = newDirectory();
      const paths = mails.map(([mailbox, mail], index) => {
        const folder = join(directory, String(index));
        mkdirSync(folder);
        writeMbox(join(folder, `${mailbox}.mbox`), [mail]);
        return join(folder, `${mailbox}.mbox`);
      });
      const output = join(directory, "output");
      if (runsTaken === "one run") await extractInline(paths, output);
      else for (const [index, path] of paths.entries()) await extractInline([path], output, { incremental: index > 0 });
      await withArchive(output, async (archive) => {
        const found = async (query: string) =>
          (await archive.search.search(query, 10)).hits.map(({ messageId }) => messageId).sort();
        const [first, second] = ["msg-000001", "msg-000002"];
        expect(await found("crane")).toEqual([first, second]);
        expect(await found("in:inbox")).toEqual([first]);
        expect(await found("in:sent in:cranes")).toEqual([first]);
        expect(await found("in:cranes")).toEqual([first, second]);
        expect(await found("crane -in:sent")).toEqual([second]);
        for (const id of ["plan", "<sent", "filed"])
          expect(await found(`id:${id}@quay.example${id.startsWith("<") ? ">" : ""}`), id).toEqual([first]);
        expect(await found("cc:hidden")).toEqual([first]);
        expect(await found("cc:secret -cc:nobody")).toEqual([first]);
        expect(await found('to:"J Pike"')).toEqual([first]);
        const [hit] = (await archive.search.search("id:sent@quay.example", 1)).hits;
        expect(hit).toMatchObject({ otherMailboxes: 2 });
        const totals = await archive.messages.mailboxes();
        const perFolder = new Map<string, number>();
        for (const { mailbox, messages } of totals) perFolder.set(mailbox, (perFolder.get(mailbox) ?? 0) + messages);
        expect(Object.fromEntries(perFolder)).toEqual({ Inbox: 1, "Sent Mail": 1, Cranes: 2 });
      });
    },
  );
});

const small = fc.record({
  id: fc.option(fc.integer({ min: 1, max: 9 })),
  parent: fc.option(fc.integer({ min: 1, max: 9 })),
  bcc: fc.constantFrom("", "", "Hidden One <one@quay.example>", "two@quay.example"),
  from: fc.constantFrom("Ida Brook <ida@quay.example>", "ida@quay.example", "Cy Lund <cy@quay.example>"),
  replyTo: fc.constantFrom("", "Office <office@quay.example>"),
  subject: fc.constantFrom("Grain", "Re: Grain", "Wheel"),
  minute: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 8 }),
  text: fc.constantFrom("grain", "wheel", "harvest"),
});

function mailOf({
  id,
  parent,
  bcc,
  from,
  replyTo,
  subject,
  minute,
  text,
}: typeof small extends fc.Arbitrary<infer T> ? T : never): Mail {
  return {
    ...BASE,
    id: id === null ? null : `m${id}@quay.example`,
    date: minute === null ? null : `Wed, 01 Jan 2003 12:0${minute}:00 +0000`,
    references: parent === null ? "" : `<m${parent}@quay.example>`,
    inReplyTo: "",
    sender: "",
    html: "",
    start: "",
    bytes: "",
    bcc,
    from,
    replyTo,
    subject,
    text,
  };
}

it("sources added one by one, in any order, equal one run, and counts are the same", async () => {
  const box = fc.array(small, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.tuple(box, box, box), fc.boolean(), async (boxes, redact) => {
      const directory = newDirectory();
      const paths = boxes.map((_, index) => join(directory, `${index}.mbox`));
      for (const [index, mails] of boxes.entries()) writeMbox(paths[index]!, mails.map(mailOf));
      const totals = new Set<string>();
      for (const order of [
        [0, 1, 2],
        [2, 0, 1],
        [1, 2, 0],
      ]) {
        const sources = order.map((index) => paths[index]!);
        const options = redact ? { redact: ["email"] as const } : {};
        const [full, grown] = [join(directory, `full-${order.join("")}`), join(directory, `grown-${order.join("")}`)];
        await extractInline(sources, full, options);
        const seen = [];
        for (const [index, path] of sources.entries()) {
          await extractInline([path], grown, { ...options, incremental: index > 0 });
          const { runs: records, sources: known } = await withArchive(grown, (archive) => archive.provenance());
          seen.push(records.at(-1)?.added);
          expect(records.at(-1)?.added).toEqual(known[index]?.counts);
        }
        const whole = await withArchive(full, archiveMeaning);
        expect(await withArchive(grown, archiveMeaning)).toEqual(whole);
        const { totalMessages, totalContacts, totalAttachments } = whole.statistics;
        const counts = whole.sources.map(({ counts: { seen: all } }) => all).sort();
        totals.add(JSON.stringify({ totalMessages, totalContacts, totalAttachments, counts }));
      }
      expect(totals.size).toBe(1);
      rmSync(directory, { recursive: true });
    }),
    { numRuns: 3 },
  );
});

it("a run reports its additions, not the contents of its sources", async () => {
  const directory = newDirectory();
  const path = join(directory, "mail.mbox");
  const output = join(directory, "output");
  const mails = Array.from({ length: 5 }, (_, index) => ({
    ...BASE,
    id: `m${index}@quay.example`,
    subject: `Plan ${index}`,
  }));
  const added = () => withArchive(output, async (archive) => (await archive.provenance()).runs.map((run) => run.added));
  const none = { skipped: 0, failed: 0 };
  writeMbox(path, mails.slice(0, 2));
  await extractInline([path], output);
  writeMbox(path, [...mails.slice(0, 4), { ...mails[1]!, id: "copy@quay.example" }]);
  await extractInline([path], output, { incremental: true });
  const [first, second] = await added();
  expect(first).toEqual({ seen: 2, kept: 2, duplicate: 0, ...none });
  expect(second).toEqual({ seen: 3, kept: 2, duplicate: 1, ...none });
  // Another file with known mail adds locations, but no messages.
  const other = join(directory, "other.mbox");
  writeMbox(other, mails);
  await extractInline([other], output, { incremental: true });
  expect((await added())[2]).toEqual({ seen: 5, kept: 1, duplicate: 4, ...none });
});
