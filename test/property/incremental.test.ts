import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../property-runs.ts";
import { archiveMeaning } from "./archive-meaning.ts";
import { extractInline, withArchive } from "./extraction.ts";

const PEOPLE = [
  "Ann Reed <ann@mill.example>",
  "Reed, Ann <areed@mill.example>",
  "Bo Lund <bo@mill.example>",
  "ANN@MILL.EXAMPLE",
  "Cy <cy@quay.example>",
  "list@mill.example",
  "a.reed@mill.example",
  "Ann Reed <ann@quay.example>",
  "Ann B. Reed <annb@reed.example>",
  "Ann <areed@free.example>",
  "Lund, Bo <bo@lund.example>",
];

/** People that some mail names without an address. */
const NAMES = ["Ann Reed", "Bo Lund", "Cy Dale"];

const correspondent = fc.constantFrom(...PEOPLE, ...NAMES);

const letter = fc.record({
  id: fc.option(fc.integer({ min: 1, max: 12 }), { nil: null }),
  parent: fc.option(fc.integer({ min: 1, max: 12 }), { nil: null }),
  from: correspondent,
  exported: fc.option(fc.constantFrom("Reed, Ann <a/b>", "Ann Reed", "Bo Lund"), { nil: null }),
  to: fc.uniqueArray(correspondent, { minLength: 1, maxLength: 3 }),
  subject: fc.constantFrom(
    "Mill wheel",
    "Re: Mill wheel",
    "AW: Mill wheel",
    "Harvest count",
    "Re: Harvest count",
    "hello",
  ),
  day: fc.option(
    fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 1, max: 200 }) },
      { weight: 1, arbitrary: fc.constantFrom(-9000, 7000, 2_900_000) },
    ),
    {
      nil: null,
    },
  ),
  received: fc.option(fc.integer({ min: 1, max: 200 }), { nil: null }),
  words: fc.array(fc.constantFrom("grain", "wheel", "river", "flour", "meeting", "repair", "price", "harvest"), {
    minLength: 1,
    maxLength: 12,
  }),
  isPassedOn: fc.boolean(),
  own: fc.option(fc.constantFrom("areed@free.example", "bo@lund.example", "list@mill.example"), { nil: null }),
  quotes: fc.option(fc.nat(19), { nil: null }),
  event: fc.option(fc.record({ uid: fc.constantFrom("e1", "e2"), sequence: fc.integer({ min: 0, max: 3 }) }), {
    nil: null,
    freq: 6,
  }),
});
type Letter = typeof letter extends fc.Arbitrary<infer T> ? T : never;

const dateOf = (days: number): string => new Date(Date.UTC(2003, 0, days)).toUTCString().replace("GMT", "+0000");

/** A quotation of part of a letter. */
function quotation({ from, day, subject, words }: Letter): readonly string[] {
  return [
    "",
    "-----Original Message-----",
    `From: ${from}`,
    `Sent: ${day === null ? "" : dateOf(day)}`,
    `Subject: ${subject}`,
    "",
    words.join(" "),
  ];
}

