import * as z from "zod";
import { publishedDate } from "../../../document/published-values.ts";
import { type Archive, CONTACT_SORTS, type Page } from "../../../mail/archive.ts";
import type { ExploredQuery, Facet, QueryHits } from "../../../mail/exploration.ts";
import type { Contact, ContactDetail } from "../../../mail/records/contact.ts";
import type { ContactId } from "../../../mail/records/ids.ts";
import { addressCardsOf } from "../../../outputs/address-cards.ts";
import { orNotFound, type QueryRoute, queryRoute } from "../../query-api/query-route.ts";
import { filter, limit, noParameters, offset, sortBy } from "../../query-api/wire-requests.ts";
import { peopleOfCommunity } from "../setting/communities.ts";
import { disambiguateLabels } from "../setting/disambiguate-labels.ts";
import { facetWire, timelineWire } from "../setting/facet-wire.ts";
import { namesakesOf } from "../setting/namesakes.ts";
import { peopleOfThreads } from "../setting/thread-people.ts";
import {
  type FiguresWire,
  type PeopleWire,
  type PersonDetailWire,
  type PersonRowWire,
  peopleSchema,
  personDetailSchema,
} from "../wire/wire-people.ts";

/** Maximum people per page: three queries are counted for each. */
const MAX_PEOPLE = 100;
/** Number of correspondents returned, and number of candidates counted to find them. */
const COUNTERPARTS = 25;
const COUNTED_COUNTERPARTS = 500;
const DIRECTIONS = ["there", "back"] as const;
/** The contact id in a clause of a facet. */
const CONTACT_ID = /contact-\d+/;
/** Number of other community members that are listed. */
const LEADING = 3;
/** Maximum facet values of a person. */
const VALUES = 12;

export const peopleRoutes: readonly QueryRoute[] = [
  queryRoute({
    path: "/people",
    summary: "People, sorted by activity, name or last seen; optionally of one conversation or community",
    parameters: z.object({
      search: filter("substring of a name or address, ignoring case and accents"),
      community: filter("community id: its members, most active first"),
      thread: filter("conversation id: its participants in order of appearance"),
      sort: sortBy(CONTACT_SORTS),
      limit: limit(50, MAX_PEOPLE),
      offset,
    }),
    data: peopleSchema,
    async answer({ archive, parameters: { search, thread, community, sort, ...page } }) {
      if (thread) return listed(archive, await peopleOfThread(archive, thread), page);
      if (community) return listed(archive, await peopleOfCommunity(archive, community), page);
      const { items, total } = await archive.contacts.list(sort, page, search);
      return { total, people: await rowsOf(archive, items) };
    },
  }),
  queryRoute({
    path: "/people/{contact_id}",
    summary: "One person: addresses with evidence, mail by month, contacts, topics and namesakes",
    parameters: noParameters,
    data: personDetailSchema,
    async answer({ archive, id }) {
      return detailWire(archive, orNotFound(await archive.contacts.get(id), "Contact", id));
    },
  }),
];

async function peopleOfThread(archive: Archive, id: string): Promise<readonly ContactId[]> {
  const [people] = await peopleOfThreads(archive, [orNotFound(await archive.threads.get(id), "Thread", id)]);
  return people!;
}

/** Returns a page of people in order. */
async function listed(
  archive: Archive,
  people: readonly ContactId[],
  { offset: from, limit: most }: Page,
): Promise<PeopleWire> {
  const shown = await contactsOf(archive, people.slice(from, from + most));
  return { total: people.length, people: await rowsOf(archive, shown) };
}

async function contactsOf({ contacts }: Archive, ids: readonly ContactId[]): Promise<readonly ContactDetail[]> {
  const found = await Promise.all(ids.map((id) => contacts.get(id)));
  return found.filter((contact) => contact !== null);
}

/** The community of a person: its size, and the most active other members. */
async function communityWire(archive: Archive, { id, communityId }: Contact): Promise<PersonDetailWire["community"]> {
  const members = await peopleOfCommunity(archive, communityId);
  const others = members.filter((member) => member !== id).slice(0, LEADING);
  const leading = await contactsOf(archive, others);
  return {
    members: members.length,
    leading: leading.map(({ id: other, name, email }) => ({ contact_id: other, name: name || email })),
  };
}

/** Queries for messages that a person sent, received, or either. */
const CLAUSES = {
  sent: (id: ContactId) => `from:${id}`,
  received: (id: ContactId) => `(to:${id} OR cc:${id})`,
  all: (id: ContactId) => `person:${id}`,
  mentioned: (id: ContactId) => `mentions:${id}`,
} as const;

const everyWord = (query: string): ExploredQuery => ({ query, match: "all" });

export function figuresWire(clause: string, { messages, conversations, first, last }: QueryHits): FiguresWire {
  return { clause, messages, conversations, first: publishedDate(first), last: publishedDate(last) };
}

