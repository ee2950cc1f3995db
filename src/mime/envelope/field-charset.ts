import { isAscii } from "node:buffer";
import { guessedCharset, isUnicodeCharset } from "../../charset/decode-charset.ts";
import type { MimeEntity } from "../body/structure.ts";

/**
 * The charset of 8-bit text in message headers, which has no label and which RFC 5322 forbids: the charset of the first
 * text part, which the same program wrote; otherwise the likeliest charset for the whole header, because one name is
 * too short to decide. Null if the header is ASCII. UTF-8 is detected from the bytes of each field.
 */
export function fieldCharset(root: MimeEntity): string | null {
  if (isAscii(root.source.subarray(root.start, root.bodyStart))) return null;
  const declared = firstTextCharset(root);
  if (declared !== null && !isUnicodeCharset(declared)) return declared;
  return root.unnamedCharset ?? guessedCharset(root.source.subarray(root.start, root.bodyStart));
}

function firstTextCharset(root: MimeEntity): string | null {
  const stack = [root];
  for (let entity = stack.pop(); entity !== undefined; entity = stack.pop()) {
    if (entity.charset !== null && entity.mediaType.startsWith("text/")) return entity.charset;
    for (let at = entity.children.length - 1; at >= 0; at--) stack.push(entity.children[at]!);
  }
  return null;
}
