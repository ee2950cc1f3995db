import fc from "fast-check";
import ICAL from "ical.js";
import { expect, it } from "vitest";
import { itemCard } from "../../calendar/item-card.ts";
import { readCards as readOwnCards } from "../../calendar/read-cards.ts";
import { type ArchivedItem, INTERNAL_ITEM_DEFAULTS } from "../../mail/records/item.ts";
import { FIELDS } from "../../mapi/objects/item-field-rows.ts";
import { vcard } from "./vcard.ts";

/** Name, parameters and value of each property that another program reads from the cards, as in RFC 7095. */
function readCards(text: string): readonly ICAL.Component[] {
  const parsed: unknown = ICAL.parse(text);
  const all = (Array.isArray(parsed) && parsed[0] === "vcard" ? [parsed] : parsed) as unknown[][];
  return all.map((card) => new ICAL.Component(card as never));
}

const item = (kind: ArchivedItem["kind"], fields: Readonly<Record<string, string>>): ArchivedItem => ({
  id: "item-000001",
  kind,
  subject: "Halvorsen, Greta",
  mailbox: "Contacts",
  source: 0,
  fields,
  ...INTERNAL_ITEM_DEFAULTS,
});

it("writes an address book entry so that another program reads every field", () => {
  const card = itemCard(
    item("contact", {
      display_name: "Halvorsen, Greta",
      given_name: "Greta",
      surname: "Halvorsen; Berg",
      email_1: "greta@site.example",
      email_2: "g.h@home.example",
      company: "Nordlys, AS",
      department: "Ropes",
      job_title: "Master",
      business_phone: "+47 22 00 00 00",
      mobile_phone: "900 00 000",
      business_address: 'Quay 4\r\n"B" side',
      business_city: "Bergen; west",
      home_city: "Voss",
      street: "Quay 4",
      city: "Oslo",
      birthday: "1961-04-09",
      anniversary: "some day in May",
      web_page: "https://site.example/a,b;c",
      body: "line one\nline, two",
      assistant: "Ola\nNordmann",
    }),
  );
  const [read] = readCards(card!);
  const first = (name: string): unknown => read!.getFirstPropertyValue(name);
  expect(first("fn")).toBe("Halvorsen, Greta");
  expect(read!.getFirstProperty("n")!.getFirstValue()).toEqual(["Halvorsen; Berg", "Greta", "", "", ""]);
  expect(read!.getAllProperties("email").map((property) => property.getFirstValue())).toEqual([
    "greta@site.example",
    "g.h@home.example",
  ]);
  expect(first("org")).toEqual(["Nordlys, AS", "Ropes", ""]);
  expect(first("title")).toBe("Master");
  const phones = read!.getAllProperties("tel");
  expect(phones.map((property) => [property.getParameter("type"), property.getFirstValue()])).toEqual([
    [["work", "voice"], "+47 22 00 00 00"],
    ["cell", "900 00 000"],
  ]);
  const [parted, whole, home] = read!.getAllProperties("adr");
  expect(parted!.getFirstValue()).toEqual(["", "", "Quay 4", "Oslo", "", "", ""]);
  expect([whole!.getParameter("type"), whole!.getParameter("label")]).toEqual(["work", 'Quay 4\n"B" side']);
  expect(whole!.getFirstValue()).toEqual(["", "", "", "Bergen; west", "", "", ""]);
  expect([home!.getParameter("type"), home!.getFirstValue()]).toEqual(["home", ["", "", "", "Voss", "", "", ""]]);
  expect(String(first("bday"))).toBe("1961-04-09");
  expect(first("anniversary")).toBe("some day in May");
  expect(first("url")).toBe("https://site.example/a,b;c");
  expect(first("note")).toBe("line one\nline, two");
  expect(String(first("x-archivetool-assistant"))).toContain("Ola");
});

/** Text as stored: no control characters except line ends, and no surrounding white space. */
const fieldText = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 40 })
  .map((text) => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, "").trim())
  .filter((text) => text !== "");
