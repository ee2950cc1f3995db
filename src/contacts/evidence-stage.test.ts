import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import type { Address } from "../mail/records/address.ts";
import { AddressBook } from "./addresses/address-book.ts";
import type { Correspondence } from "./correspondence.ts";
import { resolveContacts } from "./resolve-contacts.ts";

const DAY_MS = 86_400_000;

interface Letter {
  /** Defaults to the position of the letter. */
  readonly day?: number;
  readonly from: string;
  readonly to: readonly string[];
  readonly replyTo?: string;
  /** Another address that the text gives as the author's own. */
  readonly own?: string;
}

function addressOf(text: string): Address {
  const open = text.indexOf("<");
  return open < 0
    ? { name: "", email: text }
    : { name: text.slice(0, open).trim(), email: text.slice(open + 1, text.indexOf(">")) };
}

/** Memory for thousands of addresses. */
const roomyMemory = () => fewPages(1_024, 20_000);

/** Contacts with some messages each, one per day, each in a separate thread. */
function contactsOf(letters: readonly Letter[], lists: readonly string[] = [], memory = roomyMemory) {
  return [...resolved(letters, lists, memory).contacts.summaries()];
}

function resolved(letters: readonly Letter[], lists: readonly string[], memory = roomyMemory) {
  const book = new AddressBook(memory());
  for (const list of lists) book.observeList(list);
  const mail = letters.map(({ from, to, replyTo, own, day }, place) => {
    const at = (day ?? place) * DAY_MS;
    const author = book.observe(addressOf(from), "from", at);
    if (own !== undefined) book.observeOwnAddresses(author, [own]);
    const recipients = to.map((one) => book.observe(addressOf(one), "to", at));
    const reply = replyTo === undefined ? author : book.observe(addressOf(replyTo), "reply_to", at);
    return { author, recipients, at, reply };
  });
  const correspondence: Correspondence = {
    messageCount: mail.length,
    authorOf: (message) => mail[message]!.author,
    addRecipients: (message, recipients) => void recipients.push(...mail[message]!.recipients),
    sentAt: (message) => mail[message]!.at,
    threadOf: (message) => message,
    replyAddresses: () => mail.map(({ author, reply }) => [author, reply] as const),
    ownAddresses: () => book.ownAddresses(),
  };
  return { book, contacts: resolveContacts(book, memory(), true, { mail: correspondence }) };
}

/** Addresses of each contact that has more than one. */
function joined(letters: readonly Letter[], lists: readonly string[] = []): readonly string[] {
  return contactsOf(letters, lists)
    .filter(({ aliases }) => aliases.length > 0)
    .map(({ email, aliases }) => [email, ...aliases].sort().join(" + "))
    .sort();
}

const write = (from: string, ...to: readonly string[]): Letter => ({ from, to });
const SYLLABLES = ["Ba", "ke", "lo", "mi", "nu", "ra", "te"];
const BO = "Bo Lund <bo@quay.example>";
const CY = "Cy Haas <cy@moor.example>";
/** Both write to the same two people, who answer. */
const exchange = (...people: readonly string[]): readonly Letter[] =>
  people.flatMap((one) => [write(one, BO), write(one, CY), write(BO, one), write(CY, one)]);

/** Mail of others, so that nobody is named in most messages. */
const elsewhere = Array.from({ length: 20 }, () => write("Di Moss <di@reef.example>", "Ed Ray <ed@reef.example>"));

/** People with as many names, so that a common name is shared by several. */
const crowd: Letter = write(
  BO,
  ...Array.from({ length: 2_000 }, (_, number) => {
    const [given, family] = [number % 45, Math.floor(number / 45)].map(
      (part) => `${SYLLABLES[part % 7]}${SYLLABLES[Math.floor(part / 7)]}`,
    );
    return `${given}na ${family}sen <crew${number}@crowd.example>`;
  }),
);

