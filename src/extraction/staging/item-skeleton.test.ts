import { expect, it } from "vitest";
import type { ItemKind, OutlookItem } from "../../mail/records/item.ts";
import { itemSkeleton } from "./item-skeleton.ts";

const item = (kind: ItemKind, fields: Readonly<Record<string, string>>): OutlookItem => ({ kind, subject: "", fields });
const addressesOf = (one: OutlookItem) => itemSkeleton(one, "Contacts").addresses;

it("returns every address of a contact with its name", () => {
  const fields = {
    display_name: "Ann Reed",
    email_1: "ann@mill.example",
    email_1_name: "Ann (work)",
    email_2: "/o=mill/cn=ann",
    email_3: "",
  };
  expect(addressesOf(item("contact", fields))).toEqual([
    { name: "Ann Reed", email: "ann@mill.example" },
    { name: "Ann Reed", email: "/o=mill/cn=ann" },
  ]);
  expect(
    addressesOf(
      item("contact", { given_name: "Ann", surname: "Reed", email_1: "a@b.example", email_3: "a@b.example" }),
    ),
  ).toEqual([{ name: "Ann Reed", email: "a@b.example" }]);
});

it("returns the members of a distribution list", () => {
  const members =
    "Ann Reed <ann@mill.example>; bo@mill.example <bo@mill.example>; <cy@mill.example>; Dot <x>; Ed <Ned> <ed@mill.example>";
  expect(addressesOf(item("distribution_list", { name: "All", members }))).toEqual([
    { name: "Ann Reed", email: "ann@mill.example" },
    { name: "Ed <Ned>", email: "ed@mill.example" },
  ]);
  expect(addressesOf(item("distribution_list", { members: "Ann <[REDACTED:email]>" }))).toEqual([]);
});

it("returns nothing without a name, after redaction, and for other items", () => {
  expect(addressesOf(item("contact", { email_1: "a@b.example" }))).toEqual([]);
  expect(
    addressesOf(item("contact", { display_name: "Ann", email_1: "[REDACTED:email]", email_2: "+47 555" })),
  ).toEqual([]);
  expect(addressesOf(item("task", { display_name: "Ann", email_1: "a@b.example" }))).toEqual([]);
});

it("identifies an item by its fields and mailbox", () => {
  const fields = { name: "Mill" };
  const { key } = itemSkeleton(item("note", fields), "Notes");
  expect(itemSkeleton(JSON.parse(JSON.stringify(item("note", fields))), "Notes").key).toBe(key);
  expect(itemSkeleton(item("note", fields), "Old notes").key).not.toBe(key);
  expect(itemSkeleton(item("task", fields), "Notes").key).not.toBe(key);
  expect(itemSkeleton(item("note", { name: "Quay" }), "Notes").key).not.toBe(key);
});
