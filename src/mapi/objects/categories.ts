import { PROPERTY_SET } from "../../properties/named-properties.ts";
import type { Properties } from "../../properties/properties.ts";

/** `PidNameKeywords` ([MS-OXCMSG] 2.2.1.17). */
const KEYWORDS = { set: PROPERTY_SET.publicStrings, name: "Keywords" } as const;

/** The user's categories of an item. */
export function categoriesOf(properties: Properties): readonly string[] {
  return properties.texts(properties.named(KEYWORDS));
}
