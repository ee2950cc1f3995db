import { expect, it } from "vitest";
import { sampleContact } from "../../test/graph-sample.ts";
import type { Contact } from "../mail/records/contact.ts";
import { communityId } from "../mail/records/ids.ts";
import { ContactColumns } from "./contact-network.ts";

const contact = (ordinal: number, email: string, messageCount: number, community: number): Contact =>
  sampleContact(ordinal, { name: "", email, messageCount, communityId: communityId(community) });

it("names the most active person of each community, or its most active address", () => {
  const contacts = new ContactColumns();
  contacts.add(contact(1, "noreply@mill.example", 9, 1));
  contacts.add(contact(2, "ann@mill.example", 3, 1));
  contacts.add(contact(4, "bo@mill.example", 5, 1));
  // A document may have any number.
  contacts.add(contact(7, "noreply@quay.example", 2, 90));
  const leaders = Array.from(contacts.communityLeaders(), (index) => contacts.titleOf(index));
  expect(leaders).toEqual(["bo@mill.example", "bo@mill.example", "bo@mill.example", "noreply@quay.example"]);
});
