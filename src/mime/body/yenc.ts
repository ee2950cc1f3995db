import { CR, EQUALS, LF } from "../../mail/words/ascii.ts";
import { trimBytes } from "../syntax/byte-text.ts";
import { type BlockEncoding, type EncodedBlock, endOfLine, lineStart } from "./encoded-block.ts";

/** yEnc adds 42 to each byte and 64 more to escaped ones (yEnc draft 1.3). */
const SHIFT = 42;
const ESCAPE_SHIFT = 64;

/** yEnc files in text: `=ybegin … name=<name>`, lines, `=yend`. */
export const YENC: BlockEncoding = { find: findYenc, decode: decodeLines };

function findYenc(bytes: Buffer, from: number): EncodedBlock | null {
  const at = lineStart(bytes, "=ybegin ", from);
  return at < 0 ? null : blockAt(bytes, at);
}

function blockAt(bytes: Buffer, start: number): EncodedBlock {
  const header = trimBytes(bytes.toString("latin1", start, endOfLine(bytes, start)));
  const name = header.indexOf(" name=");
  let dataStart = Math.min(bytes.length, endOfLine(bytes, start) + 1);
  if (bytes.toString("latin1", dataStart, dataStart + 7) === "=ypart ")
    dataStart = Math.min(bytes.length, endOfLine(bytes, dataStart) + 1);
  const filename = name < 0 ? "" : trimBytes(header.slice(name + 6));
  const close =
    bytes.toString("latin1", dataStart, dataStart + 6) === "=yend "
      ? dataStart - 1
      : bytes.indexOf("\n=yend ", dataStart - 1, "latin1");
  if (close < 0) return { filename, start, end: bytes.length, dataStart, dataEnd: bytes.length, isClosed: false };
  const end = Math.min(bytes.length, endOfLine(bytes, close + 1) + 1);
  return { filename, start, end, dataStart, dataEnd: Math.max(dataStart, close), isClosed: true };
}

function decodeLines(bytes: Buffer): Buffer {
  const output = Buffer.allocUnsafe(bytes.length);
  let written = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === LF || byte === CR) continue;
    if (byte !== EQUALS) output[written++] = (byte - SHIFT) & 0xff;
    else if (at + 1 < bytes.length) {
      at++;
      output[written++] = (bytes[at]! - ESCAPE_SHIFT - SHIFT) & 0xff;
    }
  }
  return output.subarray(0, written);
}
