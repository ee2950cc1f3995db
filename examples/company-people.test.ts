import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchDirectory } from "../test/e2e/cli.ts";
import { extractInline, withArchive } from "../test/property/extraction.ts";
import { EXAMPLE_SEED, exampleCompany } from "./company/company.ts";
import { PEOPLE } from "./company/people.ts";
import { writeSources } from "./mailbox-files.ts";

it("makes each person of the company one contact, wherever they write from", async () => {
  const directory = scratchDirectory("company-people");
  const sources = writeSources(exampleCompany(EXAMPLE_SEED), join(directory, "mail"));
  await extractInline(sources, join(directory, "archive"));
  const contactOf = new Map<string, string>();
  await withArchive(join(directory, "archive"), async (archive) => {
    for await (const batch of archive.contacts.scan())
      for (const { name, email, aliases } of batch)
        for (const address of [email, ...aliases]) contactOf.set(address.toLowerCase(), `${name} <${email}>`);
  });
  const owners = [...PEOPLE.values()].map(({ first, last, email, otherEmails }) => {
    const contacts = [email, ...otherEmails].map((address) => contactOf.get(address.toLowerCase()));
    return { person: `${first} ${last}`, contacts: [...new Set(contacts.filter((contact) => contact !== undefined))] };
  });
  for (const { person, contacts } of owners) expect(contacts, person).toHaveLength(1);
  expect(new Set(owners.map(({ contacts }) => contacts[0])).size).toBe(PEOPLE.size);
});
