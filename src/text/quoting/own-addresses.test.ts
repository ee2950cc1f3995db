import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownAddressesIn } from "./own-addresses.ts";

const ANN = { name: "Ann Reed", email: "ann.reed@mill.example" };

describe("other addresses of an author", () => {
  it.each([
    ["after `my`", "Hi Bo,\n\nmy new e-mail is tern77@free.example\n\nAnn", ["tern77@free.example"]],
    ["after `me`, below a colon", "Please reach me here:\n\nTern77@free.example\n\nAnn", ["tern77@free.example"]],
    ["in German", "Meine neue Adresse ist tern77@free.example.", ["tern77@free.example"]],
    ["in a signature with the name", "See you.\n\nAnn Reed\nMill Ltd.\nreed.a@free.example", ["reed.a@free.example"]],
    ["once", "Write to me at a@free.example or call. My address: a@free.example", ["a@free.example"]],
    ["not in another sentence", "Call me. Bo is at bo@quay.example", []],
    ["not those of others in a signature", "See you.\n\nAnn Reed\nMill Ltd.\nbo@quay.example", []],
    ["not in a quotation", "Fine.\n\n> my new e-mail is tern77@free.example", []],
    ["not in an older message", "Fine.\n\n-----Original Message-----\nFrom: Bo\n\nmy e-mail is bo7@free.example", []],
    ["not the address of the message", "My address is Ann.Reed@mill.example", []],
    ["not with letters before it", "My card: 555-0101/reed@free.example", []],
  ])("are found %s", (_, body, expected) => {
    expect(ownAddressesIn(body, ANN)).toEqual(expected);
  });

  it("are read from anything", () => {
    const text = fc.string({ unit: fc.constantFrom("my ", "@", "a", ".", "\n", "> ", "b.example", "Ann Reed", " ") });
    fc.assert(
      fc.property(text, (body) => {
        for (const found of ownAddressesIn(body, ANN)) expect(body.toLowerCase()).toContain(found);
      }),
    );
  });
});
