import { transportHeaders } from "../../mapi/message/mapi-message.ts";
import { type MapiAddress, x500Directory, x500Name } from "../../mapi/objects/mapi-address.ts";
import { sendersOf } from "../../mapi/objects/senders.ts";
import { PROPERTY_SET } from "../../properties/named-properties.ts";
import type { Properties } from "../../properties/properties.ts";
import type { NodeData } from "../../pst/ltp/property-context.ts";
import type { MessageStore } from "../../pst/messaging/message-store.ts";
import { readAddressedObject } from "./pst-object.ts";

/** X.500 names (lower case) with their SMTP addresses: plain data, because every unit of the store includes it. */
type X500Entries = readonly (readonly [string, string])[];

/**
 * Items sampled to detect whether a store came from Exchange. Stores of internet mail have no X.500 names and skip a
 * scan that would take half of the reading time. Names in one of 25 items are missed in 5 of 1,000 stores.
 */
const SAMPLE_ITEMS = 128;
/** Maximum names of one store: the address books of the largest companies have as many. */
const MAX_NAMES = 200_000;

/**
 * Fields of a contact for an address and, for one from an Exchange address book, its SMTP form ([MS-OXOCNTC] 2.2.1.2).
 */
const CONTACT_ADDRESSES = [0x8083, 0x8093, 0x80a3].map((email) => ({
  email: { set: PROPERTY_SET.address, name: email },
  original: { set: PROPERTY_SET.address, name: email + 1 },
}));

/** The items of a store: with a node, or only with blocks if their node is lost. */
interface DirectoryItems {
  readonly nids: Uint32Array;
  readonly withoutNode: readonly NodeData[];
}

/**
 * Collects SMTP addresses for X.500 names: for each name that some item cannot resolve itself, the address from
 * another item's recipients, sender, transport headers or contact. The first in store order counts, and properties
 * before headers, so the result does not depend on how the file is divided.
 */
export function readDirectory(store: MessageStore, { nids, withoutNode }: DirectoryItems): X500Entries {
  const isSampled = nids.length > SAMPLE_ITEMS;
  const sample = isSampled
    ? Uint32Array.from({ length: SAMPLE_ITEMS }, (_, at) => nids[Math.floor((at * nids.length) / SAMPLE_ITEMS)]!)
    : nids;
  const seen = survey(store, { nids: sample, withoutNode });
  if (!isSampled || seen.asked.size === 0) return entriesOf(seen);
  return entriesOf(survey(store, { nids, withoutNode }));
}

interface Survey {
  /** Names that some item could not resolve. */
  readonly asked: Set<string>;
  readonly fromRecipients: Map<string, string>;
  readonly fromHeaders: Map<string, string>;
}

function survey(store: MessageStore, items: DirectoryItems): Survey {
  const seen: Survey = { asked: new Set(), fromRecipients: new Map(), fromHeaders: new Map() };
  for (const node of nodesOf(store, items)) {
    if (seen.asked.size >= MAX_NAMES || seen.fromRecipients.size >= MAX_NAMES) break;
    look(store, node, seen);
  }
  store.database.startItem();
  return seen;
}

function* nodesOf(store: MessageStore, { nids, withoutNode }: DirectoryItems): Generator<NodeData | null> {
  for (const nid of nids) {
    store.database.startItem();
    yield store.database.node(nid);
  }
  for (const blocks of withoutNode) {
    store.database.startItem();
    yield blocks;
  }
}

function look(store: MessageStore, node: NodeData | null, seen: Survey): void {
  const object = node === null ? null : readAddressedObject(store, node);
  if (object === null) return;
  const { represented, sending } = sendersOf(object.properties);
  const mailboxes = [
    ...object.recipients.map(({ mailbox }) => mailbox),
    represented,
    sending,
    ...contactMailboxes(object.properties),
  ];
  const own = x500Directory(mailboxes);
  for (const [name, smtp] of own) if (!seen.fromRecipients.has(name)) seen.fromRecipients.set(name, smtp);
  const open = mailboxes.map(lowerName).filter((name) => name !== null && !own.has(name)) as string[];
  for (const name of open) seen.asked.add(name);
  // The From field is the represented sender ([MS-OXCMAIL] 2.1.3.1.4).
  const name = lowerName(represented);
  if (name === null || !open.includes(name) || seen.fromHeaders.has(name)) return;
  const headers = transportHeaders(object.properties);
  const from = headers === null || headers.findings.length > 0 ? "" : (headers.envelope.from?.email ?? "");
  if (from.includes("@") && !from.startsWith("/") && !/^imceaex-/i.test(from)) seen.fromHeaders.set(name, from);
}

/** X.500 names are equal in any case. */
function lowerName(mailbox: MapiAddress): string | null {
  return x500Name(mailbox)?.toLowerCase() ?? null;
}

function contactMailboxes(properties: Properties): readonly MapiAddress[] {
  const found: MapiAddress[] = [];
  for (const { email, original } of CONTACT_ADDRESSES) {
    const address = properties.text(properties.named(email));
    if (address !== null)
      found.push({
        name: null,
        email: address,
        smtp: properties.text(properties.named(original)),
        entryId: null,
      });
  }
  return found;
}

function entriesOf({ asked, fromRecipients, fromHeaders }: Survey): X500Entries {
  const entries: [string, string][] = [];
  for (const name of asked) {
    const smtp = fromRecipients.get(name) ?? fromHeaders.get(name);
    if (smtp !== undefined) entries.push([name, smtp]);
  }
  return entries;
}