/** @param all letters that may be quoted. */
function render(
  { id, parent, from, exported, to, subject, day, received, words, isPassedOn, own, quotes, event }: Letter,
  all: readonly Letter[],
): string {
  const head = [
    ...(received === null ? [] : [`Received: from a.example by b.example; ${dateOf(received)}`]),
    ...(id === null ? [] : [`Message-ID: <letter-${id}@mill.example>`]),
    ...(parent === null ? [] : [`References: <letter-${parent}@mill.example>`]),
    ...(day === null ? [] : [`Date: ${dateOf(day)}`]),
    ...(isPassedOn
      ? ["List-Post: <mailto:list@mill.example>", "From: Mill <list@mill.example>", `Reply-To: ${from}`]
      : [`From: ${from}`]),
    ...(exported === null ? [] : [`X-From: ${exported}`]),
    `To: ${to.join(", ")}`,
    `Subject: ${subject}`,
  ];
  const quoted = quotes === null ? [] : quotation(all[quotes % all.length]!);
  const ownAddress = own === null ? [] : [`My address is ${own}.`];
  if (event === null) return [...head, "", words.join(" "), ...ownAddress, ...quoted, ""].join("\n");
  const calendar = [
    "BEGIN:VCALENDAR",
    "METHOD:REQUEST",
    "BEGIN:VEVENT",
    `UID:${event.uid}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTAMP:2003010${event.sequence + 1}T100000Z`,
    "DTSTART:20030105T100000Z",
    `SUMMARY:${words[0]} ${event.sequence}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return [
    ...head,
    "MIME-Version: 1.0",
    "Content-Type: text/calendar; method=REQUEST",
    "",
    calendar.join("\r\n"),
    "",
  ].join("\n");
}

const ADDRESSES = PEOPLE.map((person) => person.replace(/^.*<(.*)>$/, "$1"));
const twoAddresses = fc.uniqueArray(fc.constantFrom(...ADDRESSES), { minLength: 2, maxLength: 2 });
/** Content of people.txt; empty in most runs. */
const corrections = fc.array(
  fc.oneof(
    twoAddresses.map(([one, other]) => `  ${one}\n  ${other}\n--\n`),
    twoAddresses.map(([one, other]) => `! ${one} <> ${other}\n`),
    fc.constantFrom(...ADDRESSES).map((address) => `Ada Lake\n  ${address}\n--\n`),
    fc.constantFrom(...ADDRESSES).map((address) => `@list ${address}\n`),
  ),
  { maxLength: 3 },
);

/** Writes people.txt into an output directory. */
function writePeople(output: string, people: readonly string[]): void {
  mkdirSync(output, { recursive: true });
  writeFileSync(join(output, "people.txt"), people.join(""));
}

it("an incremental run over A then B equals a full run over A and B, ids and topics aside, also after corrections", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "archivetool-incremental-"));
  let runs = 0;
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(letter, { minLength: 1, maxLength: 10 }),
        fc.array(letter, { minLength: 1, maxLength: 10 }),
        fc.boolean(),
        fc.tuple(corrections, corrections),
        async (first, second, redact, [outdated, people]) => {
          runs++;
          const directory = join(scratch, String(runs));
          mkdirSync(directory);
          const paths = [first, second].map((letters, index) => {
            const path = join(directory, `${index}.mbox`);
            writeFileSync(
              path,
              letters
                .map((one) => `From ann@mill.example Wed Jan  1 12:00:00 2003\n${render(one, [...first, ...second])}\n`)
                .join(""),
            );
            return path;
          });
          const options = redact ? { redact: ["email"] as const } : {};
          writePeople(join(directory, "full"), people);
          await extractInline(paths, join(directory, "full"), options);
          writePeople(join(directory, "grown"), outdated);
          await extractInline(paths.slice(0, 1), join(directory, "grown"), options);
          writePeople(join(directory, "grown"), people);
          // With some seeds the mail arrives after the corrections, with others at the same time.
          if (people.length > 1) await extractInline([], join(directory, "grown"), { ...options, incremental: true });
          await extractInline(paths.slice(1), join(directory, "grown"), { ...options, incremental: true });
          const full = await withArchive(join(directory, "full"), archiveMeaning);
          const grown = await withArchive(join(directory, "grown"), archiveMeaning);
          expect(grown).toEqual(full);
          rmSync(directory, { recursive: true });
        },
      ),
      { numRuns: propertyRuns(25) },
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

it("keeps every location in a directory that grew, also an earlier one", async () => {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-incremental-"));
  try {
    const mail = join(directory, "mail");
    const put = (box: string, name: string, words: string): void => {
      mkdirSync(join(mail, box), { recursive: true });
      const head = `From: ann@mill.example\nTo: bo@mill.example\nMessage-ID: <${words}@mill.example>\nSubject: ${words}\n`;
      writeFileSync(join(mail, box, `${name}.eml`), `${head}\n${words}\n`);
    };
    for (const words of ["grain", "wheel", "river"]) put("m", words, words);
    await extractInline([mail], join(directory, "grown"));
    for (const box of ["a", "b"]) put(box, "1", "grain");
    put("m", "flour", "flour");
    put("z", "1", "wheel");
    const report = await extractInline([mail], join(directory, "grown"), { incremental: true });
    expect(report.sources.map(({ record }) => record.counts)).toMatchObject([{ seen: 7, kept: 4, duplicate: 3 }]);
    await extractInline([mail], join(directory, "full"));
    const [grown, full] = await Promise.all(
      ["grown", "full"].map((name) =>
        withArchive(join(directory, name), async (archive) => (await archive.provenance()).sources),
      ),
    );
    expect(grown).toEqual(full);
    const places = await withArchive(join(directory, "grown"), async (archive) => {
      const { items } = await archive.messages.list("sent_at", { limit: 9, offset: 0 }, {});
      const full = await archive.messages.getMany(items.map(({ id }) => id));
      return Object.fromEntries(full.map((one) => [one.subject, one.occurrences.map(({ mailbox }) => mailbox).sort()]));
    });
    expect(places).toEqual({ grain: ["a", "b", "m"], wheel: ["m", "z"], river: ["m"], flour: ["m"] });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

it.each([[[]], [["email"]]] as const)("creates the same contacts from a long list as a full run", async (redact) => {
  const directory = mkdtempSync(join(tmpdir(), "archivetool-incremental-"));
  try {
    const people = (name: string): string =>
      Array.from({ length: 1_500 }, (_, number) => `${name} ${number} <${name}${number}@mill.example>`).join(",\n ");
    const paths = [`To: ${people("to")}\n`, "To: bo@mill.example\n"].map((fields, index) => {
      const path = join(directory, `${index}.mbox`);
      const mail = `From: ann@mill.example\nMessage-ID: <${index}@mill.example>\n${fields}\ntext\n\n`;
      writeFileSync(path, `From ann@mill.example Wed Jan  1 12:00:00 2003\n${mail}`);
      return path;
    });
    await extractInline(paths, join(directory, "full"), { redact });
    await extractInline(paths.slice(0, 1), join(directory, "grown"), { redact });
    await extractInline(paths.slice(1), join(directory, "grown"), { redact, incremental: true });
    const contactsIn = async (name: string): Promise<number> =>
      (await withArchive(join(directory, name), (archive) => archive.stats())).totalContacts;
    expect(await contactsIn("full")).toBeLessThan(1_500);
    expect(await contactsIn("grown")).toBe(await contactsIn("full"));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

it.each([[[]], [["phone"]]] as const)(
  "joins an address that only later mail has to its author, redacting %j",
  async (redact) => {
    const directory = mkdtempSync(join(tmpdir(), "archivetool-incremental-"));
    try {
      const bonnie = "Bonnie Quillfeather <bq@mill.example>";
      const mail = [
        `From: ${bonnie}\nTo: bo@quay.example\n\nMy new address is quillfeather@free.example.\n`,
        `From: ${bonnie}\nTo: quillfeather@free.example\n\nwheel\n`,
        `From: bo@quay.example\nTo: ${bonnie}\n\ngrain\n`,
      ];
      const paths = mail.map((text, index) => {
        const path = join(directory, `${index}.eml`);
        writeFileSync(path, text);
        return path;
      });
      await extractInline(paths, join(directory, "full"), { redact });
      await extractInline(paths.slice(0, 1), join(directory, "grown"), { redact });
      await extractInline(paths.slice(1), join(directory, "grown"), { redact, incremental: true });
      const [full, grown] = await Promise.all(
        ["full", "grown"].map((name) => withArchive(join(directory, name), archiveMeaning)),
      );
      expect(grown).toEqual(full);
      const contacts = await withArchive(join(directory, "grown"), (archive) => archive.stats());
      expect(contacts.totalContacts).toBe(2);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
);
