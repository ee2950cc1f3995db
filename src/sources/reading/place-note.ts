import type { Finding } from "../../mail/records/message.ts";
import type { ItemPlace, SourceItem } from "./source.ts";

/** A note about a location for the report. */
export function noteOf(damage: Finding, place: ItemPlace, sha256: string | null): SourceItem {
  return { kind: "note", code: damage.code, message: damage.message, sha256, ...place };
}
