import { hash } from "node:crypto";
import { fingerprintOf } from "../../mapi/objects/fingerprint.ts";
import { NO_DIRECTORY } from "../../mapi/objects/mapi-address.ts";
import { openMsg } from "../../mapi/tnef/msg-object.ts";
import { hasTnefSignature, openTnef } from "../../mapi/tnef/tnef.ts";
import { fullRange } from "../../properties/byte-range.ts";
import type { TextCharsets } from "../../properties/text-code-page.ts";
import { outlookItems } from "../pst/outlook-items.ts";
import { NO_TIMES } from "../pst/pst-folder-rows.ts";
import type { ItemPlace, SourceItem } from "../reading/source.ts";

/** Memory for the small values of one message while they are hashed. */
const SCRATCH_BYTES = 64 << 10;

/**
 * Reads the items of a .msg file, as saved by Outlook for a message, appointment, contact or task, or of a
 * `winmail.dat`. Damaged files never throw; the result is partial. @param charsets of 8-bit texts without a declared one
 */
export function readMsgItems(
  bytes: Buffer,
  place: ItemPlace,
  flags: readonly string[],
  charsets: TextCharsets = [],
): readonly SourceItem[] {
  const file = hasTnefSignature(bytes) ? null : openMsg(bytes, charsets);
  const object = file?.object ?? openTnef(bytes);
  if (object === null) {
    const message = "no message found in this Outlook file";
    return [{ kind: "damaged", ...place, code: "msg-damaged", message, sha256: hash("sha256", bytes) }];
  }
  const fingerprint = fingerprintOf(object, fullRange(Buffer.allocUnsafeSlow(SCRATCH_BYTES)));
  // The recipients of a message also resolve its other addresses; no other item has names.
  const about = { directory: NO_DIRECTORY, isAssociated: false, flags };
  return outlookItems({
    object,
    place,
    fingerprint,
    ...about,
    damage: file?.damage ?? (() => []),
    listed: () => NO_TIMES,
  });
}
