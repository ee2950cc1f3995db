import { BEGIN_BASE64 } from "./begin-base64.ts";
import { BINHEX, BINHEX_NOTICE } from "./binhex.ts";
import type { BlockEncoding, EncodedBlock } from "./encoded-block.ts";
import { UUENCODE } from "./uuencode.ts";
import { YENC } from "./yenc.ts";

/** A file written into the text of a body. */
export interface EmbeddedFile extends Pick<EncodedBlock, "filename" | "isClosed"> {
  bytes(): Buffer;
}

interface SeparatedBody {
  /** The body without the files. */
  readonly text: Buffer;
  readonly files: readonly EmbeddedFile[];
}

/** Maximum files extracted from one body; beyond this the text is kept unchanged. */
const MAX_EMBEDDED_FILES = 1000;

/** In the first line of every block but those of BinHex: `begin `, `=ybegin ` and `begin-base64`. */
const BEGIN = /begin[ -]/;
const ENCODINGS: readonly BlockEncoding[] = [UUENCODE, YENC, BEGIN_BASE64, BINHEX];

/**
 * False for the text of a body without encoded files: searching a text is faster than searching bytes, and a word than an
 * expression.
 */
export function mayEmbedFiles(text: string): boolean {
  return (text.includes("begin") && BEGIN.test(text)) || text.includes(BINHEX_NOTICE);
}

/** Separates encoded files from a body. The files are decoded on access. */
export function separateEmbeddedFiles(body: Buffer): SeparatedBody {
  let found = ENCODINGS.flatMap((encoding) => nextBlock(body, encoding, 0));
  if (found.length === 0) return { text: body, files: [] };
  const pieces: Buffer[] = [];
  const files: EmbeddedFile[] = [];
  let position = 0;
  while (found.length > 0 && files.length < MAX_EMBEDDED_FILES) {
    const { encoding, block } = found.reduce((one, other) => (other.block.start < one.block.start ? other : one));
    const lines = body.subarray(block.dataStart, block.dataEnd);
    files.push({ filename: block.filename, isClosed: block.isClosed, bytes: () => encoding.decode(lines) });
    pieces.push(body.subarray(position, block.start));
    const end = block.end;
    // Searches again only after a block has passed the last result.
    found = found.flatMap((one) => (one.block.start < end ? nextBlock(body, one.encoding, end) : [one]));
    position = end;
  }
  pieces.push(body.subarray(position));
  return { text: Buffer.concat(pieces), files };
}

function nextBlock(
  body: Buffer,
  encoding: BlockEncoding,
  from: number,
): readonly { readonly encoding: BlockEncoding; readonly block: EncodedBlock }[] {
  const block = encoding.find(body, from);
  return block === null ? [] : [{ encoding, block }];
}
