import { expect, it } from "vitest";
import type { ItemKind, OutlookItem } from "../mail/item.ts";
import { itemAddresses } from "./item-addresses.ts";

const item = (kind: ItemKind, fields: Readonly<Record<string, string>>): OutlookItem => ({ kind, subject: "", fields });

it("gives every address of a contact under its name", () => {
  const fields = {
    display_name: "Ann Reed",
    email_1: "ann@mill.example",
    email_1_name: "Ann (work)",
    email_2: "/o=mill/cn=ann",
    email_3: "",
  };
  expect(itemAddresses(item("contact", fields))).toEqual([
    { name: "Ann Reed", email: "ann@mill.example" },
    { name: "Ann Reed", email: "/o=mill/cn=ann" },
  ]);
  expect(itemAddresses(item("contact", { given_name: "Ann", surname: "Reed", email_1: "a@b.example", email_3: "a@b.example" }))).toEqual([
    { name: "Ann Reed", email: "a@b.example" },
  ]);
});

it("gives none for what names nobody, was redacted, or is no contact", () => {
  expect(itemAddresses(item("contact", { email_1: "a@b.example" }))).toEqual([]);
  expect(itemAddresses(item("contact", { display_name: "Ann", email_1: "[REDACTED:email]", email_2: "+47 555" }))).toEqual([]);
  expect(itemAddresses(item("task", { display_name: "Ann", email_1: "a@b.example" }))).toEqual([]);
});
