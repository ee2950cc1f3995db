import { ByteReader } from "../../properties/byte-reader.ts";
import { PROPERTY_SET } from "../../properties/named-properties.ts";
import type { Properties } from "../../properties/properties.ts";

/** `PidLidTaskAssigners` ([MS-OXOTASK] 2.2.2.2.24): everyone who passed the task on, in order. */
const ASSIGNERS = { set: PROPERTY_SET.task, name: 0x8117 } as const;
/** Maximum assigners of one task, which can be reassigned. */
const MAX_ASSIGNERS = 100;

/** Names of the assigners of a task. */
export function assignersOf(properties: Properties): readonly string[] {
  const bytes = properties.binary(properties.named(ASSIGNERS));
  if (bytes === null) return [];
  const reader = new ByteReader(bytes);
  reader.skip(4);
  const count = Math.min(reader.uint32(), MAX_ASSIGNERS);
  const names: string[] = [];
  for (let index = 0; index < count && !reader.isCut; index++) {
    const name = assignerName(reader.view(reader.uint32()));
    if (name !== "") names.push(name);
  }
  return names;
}

/** An entry id, the name in an unknown code page, and the same name in Unicode. */
function assignerName(assigner: Buffer): string {
  const reader = new ByteReader(assigner);
  reader.skip(reader.uint32());
  const names = reader.view(reader.left);
  const end = names.indexOf(0);
  if (end < 0) return "";
  const [wide = ""] = names.toString("utf16le", end + 1).split("\0");
  return (wide === "" ? names.toString("latin1", 0, end) : wide).trim();
}
