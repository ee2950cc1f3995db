import type { Archive } from "../../mail/archive.ts";
import { type ArchivedItem, ITEM_KINDS, type ItemKind, SAVED_FILES_FIELD } from "../../mail/records/item.ts";
import { formatCount } from "../../text/tokens/format-count.ts";
import { inline, paragraphs, section } from "./markdown.ts";
import type { PageDirectory } from "./page-directory.ts";
import { type PagePlan, PagePlanner } from "./page-plan.ts";
import { PagedList } from "./paged-list.ts";
import type { Vault } from "./vault.ts";

/** Maximum items per page. */
const PAGE_SIZE = 500;

/** List of address book entries. */
export const ADDRESS_BOOK = { path: "items/contacts", title: "Address book" } as const;

/** The list of each kind of Outlook item: its path below the vault without `.md`, and its title. */
const LISTS: Readonly<Record<ItemKind, { readonly path: string; readonly title: string }>> = {
  contact: ADDRESS_BOOK,
  distribution_list: { path: "items/distribution-lists", title: "Distribution lists" },
  task: { path: "items/tasks", title: "Tasks" },
  note: { path: "items/notes", title: "Notes" },
  journal: { path: "items/journal", title: "Journal" },
  rule: { path: "items/rules", title: "Mailbox rules" },
  out_of_office: { path: "items/out-of-office", title: "Out-of-office replies" },
  other: { path: "items/other", title: "Other items" },
};

/** Number of items of each kind that occurs in an archive. */
export type ItemCounts = ReadonlyMap<ItemKind, number>;

/** Writes Outlook items other than mail and appointments: a list per kind, in id order, with all fields. */
export async function writeItems(archive: Archive, directory: PageDirectory, vault: Vault): Promise<ItemCounts> {
  const plans = await planItems(archive, vault);
  const lists = new Map(
    [...plans].map(([kind, plan]) => [
      kind,
      new PagedList(directory, { ...LISTS[kind], facts: {}, plan, head: "" }, vault.links),
    ]),
  );
  for await (const batch of archive.items.scan()) {
    for (const item of batch) lists.get(item.kind)?.add(itemBlock(item, vault));
  }
  for (const list of lists.values()) list.close();
  return new Map([...plans].map(([kind, { total }]) => [kind, total]));
}

/** Links to the lists, for the index; no section without items. */
export function itemSections(counts: ItemCounts, vault: Vault): readonly string[] {
  if (counts.size === 0) return [];
  const rows = [...counts].map(([kind, count]) => [
    vault.links.page(LISTS[kind].path, LISTS[kind].title, true),
    formatCount(count),
  ]);
  return [section("Outlook items", ["List", "Items"], rows)];
}

/** A value, with a link when it is the address of a contact that has a page. */
function linkedAddress(value: string, vault: Vault): string {
  const contact = vault.contactOf(value);
  return contact === undefined ? inline(value) : vault.contact(contact, value, false);
}

function savedFileLine(path: string, vault: Vault): string {
  return `- **saved** ${vault.links.file(path, path.slice(path.lastIndexOf("/") + 1), false)}`;
}

async function planItems(archive: Archive, vault: Vault): Promise<ReadonlyMap<ItemKind, PagePlan>> {
  const planners = new Map(ITEM_KINDS.map((kind) => [kind, new PagePlanner(PAGE_SIZE)]));
  for await (const batch of archive.items.scan()) {
    for (const item of batch) planners.get(item.kind)!.add(Buffer.byteLength(itemBlock(item, vault)));
  }
  const plans = [...planners].map(([kind, planner]) => [kind, planner.plan()] as const);
  return new Map(plans.filter(([, { total }]) => total > 0));
}

function itemBlock({ id, subject, mailbox, source, fields }: ArchivedItem, vault: Vault): string {
  const lines = [
    `## ${inline(subject) || "(no subject)"}`,
    "",
    `- **Id** \`${id}\``,
    `- **Mailbox** ${vault.mailbox(mailbox, source)}`,
  ];
  const long: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    const title = `**${inline(name.replaceAll("_", " "))}**`;
    if (name === SAVED_FILES_FIELD) lines.push(...value.split("\n").map((path) => savedFileLine(path, vault)));
    // Multi-line values, such as the text of a note, stay multi-line.
    else if (value.trim().includes("\n")) long.push(title, "", paragraphs(value), "");
    else lines.push(`- ${title} ${linkedAddress(value, vault)}`);
  }
  return [...lines, "", ...long, ""].join("\n");
}