describe("evidence about two contacts", () => {
  it.each<[string, readonly Letter[], string, string]>([
    [
      "a rare name in two organizations",
      exchange("Ada Quillfeather <ada@mill.example>", "Ada Quillfeather <aq7@port.example>"),
      "ada@mill.example + aq7@port.example",
      "same full name",
    ],
    [
      "a name in the other order, and a short form of it",
      exchange("Vincent Quillfeather <vq@mill.example>", "Vince Quillfeather <v1@port.example>"),
      "v1@port.example + vq@mill.example",
      "a short form",
    ],
    [
      "umlauts as they are written without a keyboard for them",
      exchange("Jörg Mühlbrett <jm@mill.example>", "Joerg Muehlbrett <jm9@port.example>"),
      "jm9@port.example + jm@mill.example",
      "same full name",
    ],
    [
      "an Exchange directory and its organization",
      [
        ...exchange("Greta Quillfeather <greta.quillfeather@mill-pike.example>"),
        write(BO, "Greta Quillfeather </O=MILL PIKE/OU=EU/CN=RECIPIENTS/CN=GQUILLFE>"),
        write(CY, "Greta Quillfeather </O=MILL PIKE/OU=EU/CN=RECIPIENTS/CN=GQUILLFE>"),
      ],
      "/O=MILL PIKE/OU=EU/CN=RECIPIENTS/CN=GQUILLFE + greta.quillfeather@mill-pike.example",
      "Exchange directory of the same organization",
    ],
    [
      "an office and who signs its mail",
      [1, 2].flatMap(() =>
        exchange("Ingrid Solvang <office@mill.example>", "Ingrid Solvang <ingrid.solvang@mill.example>"),
      ),
      "ingrid.solvang@mill.example + office@mill.example",
      "signs the mail of this office",
    ],
    [
      "an address without a full name that writes mostly home",
      [
        ...exchange("Vince Quillfeather <vince.quillfeather@mill.example>", "Vince <vquillfeather@free.example>"),
        ...Array.from({ length: 6 }, () =>
          write("Vince <vquillfeather@free.example>", "Vince Quillfeather <vince.quillfeather@mill.example>"),
        ),
      ],
      "vince.quillfeather@mill.example + vquillfeather@free.example",
      "given name used with the address",
    ],
    [
      "an address made of a short form, which only its owner writes to",
      [
        ...exchange("Jeffrey Quillfeather <jquill@mill.example>"),
        write("Jeffrey Quillfeather <jquill@mill.example>", "jeffquillfeather@free.example"),
      ],
      "jeffquillfeather@free.example + jquill@mill.example",
      "1 of its 1 message between the two",
    ],
    [
      "an address with a number that its owner copies mail to",
      [write("Ingrid Quillfeather <ingrid.quillfeather@mill.example>", BO, "iquillfeather7@free.example")],
      "ingrid.quillfeather@mill.example + iquillfeather7@free.example",
      "1 of its 1 message between the two",
    ],
    [
      "nicknames, one given as an own address of the other",
      [
        ...elsewhere,
        ...exchange("tern77kite@mill.example", "tern77kite@free.example"),
        { ...write("tern77kite@mill.example", BO), own: "tern77kite@free.example" },
      ],
      "tern77kite@free.example + tern77kite@mill.example",
      "one gives the other as its own address",
    ],
    [
      "a local part that ends with the given name",
      exchange("Bonnie Quillfeather <bq@mill.example>", "Bonnie Quillfeather <tern_bonnie@free.example>"),
      "bq@mill.example + tern_bonnie@free.example",
      "same full name",
    ],
    [
      "a name that one person gives an address with the given name",
      [
        ...elsewhere,
        write(BO, "Bonnie Quillfeather <bonnie@mill.example>"),
        write(CY, "Bonnie Quillfeather <bquillfeather@port.example>"),
      ],
      "bonnie@mill.example + bquillfeather@port.example",
      "same full name",
    ],
    [
      "all initials and the family name",
      exchange("Bonnie T. Quillfeather <bonnie@mill.example>", "btquillfeather@mill.example"),
      "bonnie@mill.example + btquillfeather@mill.example",
      "local part of the only Bonnie T. Quillfeather here",
    ],
    [
      "a common name and mail to oneself",
      [
        crowd,
        ...exchange("John Smith <js1@mill.example>"),
        write("John Smith <js1@mill.example>", "John Smith <js99@port.example>"),
        write("John Smith <js1@mill.example>", "John Smith <js99@port.example>"),
      ],
      "js1@mill.example + js99@port.example",
      "2 messages between the two",
    ],
    [
      "an address in the signature, made of the family name",
      [
        ...elsewhere,
        ...exchange("Bonnie Quillfeather <bq@mill.example>", "quillfeather@free.example"),
        { ...write("Bonnie Quillfeather <bq@mill.example>", BO), own: "quillfeather@free.example" },
      ],
      "bq@mill.example + quillfeather@free.example",
      "one gives the other as its own address",
    ],
    [
      "authors of an archive that omits recipients",
      [write("Ada Quillfeather <ada@mill.example>"), write("Ada Quillfeather <aq7@port.example>"), write(BO)],
      "ada@mill.example + aq7@port.example",
      "same full name",
    ],
    [
      "where answers go",
      [
        ...exchange("John Smith <smith4@mill.example>", "John Smith <pilot88@port.example>"),
        { from: "John Smith <smith4@mill.example>", to: [BO], replyTo: "pilot88@port.example" },
      ],
      "pilot88@port.example + smith4@mill.example",
      "one is the Reply-To of the other",
    ],
    [
      "an address whose local part is the name, under another top-level domain",
      [
        ...exchange("Ada Quillfeather <ada.quillfeather@mill.com>"),
        write("ada_quillfeather@mill.net", "pier@moor.example"),
      ],
      "ada.quillfeather@mill.com + ada_quillfeather@mill.net",
      "same domain under another top-level domain",
    ],
    [
      "an address at the former domain of a company",
      [
        ...exchange("Ada Quillfeather <ada.quillfeather@tidemill.com>"),
        { ...write("ada.quillfeather@harbortidemill.com", "pier@moor.example"), day: 40 },
      ],
      "ada.quillfeather@harbortidemill.com + ada.quillfeather@tidemill.com",
      "same full name",
    ],
    [
      "a nickname at the former domain of a company",
      [
        ...exchange("Ada Quillfeather <quillfeather7@tidemill.com>"),
        { ...write("quillfeather7@harbortidemill.com", "pier@moor.example"), day: 40 },
      ],
      "quillfeather7@harbortidemill.com + quillfeather7@tidemill.com",
      "same local part, at a domain that contains the other",
    ],
    [
      "an address with a typing error in the domain",
      [
        ...exchange("Ada Quillfeather <aquillfeather@harborlines.example>"),
        write(BO, "aquillfeather@harbrolines.example"),
      ],
      "aquillfeather@harborlines.example + aquillfeather@harbrolines.example",
      "a domain with one wrong letter",
    ],
    [
      "an address that spells a full name in the other order, at another organization",
      [
        ...exchange("Ada Quillfeather <aq7@mill.example>"),
        write(BO, "quillfeather.ada@port.example"),
        write(CY, "quillfeather.ada@port.example"),
      ],
      "aq7@mill.example + quillfeather.ada@port.example",
      "in the other order",
    ],
    [
      "both names in one word, at another organization",
      [...exchange("Ada Quillfeather <aq7@mill.example>"), write("pier@moor.example", "quillfeatherada@port.example")],
      "aq7@mill.example + quillfeatherada@port.example",
      "local part of the only Ada Quillfeather here",
    ],
    [
      "two addresses that spell one rare name",
      [...exchange("ada.quillfeather@mill.example"), ...exchange("ada_b_quillfeather@port.example")],
      "ada.quillfeather@mill.example + ada_b_quillfeather@port.example",
      "against it: only the addresses spell the name",
    ],
    [
      "initial and family name with an address that spells the name",
      [
        ...exchange("ada.quillfeather@mill.example"),
        write("aquillfeather@port.example", "ada.quillfeather@mill.example"),
      ],
      "ada.quillfeather@mill.example + aquillfeather@port.example",
      "local part of the only Ada Quillfeather here",
    ],
    [
      "a common name in both orders within an organization",
      [
        crowd,
        crowd,
        write(BO, "Smith John <smith.john@mill.example>"),
        ...exchange("John Smith <john.smith@mill.example>"),
        write(BO, "Smith John <smith.john@mill.example>"),
      ],
      "john.smith@mill.example + smith.john@mill.example",
      "the local parts spell the name in both orders",
    ],
    [
      "members of a list that nobody answers directly",
      ["Ada Quillfeather <ada@mill.example>", "Ada Quillfeather <aq7@port.example>"].flatMap((one) =>
        [1, 2, 3].map(() => write(one, "talk@quay.example")),
      ),
      "ada@mill.example + aq7@port.example",
      "same full name",
    ],
  ])("joins %s", (_, letters, expected, reason) => {
    expect(joined(letters)).toContain(expected);
    const reasons = contactsOf(letters).flatMap(({ evidence }) => evidence.map((each) => each.reason));
    expect(reasons.join("\n")).toMatch(/same person \(\d+\.\d bits: /);
    expect(reasons.join("\n")).toContain(reason);
  });

  it.each<[string, readonly Letter[]]>([
    [
      "an author with a relative or an assistant",
      [
        ...exchange("Rick Quillfeather <rq@mill.example>"),
        write("Rick Quillfeather <rq@mill.example>", "pwhite@mill.example", "aquillfeather@free.example"),
        { ...write("Rick Quillfeather <rq@mill.example>", BO), own: "pwhite@mill.example" },
        { ...write("Rick Quillfeather <rq@mill.example>", BO), own: "aquillfeather@free.example" },
      ],
    ],
    [
      "an author with an assistant who has the same correspondents",
      [
        ...elsewhere,
        ...exchange("Rick Quillfeather <rq@mill.example>", "pwhite@mill.example"),
        write("pwhite@mill.example", "Rick Quillfeather <rq@mill.example>"),
        { ...write("Rick Quillfeather <rq@mill.example>", "pwhite@mill.example"), own: "pwhite@mill.example" },
      ],
    ],
    [
      "a short form of the name and succession alone",
      [
        crowd,
        write(BO, "Robert Quillfeather <rquillfeather@mill.example>"),
        write(BO, "Robert Quillfeather <rquillfeather@mill.example>"),
        write(CY, "Bob Quillfeather <bquillfeather@port.example>"),
        write(CY, "Bob Quillfeather <bquillfeather@port.example>"),
      ],
    ],
    [
      "a common name",
      [
        crowd,
        crowd,
        ...["mill", "port"].map((host) => write(`John Smith <js1${host}@${host}.example>`, `Bo <bo@${host}2.example>`)),
        ...["mill", "port"].map((host) => write(`Bo <bo@${host}2.example>`, `John Smith <js1${host}@${host}.example>`)),
      ],
    ],
    [
      "an initial and a family name at a domain that contains the other",
      [
        ...exchange("Ada Quillfeather <ada.quillfeather@tidemill.com>"),
        write("aquillfeather@harbortidemill.com", "pier@moor.example"),
      ],
    ],
    ["two different names", exchange("Ada Quillfeather <a1@mill.example>", "Ida Quillfeather <a2@port.example>")],
    [
      "different middle initials",
      exchange("Ada B. Quillfeather <a1@mill.example>", "Ada C. Quillfeather <a2@port.example>"),
    ],
    [
      "a father and a son",
      exchange("Leo Quillfeather Jr. <a1@mill.example>", "Leo Quillfeather Sr. <a2@port.example>"),
    ],
    [
      "a sender of scams and where answers should go",
      [
        {
          from: "Ada Quillfeather <ada1@mill.example>",
          to: ["bo@quay.example"],
          replyTo: "Ada Quillfeather <ada2@port.example>",
        },
        write("Ada Quillfeather <ada2@port.example>", "bo@quay.example"),
      ],
    ],
    ["what people share", exchange("Ada Quillfeather <a1@mill.example>", "Ada Quillfeather <info@port.example>")],
    [
      "a beginning of a family name with an address that spells the name",
      [...exchange("ada.quillfeather@mill.example"), write("quillfea@port.example", "pier@moor.example")],
    ],
    [
      "addresses that spell a common name",
      [crowd, crowd, ...exchange("john.smith@mill.example"), write("smith.john@port.example", "pier@moor.example")],
    ],
    [
      "words in the local parts of companies",
      [...exchange("best_of_quillfeather@mill.example"), ...exchange("best.of.quillfeather@port.example")],
    ],
    ["robots", exchange("Ada Quillfeather <a1@mill.example>", "Ada Quillfeather <no-reply@port.example>")],
    [
      "a name that one person alone gives a stranger's address",
      [
        ...exchange("Ada Quillfeather <a1@mill.example>"),
        write(BO, "Ada Quillfeather <desk9@port.example>"),
        write(BO, "Ada Quillfeather <desk9@port.example>"),
      ],
    ],
    [
      "numbers at the end of one name",
      exchange("dora2land <dora2land@mill.example>", "dora4land <dora4land@port.example>"),
    ],
    [
      "an address that two full names were used with",
      [
        ...exchange("Ada Quillfeather <a1@mill.example>"),
        ...[BO, CY, BO, CY].map((from) => write(from, "Ada Quillfeather <pier7x@port.example>")),
        ...[BO, CY, BO, CY].map((from) => write(from, "Ole Brandvold <pier7x@port.example>")),
        write(BO, "pier7x@mail.port.example"),
      ],
    ],
  ])("does not merge %s", (_, letters) => {
    expect(contactsOf(letters).flatMap(({ evidence }) => evidence.slice(1))).toEqual([]);
  });

  it("does not join a mailing list with people of its name", () => {
    const letters = exchange("Ada Quillfeather <a1@mill.example>", "Ada Quillfeather <talk@port.example>");
    expect(joined(letters, ["talk@port.example"])).toEqual([]);
  });

  it("joins an author known by name only", () => {
    const from = (one: string): readonly Letter[] => [1, 2, 3].map(() => write(one, "talk@quay.example"));
    const letters = [...from("Ada Quillfeather <>"), ...from("Ada Quillfeather <aq7@port.example>")];
    const [ada] = contactsOf(letters);
    expect(ada?.evidence.map(({ address }) => address)).toEqual(["aq7@port.example", "Ada Quillfeather"]);
  });

  it("suggests a contact once, even if the other has several addresses", () => {
    const letters = exchange("Ada Quillfeather <ada@mill.example>", "Ada Quillfeather <aq7@port.example>");
    const bare = write("aquillfeather@free.example", "pier@moor.example");
    expect(joined([...letters, bare])).toEqual(["ada@mill.example + aq7@port.example"]);
    const { book, contacts } = resolved([...letters, bare], []);
    const pairs = contacts.suggestions.map(({ one, other }) => [book.keyOf(one), book.keyOf(other)].sort());
    expect(pairs).toEqual([["ada@mill.example", "aquillfeather@free.example"]]);
  });

  it("never joins two names through a third", () => {
    const letters = exchange(
      "Ada B. Quillfeather <a1@mill.example>",
      "Ada Quillfeather <a2@port.example>",
      "Ada C. Quillfeather <a3@pier.example>",
    );
    for (const contact of joined(letters)) expect(contact).not.toMatch(/a1.*a3/);
  });
});

const person = fc.constantFrom(
  "Ada Quillfeather <ada@mill.example>",
  "Quillfeather, Ada <aq7@port.example>",
  "Ada B. Quillfeather <ada@quillfeather.example>",
  "Ada C. Quillfeather <adac@moor.example>",
  "John Smith <harbour7@mill.example>",
  "John Smith <harbour7@port.example>",
  "Ada <aquillfeather@free.example>",
  "Bo Lund <bo@quay.example>",
  "Lund Bo <lund@moor.example>",
  "Bo <bo@moor.example>",
  "/O=MILL/OU=EU/CN=RECIPIENTS/CN=ADA",
);
const letter = fc.record(
  {
    from: person,
    to: fc.uniqueArray(person, { minLength: 1, maxLength: 3 }),
    replyTo: person,
    day: fc.integer({ min: 0, max: 900 }),
  },
  { requiredKeys: ["from", "to", "day"] },
);

it("finds the same people in any order of messages", () => {
  fc.assert(
    fc.property(
      fc
        .array(letter, { minLength: 1, maxLength: 40 })
        .chain((letters) =>
          fc.tuple(fc.constant(letters), fc.shuffledSubarray(letters, { minLength: letters.length })),
        ),
      ([letters, shuffled]) => {
        expect(joined(shuffled)).toEqual(joined(letters));
      },
    ),
    { numRuns: 100 },
  );
});

it("matches a name with lost letters to the only candidate", () => {
  const both = (lost: string, ...others: readonly string[]) =>
    joined([
      ...exchange("Tomás Quillfeather <tomas@mill.example>", ...others),
      ...exchange(`${lost} <tq4@mill.example>`),
    ]);
  expect(both("Tom?s Quillfeather")).toEqual(["tomas@mill.example + tq4@mill.example"]);
  expect(both("Tom\uFFFD\uFFFDs Quillfeather")).toEqual(["tomas@mill.example + tq4@mill.example"]);
  expect(both("Tom?s Quillfeather", "Tomes Quillfeather <tomes@mill.example>")).toEqual([]);
  expect(both("Why Quillfeather?")).toEqual([]);
});
