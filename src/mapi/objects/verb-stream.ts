import { ByteReader } from "../../properties/byte-reader.ts";

/** Maximum verbs read per message; Outlook offers about ten. */
const MAX_VERBS = 100;
/** A verb that is a voting option; reply and forward are verbs as well. */
const VOTE = 4;
const VERSION = { verbs: 0x0102, names: 0x0104 } as const;

/**
 * The voting options of a message: `PidLidVerbStream` ([MS-OXOMSG] 2.2.1.74). Names in a code page are repeated in
 * Unicode after all verbs.
 * @param decodeAnsi decodes its 8-bit texts.
 */
export function readVotingOptions(bytes: Buffer, decodeAnsi: (text: Buffer) => string): readonly string[] {
  const reader = new ByteReader(bytes);
  if (reader.uint16() !== VERSION.verbs) return [];
  const count = Math.min(reader.uint32(), MAX_VERBS);
  const verbs: { readonly isVote: boolean; readonly name: string }[] = [];
  for (let index = 0; index < count; index++) {
    const isVote = reader.uint32() === VOTE;
    const name = decodeAnsi(ansiText(reader));
    // Message class, prefix of the subject, and the name again.
    for (let text = 0; text < 3; text++) ansiText(reader);
    reader.skip(4 + 1 + 6 * 4);
    if (reader.isCut) break;
    verbs.push({ isVote, name });
  }
  const hasNames = reader.uint16() === VERSION.names;
  const names = verbs.map(({ name }) => {
    const wide = hasNames ? wideText(reader) : "";
    if (hasNames) wideText(reader);
    return reader.isCut || wide === "" ? name : wide;
  });
  return names.filter((name, index) => verbs[index]!.isVote && name !== "");
}

/** Texts with a length byte. */
function ansiText(reader: ByteReader): Buffer {
  return reader.view(reader.uint8());
}

function wideText(reader: ByteReader): string {
  return reader.view(reader.uint8() * 2).toString("utf16le");
}