const day = fc.date({ min: new Date("1900-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
const address = fc.constantFrom("https://site.example/a,b;c", "ftp://files.site.example/\\x", "urn:x:y");
const FIELD_TEXTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  birthday: day.map((date) => date.toISOString().slice(0, 10)),
  anniversary: day.map((date) => date.toISOString().slice(0, 10)),
  ...Object.fromEntries(
    ["web_page", "business_home_page", "personal_home_page", "ftp_site", "free_busy_address"].map((name) => [
      name,
      address,
    ]),
  ),
};
/** Outlook's copy of the main address: address parts without a type. */
const PLAIN = new Set(["post_office_box", "street", "city", "state", "postal_code", "country"]);
/** Fields that a card cannot distinguish, with the result of our own reader. */
const UNWRITTEN: Readonly<Record<string, string>> = {
  company_phone: "business_phone",
  business_home_page: "web_page",
  personal_home_page: "web_page",
  ftp_site: "web_page",
};
const contactFields = fc.record(
  Object.fromEntries(
    FIELDS.contact
      // An address that is stored whole and in parts is one property; without a type it is the other address.
      .filter(({ name }) => !/^(?:(?:business|home|other)_address|display_name)$/.test(name) && !PLAIN.has(name))
      .map(({ name }) => [name, FIELD_TEXTS[name] ?? fieldText]),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<Readonly<Record<string, string>>>;

it("writes every field so that another program and our reader restore it", () => {
  fc.assert(
    fc.property(contactFields, fieldText, (given, name) => {
      const entry = { display_name: name, ...given };
      const text = itemCard(item("contact", entry))!;
      const [read] = readCards(text);
      const values = read!
        .getAllProperties()
        .filter((property) => !["uid", "version"].includes(property.name))
        .flatMap((property) => {
          const texts = [property.getFirstValue()].flat().map(String);
          // That program does not know that extended properties are text (RFC 6350 section 6.10).
          return property.name.startsWith("x-") ? texts.map((text) => text.replace(/\\([,;\\])/g, "$1")) : texts;
        })
        .filter((value) => value !== "");
      expect(values.sort()).toEqual(Object.values(entry).sort());
      const [own] = readOwnCards(text).items;
      const readName = (field: string): string => (UNWRITTEN[field] ?? field).replace(/_\d$/, "");
      const pairs = (fields: Readonly<Record<string, string>>): readonly string[] =>
        Object.entries(fields)
          .filter(([field]) => !/^(?:business|home|other)_address$/.test(field))
          .map(([field, value]) => `${readName(field)}=${value}`)
          .sort();
      expect(pairs(own!.fields)).toEqual(pairs(entry));
    }),
  );
});

it("writes a distribution list as a group, and omits other items", () => {
  const list = itemCard(item("distribution_list", { name: "Crew", members: "Ann <ann@site.example>" }));
  const [read] = readCards(list!);
  expect([read!.getFirstPropertyValue("kind"), read!.getFirstPropertyValue("fn")]).toEqual(["group", "Crew"]);
  expect(list).toContain("X-ARCHIVETOOL-MEMBERS:Ann <ann@site.example>");
  for (const kind of ["task", "note", "journal", "other"] as const) expect(itemCard(item(kind, {}))).toBeNull();
});

/** Fields that a damaged or hostile store may contain. */
const fields = fc.dictionary(
  fc.constantFrom(
    "display_name",
    "given_name",
    "email_1",
    "company",
    "job_title",
    "body",
    "business_phone",
    "birthday",
    "home_address",
    "home_city",
  ),
  fc.string({ unit: "binary", maxLength: 120 }),
);

it("never lets a field end its line or card", () => {
  fc.assert(
    fc.property(fc.array(fields, { minLength: 1, maxLength: 4 }), (entries) => {
      const text = entries.map((entry) => itemCard(item("contact", entry))).join("");
      expect(readCards(text)).toHaveLength(entries.length);
      expect(text.match(/^END:VCARD\r$/gm)).toHaveLength(entries.length);
    }),
  );
});

it("writes a person so that another program reads name and addresses", () => {
  const name = fc.string({ unit: "grapheme", maxLength: 80 }).map((text) => text.replaceAll(/[\p{Cc}]/gu, ""));
  fc.assert(
    fc.property(name, fc.nat(99_999), (shown, messageCount) => {
      const text = vcard({
        id: "contact-000001",
        name: shown,
        email: "ann@site.example",
        aliases: ["a,b;c@site.example"],
        messageCount,
        firstSeen: Date.UTC(2001, 4, 1),
        lastSeen: null,
      });
      const [read] = readCards(text);
      expect(read!.getFirstPropertyValue("fn")).toBe(shown === "" ? "ann@site.example" : shown);
      expect(read!.getAllProperties("email").map((property) => property.getFirstValue())).toEqual([
        "ann@site.example",
        "a,b;c@site.example",
      ]);
    }),
  );
});
