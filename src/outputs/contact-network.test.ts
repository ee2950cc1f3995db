import { expect, it } from "vitest";
import type { Contact } from "../mail/records/contact.ts";
import { communityId, contactId } from "../mail/records/ids.ts";
import type { ContactOrdinal } from "../mail/records/ordinal.ts";
import { ContactColumns } from "./contact-network.ts";

const contact = (ordinal: number, email: string, messageCount: number, community: number): Contact => ({
  id: contactId(ordinal as ContactOrdinal),
  name: "",
  email,
  aliases: [],
  domains: [],
  messageCount,
  sentCount: messageCount,
  receivedCount: 0,
  frequency: "low",
  sentiment: "neutral",
  firstSeen: null,
  lastSeen: null,
  communityId: communityId(community),
  authorityScore: 0,
  hubScore: 0,
  pagerank: 0,
  degree: 0,
  inDegree: 0,
  outDegree: 0,
});

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
