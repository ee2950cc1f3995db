import type { Finding } from "../../mail/records/message.ts";
import type { ItemPlace, SourceItem } from "./source.ts";

/** A note about a place: no item, but the report shall tell. */
export function noteOf(damage: Finding, place: ItemPlace, sha256: string | null): SourceItem {
  return { kind: "note", code: damage.code, message: damage.message, sha256, ...place };
}
