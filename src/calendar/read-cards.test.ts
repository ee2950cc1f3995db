import fc from "fast-check";
import { expect, it } from "vitest";
import { readCards } from "./read-cards.ts";

const card = (...lines: readonly string[]): string => ["BEGIN:VCARD", ...lines, "END:VCARD", ""].join("\r\n");

it("reads names, addresses, numbers and dates into the fields of an address book", () => {
  const { items, findings } = readCards(
    card(
      "VERSION:4.0",
      "FN:Greta Moor",
      "N:Moor;Greta;Ann;Dr.;",
      "item1.EMAIL;type=INTERNET;type=pref:greta@mill.example",
      "EMAIL:moor@quay.example",
      "TEL;type=HOME;type=FAX:+47 5550 1",
      "TEL;TYPE=cell:+47 5550 2",
      "TEL;VALUE=uri;TYPE=cell:tel:+47-5550-3",
      "ORG:Mill;Ropes\\; lines",
      "ADR;TYPE=work:;;Quay 1;Bergen;;5003;Norway",
      "BDAY:19630920",
      "NOTE:Two\\nlines",
      "PHOTO;ENCODING=b;TYPE=JPEG:AAAA",
      "X-SKYPE:greta.moor",
    ),
  );
  expect(findings).toEqual([]);
  expect(items).toEqual([
    {
      kind: "contact",
      subject: "Greta Moor",
      fields: {
        display_name: "Greta Moor",
        surname: "Moor",
        given_name: "Greta",
        middle_name: "Ann",
        title: "Dr.",
        email_1: "greta@mill.example",
        email_2: "moor@quay.example",
        home_fax: "+47 5550 1",
        mobile_phone: "+47 5550 2",
        mobile_phone_2: "+47-5550-3",
        company: "Mill",
        department: "Ropes; lines",
        business_address: "Quay 1, Bergen, 5003, Norway",
        business_street: "Quay 1",
        business_city: "Bergen",
        business_postal_code: "5003",
        business_country: "Norway",
        birthday: "1963-09-20",
        body: "Two\nlines",
        has_picture: "true",
        x_skype: "greta.moor",
      },
    },
  ]);
});

it("reads groups, and cards of version 2.1", () => {
  const text =
    card("KIND:group", "FN:Crew", "MEMBER:mailto:a@mill.example", "MEMBER:mailto:b@mill.example") +
    card("VERSION:2.1", "FN;CHARSET=UTF-8;QUOTED-PRINTABLE:J=C3=B8rn", "TEL;WORK;FAX:55501");
  expect(readCards(text).items).toEqual([
    {
      kind: "distribution_list",
      subject: "Crew",
      fields: { display_name: "Crew", members: "a@mill.example; b@mill.example" },
    },
    { kind: "contact", subject: "Jørn", fields: { display_name: "Jørn", business_fax: "55501" } },
  ]);
});

it("reads a card without an end, and the next one", () => {
  expect(readCards(`begin:vcard\nFN:One\n${card("FN:Two")}`).items.map(({ subject }) => subject)).toEqual([
    "One",
    "Two",
  ]);
});

it("never throws, and keeps every card", () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom("N:;;\\", "TEL;=:1", 'ADR;LABEL="', "--PROTO--:x", "CONSTRUCTOR:y", "MEMBER:", "BDAY:\\n"),
  );
  fc.assert(
    fc.property(fc.array(fc.array(line)), (cards) => {
      const clean = cards.map((lines) => lines.map((each) => each.replace(/begin:vcard/gi, "")));
      expect(readCards(clean.map((lines) => card(...lines)).join("")).items).toHaveLength(cards.length);
    }),
  );
});
