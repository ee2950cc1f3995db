import { ByteReader } from "../../properties/byte-reader.ts";
import type { PropertyName } from "../../properties/named-properties.ts";
import { type Properties, splitValues } from "../../properties/properties.ts";
import { bytesOf, MULTIPLE, TYPE } from "../../properties/property-bytes.ts";
import { address } from "./item-field-rows.ts";
import { type MapiAddress, readOneOff, x500OfEntryId } from "./mapi-address.ts";

const ONE_OFF_MEMBERS = address(0x8054);
const MEMBERS = address(0x8055);
/** Both lists again, if they exceed the size limit of a property ([MS-OXOCNTC] 2.2.2.2.4). */
const MEMBER_STREAM = address(0x8064);
/** Maximum members read of one list; Outlook stops near 1,000 without the stream. */
const MAX_MEMBERS = 10_000;

/** The members of a distribution list, each as `Name <address>`; "" if none is readable. */
export function membersText(properties: Properties): string {
  const streamed = streamedIds(properties);
  const oneOffs = streamed.length > 0 ? streamed : entryIds(properties, ONE_OFF_MEMBERS);
  return (oneOffs.length > 0 ? oneOffs : entryIds(properties, MEMBERS))
    .map((entryId) => memberOf(unwrapped(entryId), properties))
    .filter((member) => member !== null)
    .map(({ name, email }) => `${name ?? ""} <${email ?? ""}>`.trim())
    .join("; ");
}

/** A member with its own address, or of an Exchange address book; null for a contact in another folder. */
function memberOf(entryId: Buffer, properties: Properties): Pick<MapiAddress, "name" | "email"> | null {
  const oneOff = readOneOff(entryId, (text) => properties.decodeAnsi(text));
  if (oneOff !== null) return oneOff;
  const email = x500OfEntryId(entryId);
  return email === null ? null : { name: null, email };
}

/** Provider UID of wrapped members ([MS-OXOCNTC] 2.2.2.2.4.1.2), and the offset of the inner entry id. */
const WRAPPED_UID = Buffer.from("c091add3519dcf11a4a900aa0047faa4", "hex");
const WRAPPED_HEADER = 21;

function unwrapped(entryId: Buffer): Buffer {
  return entryId.subarray(4, 20).equals(WRAPPED_UID) ? entryId.subarray(WRAPPED_HEADER) : entryId;
}

function entryIds(properties: Properties, name: PropertyName): readonly Buffer[] {
  const id = properties.named(name);
  const bytes = properties.source.typeOf(id) === (TYPE.binary | MULTIPLE) ? bytesOf(properties.source, id) : null;
  return bytes === null ? [] : splitValues(bytes).slice(0, MAX_MEMBERS);
}

/** For each member the one-off entry id, which contains its address, else its own. */
function streamedIds(properties: Properties): readonly Buffer[] {
  const bytes = properties.binary(properties.named(MEMBER_STREAM));
  if (bytes === null) return [];
  const reader = new ByteReader(bytes);
  // Versions, build and flags.
  reader.skip(12);
  const count = Math.min(reader.uint32(), MAX_MEMBERS);
  const found: Buffer[] = [];
  for (let index = 0; index < count && !reader.isCut; index++) {
    const own = reader.view(reader.uint32());
    const oneOff = reader.view(reader.uint32());
    reader.skip(reader.uint32());
    if (!reader.isCut) found.push(oneOff.length > 0 ? oneOff : own);
  }
  return found;
}
