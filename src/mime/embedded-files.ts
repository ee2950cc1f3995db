import { decodeUuLines, findUuencoded } from "./uuencode.ts";
import { decodeYencLines, findYenc } from "./yenc.ts";

/** A file written into the text of a body, as mail did before MIME. */
export interface EmbeddedFile {
  /** As written, one character a byte. */
  readonly filename: string;
  readonly isClosed: boolean;
  bytes(): Buffer;
}

export interface SeparatedBody {
  /** The body without the files. */
  readonly text: Buffer;
  readonly files: readonly EmbeddedFile[];
}

/** Files cut out of one body; beyond this the text is kept as it is. */
const MAX_EMBEDDED_FILES = 1000;

interface Cut {
  readonly filename: string;
  readonly start: number;
  readonly end: number;
  readonly dataStart: number;
  readonly dataEnd: number;
  readonly isClosed: boolean;
}

/** Stands in the first line of a uuencoded file and of a yEnc file (`=ybegin `). */
const BEGIN = Buffer.from("begin ");

/** Cuts uuencoded and yEnc files out of a body. The files are decoded when asked for. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: two searches in step: each is done again only when the other has passed it
export function separateEmbeddedFiles(body: Buffer): SeparatedBody {
  if (!body.includes(BEGIN)) return { text: body, files: [] };
  let uu: Cut | null = findUuencoded(body, 0);
  let yenc: Cut | null = findYenc(body, 0);
  if (uu === null && yenc === null) return { text: body, files: [] };
  const pieces: Buffer[] = [];
  const files: EmbeddedFile[] = [];
  let position = 0;
  while ((uu !== null || yenc !== null) && files.length < MAX_EMBEDDED_FILES) {
    const isUu: boolean = uu !== null && (yenc === null || uu.start < yenc.start);
    const cut: Cut = isUu ? uu! : yenc!;
    const data = body.subarray(cut.dataStart, cut.dataEnd);
    files.push({
      filename: cut.filename,
      isClosed: cut.isClosed,
      bytes: () => (isUu ? decodeUuLines(data) : decodeYencLines(data)),
    });
    pieces.push(body.subarray(position, cut.start));
    position = cut.end;
    if (uu !== null && uu.start < position) uu = findUuencoded(body, position);
    if (yenc !== null && yenc.start < position) yenc = findYenc(body, position);
  }
  pieces.push(body.subarray(position));
  return { text: Buffer.concat(pieces), files };
}
