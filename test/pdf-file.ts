import { deflateSync } from "node:zlib";

/** Content of a generated PDF. @property content the content of its pages, compressed; by default one line each */
export interface WrittenPdf {
  readonly pages: readonly string[];
  readonly content?: Buffer;
  /** Trailer entries in addition to the root, such as the one for encryption. */
  readonly trailer?: string;
}

/** A PDF (ISO 32000-1, 7.5) with one line of Helvetica on each page. */
export function buildPdf({ pages, content, trailer = "" }: WrittenPdf): Buffer {
  const objects: Buffer[] = [];
  const add = (text: string | Buffer): void => void objects.push(Buffer.from(text));
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(" ");
  add("<</Type/Catalog/Pages 2 0 R>>");
  add(`<</Type/Pages/Kids[${kids}]/Count ${pages.length}/MediaBox[0 0 600 800]/Resources<</Font<</F 3 0 R>>>>>>`);
  add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>");
  for (const [index, line] of pages.entries()) {
    add(`<</Type/Page/Parent 2 0 R/Contents ${5 + 2 * index} 0 R>>`);
    const packed = content ?? deflateSync(Buffer.from(`BT /F 12 Tf 50 700 Td (${line}) Tj ET`, "latin1"));
    add(
      Buffer.concat([
        Buffer.from(`<</Length ${packed.length}/Filter/FlateDecode>>stream\n`),
        packed,
        Buffer.from("\nendstream"),
      ]),
    );
  }
  const parts: Buffer[] = [Buffer.from("%PDF-1.5\n")];
  const places: number[] = [];
  let at = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    places.push(at);
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    parts.push(part);
    at += part.length;
  }
  const rows = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const count = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${rows}trailer\n<</Size ${count}/Root 1 0 R${trailer}>>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
