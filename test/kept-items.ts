import type { AttachmentPart } from "../src/mail/records/message.ts";
import type { SourceItem, WorkUnit } from "../src/sources/reading/source.ts";
import { readUnit } from "../src/sources/work-units.ts";

/**
 * The items of a reader without the ends of files, to be looked at later. Attachments share memory with the item that is read next, or with the
 * next store: their bytes are copied at once, and what is made of them is made at once.
 */
export function keptItems(items: Iterable<SourceItem>): readonly SourceItem[] {
  const kept: SourceItem[] = [];
  for (const item of items) {
    if (item.kind === "file-end") continue;
    if (item.kind === "appointment") kept.push({ ...item, attachments: item.attachments.map(withBytes) });
    else kept.push(item.kind === "object" ? keptMessage(item) : item);
  }
  return kept;
}

/** The items of some units, as those of a reader. */
export async function keptItemsOf(units: Iterable<WorkUnit>): Promise<readonly SourceItem[]> {
  const kept: SourceItem[] = [];
  for (const unit of units) kept.push(...keptItems(await readUnit(unit)));
  return kept;
}

function keptMessage(item: Extract<SourceItem, { kind: "object" }>): SourceItem {
  const rendered = item.rendered();
  const message = { ...item.message, attachments: item.message.attachments.map(withBytes) };
  return { ...item, message, rendered: () => rendered };
}

function withBytes(part: AttachmentPart): AttachmentPart {
  const bytes = Buffer.from(part.bytes());
  return { ...part, bytes: () => bytes };
}
