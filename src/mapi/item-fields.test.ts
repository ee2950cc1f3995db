import { expect, it } from "vitest";
import { fullRange } from "../properties/byte-range.ts";
import { NO_CONTEXT, Properties } from "../properties/properties.ts";
import { TYPE } from "../properties/property-bytes.ts";
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
