import type { AttachmentPart } from "../src/mail/records/message.ts";
import type { SourceItem, WorkUnit } from "../src/sources/reading/source.ts";
import { readUnit } from "../src/sources/work-units.ts";

/**
 * Items of a reader without the ends of files, for later use. Attachments share memory with the next item or store, so
 * their bytes are copied, and derived values are computed, immediately.
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

/** Items of several units, as from a reader. */
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
