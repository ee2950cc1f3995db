import type { ExampleAttachment } from "./draft.ts";

/** A one-page PDF with a line of text, as small as a reader accepts. */
export function pdfAttachment(filename: string, text: string): ExampleAttachment {
  const page = `BT /F1 18 Tf 72 720 Td (${text.replace(/[()\\]/g, "")}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const trailer = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return { filename, mediaType: "application/pdf", bytes: Buffer.from(body + trailer, "latin1") };
}

/** A table as CSV with CRLF line ends. */
export function csvAttachment(filename: string, rows: readonly (readonly (string | number)[])[]): ExampleAttachment {
  return {
    filename,
    mediaType: "text/csv",
    bytes: Buffer.from(`${rows.map((row) => row.join(",")).join("\r\n")}\r\n`),
  };
}

/**
 * A grey PNG of one shade. Its pixels are in a stored deflate block, made here by hand, so that its bytes do not depend
 * on the version of a compressor.
 */
export function pngAttachment(filename: string, size: number, shade: number): ExampleAttachment {
  const row = Buffer.alloc(size + 1, shade);
  row[0] = 0;
  const pixels = Buffer.concat(Array.from({ length: size }, () => row));
  const block = Buffer.alloc(5);
  block[0] = 1;
  block.writeUInt16LE(pixels.length, 1);
  block.writeUInt16LE(pixels.length ^ 0xffff, 3);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(adler32(pixels));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 8;
  const bytes = Buffer.concat([
    Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    pngChunk("IHDR", header),
    pngChunk("IDAT", Buffer.concat([Buffer.of(0x78, 0x01), block, pixels, check])),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
  return { filename, mediaType: "image/png", bytes };
}

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** RFC 1950 section 9. */
function adler32(bytes: Buffer): number {
  let low = 1;
  let high = 0;
  for (const byte of bytes) {
    low = (low + byte) % 65_521;
    high = (high + low) % 65_521;
  }
  return ((high << 16) | low) >>> 0;
}

/** PNG specification, annex D. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) === 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