async function rowsOf(archive: Archive, contacts: readonly Contact[]): Promise<PersonRowWire[]> {
  const clauses = contacts.map(({ id }) => [CLAUSES.sent(id), CLAUSES.received(id), CLAUSES.all(id)] as const);
  const hits = await archive.explore.hits(clauses.flat().map(everyWord));
  return contacts.map(({ id, name, email, aliases, sentiment, communityId }, at) => {
    const [sent, received, all] = clauses[at]!;
    return {
      contact_id: id,
      name,
      email,
      alias_count: aliases.length,
      sent: figuresWire(sent, hits[3 * at]!),
      received: figuresWire(received, hits[3 * at + 1]!),
      all: figuresWire(all, hits[3 * at + 2]!),
      sentiment,
      community_id: communityId,
    };
  });
}

async function detailWire(archive: Archive, contact: ContactDetail): Promise<PersonDetailWire> {
  const { id } = contact;
  const [[row], sentTimeline, receivedTimeline, counterparts, facets, [mentioned], namesakes, cards, community] =
    await Promise.all([
      rowsOf(archive, [contact]),
      archive.explore.timeline({ ...everyWord(CLAUSES.sent(id)), by: "month" }),
      archive.explore.timeline({ ...everyWord(CLAUSES.received(id)), by: "month" }),
      counterpartsOf(archive, id),
      archive.explore.facets({
        ...everyWord(CLAUSES.all(id)),
        of: ["topic", "domain", "mailbox", "type"],
        limit: VALUES,
      }),
      archive.explore.facets({ ...everyWord(CLAUSES.mentioned(id)), of: ["from"], limit: VALUES }),
      namesakesOf(archive, contact),
      addressCardsOf(archive, contact),
      communityWire(archive, contact),
    ]);
  return {
    ...row!,
    community,
    addresses: addressesOf(contact),
    address_book: cards.map(({ id: item, phones, ...card }) => ({ item_id: item, ...card, phones: [...phones] })),
    sent_timeline: timelineWire(sentTimeline),
    received_timeline: timelineWire(receivedTimeline),
    counterparts,
    facets: facets.map(facetWire),
    mentioned_by: facetWire(mentioned!),
    namesakes,
  };
}

function addressesOf({ email, aliases, evidence }: ContactDetail): PersonDetailWire["addresses"] {
  const reasons = new Map(evidence.map(({ address, reason }) => [address, reason]));
  return [email, ...aliases]
    .filter((address) => address !== "")
    .map((address) => ({ address, reason: reasons.get(address) ?? null }));
}

interface Counterpart {
  readonly name: string;
  /** Null if the list of the most frequent does not contain it. */
  there: number | null;
  back: number | null;
}

/** The most frequent correspondents of a person, including Cc and Bcc, as the view of two people counts them. */
async function counterpartsOf(archive: Archive, id: ContactId): Promise<PersonDetailWire["counterparts"]> {
  const most = { limit: COUNTED_COUNTERPARTS };
  const [[to], [from]] = await Promise.all([
    archive.explore.facets({ ...everyWord(CLAUSES.sent(id)), of: ["recipient"], ...most }),
    archive.explore.facets({ ...everyWord(CLAUSES.received(id)), of: ["from"], ...most }),
  ]);
  const found = new Map<ContactId, Counterpart>();
  const add = (facet: Facet, direction: "there" | "back"): void => {
    for (const { clause, label, count } of facet.values) {
      const other = CONTACT_ID.exec(clause)?.[0] as ContactId | undefined;
      if (other === undefined || other === id) continue;
      const known = found.get(other) ?? { name: label, there: null, back: null };
      known[direction] = count;
      found.set(other, known);
    }
  };
  const [facetThere, back] = await disambiguateLabels(archive, [to!, from!]);
  add(facetThere!, "there");
  add(back!, "back");
  const shown = Array.from(found)
    .sort(([, left], [, right]) => weightOf(right) - weightOf(left))
    .slice(0, COUNTERPARTS)
    .map(([other, counts]) => ({
      ...counts,
      id: other,
      clauses: {
        there: `${CLAUSES.sent(id)} ${CLAUSES.received(other)}`,
        back: `${CLAUSES.sent(other)} ${CLAUSES.received(id)}`,
      },
    }));
  const open = shown.flatMap(({ clauses, ...counts }) =>
    DIRECTIONS.filter((direction) => counts[direction] === null).map((direction) => clauses[direction]),
  );
  const hits = await archive.explore.hits(open.map(everyWord));
  const counted = new Map(open.map((clause, at) => [clause, hits[at]!.messages]));
  return shown
    .map(({ id: other, name, there, back: received, clauses }) => ({
      contact_id: other,
      name,
      there: there ?? counted.get(clauses.there)!,
      there_clause: clauses.there,
      back: received ?? counted.get(clauses.back)!,
      back_clause: clauses.back,
    }))
    .sort((left, right) => weightOf(right) - weightOf(left));
}

function weightOf({ there, back }: Pick<Counterpart, "there" | "back">): number {
  return (there ?? 0) + (back ?? 0);
}
