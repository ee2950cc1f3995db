import { expect, it } from "vitest";
import { objectOf } from "../../test/msg-writer/made-object.ts";
import { oneOffEntryId } from "../../test/pst-writer/item-blobs.ts";
import { binary, text, time, type WrittenProperty } from "../../test/pst-writer/property-writer.ts";
import { fullRange } from "../properties/byte-range.ts";
import { PROPERTY_SET } from "../properties/named-properties.ts";
import { joinValues, NO_CONTEXT, Properties } from "../properties/properties.ts";
import { MULTIPLE, TYPE } from "../properties/property-bytes.ts";
import { PID } from "../properties/property-ids.ts";
import { readItemFields } from "./item-fields.ts";

it("reads the fields of a contact that also has a property of id 0", () => {
  const values = new Map([
    [0, ""],
    [0x3001, "Ann Lee"],
    [0x3a1a, "+1 555 0100"],
  ]);
  const source = {
    typeOf: (id: number) => (values.has(id) ? TYPE.string : null),
    rangeOf: (id: number) => (values.has(id) ? fullRange(Buffer.from(values.get(id)!, "utf16le")) : null),
    ids: () => values.keys(),
  };
  expect(readItemFields(new Properties(source, NO_CONTEXT), "contact", null)).toEqual({
    kind: "contact",
    subject: "Ann Lee",
    fields: { display_name: "Ann Lee", primary_phone: "+1 555 0100" },
  });
});

it.each<[string, (address: (name: number) => number) => readonly WrittenProperty[], string | undefined]>([
  ["its original form", (address) => [text(address(0x8084), "ada@x.example")], "ada@x.example"],
  ["the displayed name", (address) => [text(address(0x8080), "Ada (ada@x.example)")], "ada@x.example"],
  ["an entry id", (address) => [binary(address(0x8085), oneOffEntryId("Ada", "ada@x.example"))], "ada@x.example"],
  [
    "the displayed name of an X.500 address",
    (address) => [text(address(0x8083), "/o=X/cn=ada"), text(address(0x8080), "Ada (ada@x.example)")],
    "ada@x.example",
  ],
  ["PR_SMTP_ADDRESS", () => [text(PID.smtpAddress, "ada@x.example")], "ada@x.example"],
  [
    "PR_EMAIL_ADDRESS",
    (address) => [text(address(0x8083), "/o=X/cn=ada"), text(PID.emailAddress, "ada@x.example")],
    "ada@x.example",
  ],
  ["nothing", (address) => [text(address(0x8080), "Ada")], undefined],
])("finds the address of a contact in %s", (_, made, email) => {
  const { properties } = objectOf((named) => ({
    properties: [text(PID.displayName, "Ada"), ...made((name) => named({ set: PROPERTY_SET.address, name }))],
  }));
  expect(readItemFields(properties, "contact", null).fields["email_1"]).toBe(email);
});

it.each<[string, (address: (name: number) => number) => readonly WrittenProperty[], string]>([
  ["its names", () => [text(0x3a06, "Ada"), text(0x3a11, "Reed"), text(0x3a16, "Mill")], "Ada Reed"],
  ["the name it is filed as", (address) => [text(address(0x8005), "Reed, Ada"), text(0x3a16, "Mill")], "Reed, Ada"],
  ["its company", () => [text(PID.subject, ""), text(0x3a16, "Mill")], "Mill"],
  ["its address", (address) => [text(address(0x8083), "ada@x.example")], "ada@x.example"],
])("titles a contact without a displayed name by %s", (_, made, subject) => {
  const { properties } = objectOf((named) => ({
    properties: made((name) => named({ set: PROPERTY_SET.address, name })),
  }));
  expect(readItemFields(properties, "contact", null).subject).toBe(subject);
});

it("uses the common dates of a task without its own", () => {
  const { properties } = objectOf((named) => ({
    properties: [
      time(named({ set: PROPERTY_SET.common, name: 0x8516 }), Date.UTC(2021, 4, 12)),
      time(named({ set: PROPERTY_SET.common, name: 0x8517 }), Date.UTC(2021, 4, 14)),
    ],
  }));
  expect(readItemFields(properties, "task", null).fields).toMatchObject({
    start_date: "2021-05-12",
    due_date: "2021-05-14",
  });
});

it("lists members of an Exchange address book by their X.500 names", () => {
  const entryId = Buffer.concat([
    Buffer.from("00000000dca740c8c042101ab4b908002b2fe1820100000000000000", "hex"),
    Buffer.from("/o=X/cn=bob\0"),
  ]);
  const members = [entryId, oneOffEntryId("Ada", "ada@x.example")];
  const { properties } = objectOf((named) => ({
    properties: [
      {
        id: named({ set: PROPERTY_SET.address, name: 0x8055 }),
        type: TYPE.binary | MULTIPLE,
        bytes: joinValues(members),
      },
    ],
  }));
  expect(readItemFields(properties, "distribution_list", null).fields["members"]).toBe(
    "</o=X/cn=bob>; Ada <ada@x.example>",
  );
});
