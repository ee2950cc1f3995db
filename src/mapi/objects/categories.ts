import { PROPERTY_SET } from "../../properties/named-properties.ts";
import type { Properties } from "../../properties/properties.ts";
import { MULTIPLE } from "../../properties/property-bytes.ts";

/** `PidNameKeywords` ([MS-OXCMSG] 2.2.1.17). */
const KEYWORDS = { set: PROPERTY_SET.publicStrings, name: "Keywords" } as const;

/** The user's categories of an item. */
export function categoriesOf(properties: Properties): readonly string[] {
  const id = properties.named(KEYWORDS);
  const values = properties.texts(id);
  if (values.length === 0) return values;
  // Programs write a single text, with the separator that no category of Outlook contains.
  const names = (properties.source.typeOf(id)! & MULTIPLE) === 0 ? values[0]!.split(";") : values;
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ""))];
}
