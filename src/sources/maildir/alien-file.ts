import { statSync } from "node:fs";
import { encodePath } from "../../files/path-text.ts";
import type { Finding } from "../../mail/records/message.ts";
import { formatOfSignature } from "../../mail/records/source-formats.ts";
import { emptyTally, scanMessages } from "../mbox/mbox-scan.ts";
import { ByteWindow } from "../reading/byte-window.ts";
import { skipReason } from "../reading/foreign-mail.ts";
import { looksLikeMessage, SNIFF_BYTES, skipLead, startsWithFrom } from "../reading/header-line.ts";

/** Why a file of a tree is not a message; null if it is one. @param head first bytes of the file. */
export function alienReason(descriptor: number, head: Buffer, path: string): Finding | null {
  if (formatOfSignature(head)?.holds === "mailbox") {
    return { code: "store-in-directory", message: "a PST or OST file is not a message but a separate source" };
  }
  if (!looksLikeMessage(head.subarray(0, SNIFF_BYTES))) return skipReason(head, path);
  if (!startsWithFrom(head, skipLead(head))) return null;
  if (!PIPERMAIL_NAME.test(path) && !isMozillaMailbox(path) && !holdsSeveralMessages(descriptor)) return null;
  return { code: "mbox-in-directory", message: "an MBOX file is not a message but a separate source" };
}

/**
 * Years, quarters, months, weeks and days of a mailing list, as Pipermail names them; some files have a single message.
 */
const PIPERMAIL_NAME = /(?:^|[/\\])(?:\d{4}(?:q[1-4]|-[A-Z][a-z]{2,8})?|Week-of-Mon-\d{8}|\d{8})\.txt$/;

/**
 * True for a mailbox of Thunderbird, with an index file as a sibling and submailboxes in a directory named after it. A
 * mailbox with a single message counts too.
 */
function isMozillaMailbox(path: string): boolean {
  const isBelowMailbox = /\.sbd\/[^/]*$/.test(path.replaceAll("\\", "/"));
  return isBelowMailbox || statSync(encodePath(`${path}.msf`), { throwIfNoEntry: false })?.isFile() === true;
}

/** True if a second separator follows: the file is a mailbox, and reading it as one message would hide the others. */
function holdsSeveralMessages(descriptor: number): boolean {
  const window = new ByteWindow(descriptor);
  let count = 0;
  window.moveTo(0);
  const range = { from: skipLead(window.view), to: window.size, tally: emptyTally() };
  for (const _ of scanMessages(window, range, { dated: true, lineEnd: 10 })) {
    count++;
    if (count > 1) return true;
  }
  return false;
}
