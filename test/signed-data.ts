/** S/MIME objects for tests and generated stores: signed data (RFC 5652) without a signature. */

const SIGNED_DATA = Buffer.from("06092a864886f70d010702", "hex");
const DATA = Buffer.from("06092a864886f70d010701", "hex");

function element(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const head = content.length < 0x80 ? [tag, content.length] : [tag, 0x83, ...bytesOf(content.length)];
  return Buffer.concat([Buffer.from(head), content]);
}

function bytesOf(length: number): readonly number[] {
  return [(length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff];
}

function indefinite(tag: number, ...contents: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([tag, 0x80]), ...contents, Buffer.from([0, 0])]);
}

/** With lengths, as DER requires. */
export function signedDer(content: Buffer): Buffer {
  const inside = element(0x30, DATA, element(0xa0, element(0x04, content)));
  const signed = element(0x30, element(0x02, Buffer.from([1])), element(0x31), inside, element(0x31));
  return element(0x30, SIGNED_DATA, element(0xa0, signed));
}

/** Without lengths and in chunks, as mail programs stream it. */
export function signedBer(content: Buffer, chunkBytes: number): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < content.length; at += chunkBytes)
    chunks.push(element(0x04, content.subarray(at, at + chunkBytes)));
  const inside = indefinite(0x30, DATA, indefinite(0xa0, indefinite(0x24, ...chunks)));
  const algorithms = indefinite(0x31, indefinite(0x30, DATA, element(0x05)));
  const signed = indefinite(0x30, element(0x02, Buffer.from([1])), algorithms, inside, element(0x31));
  return indefinite(0x30, SIGNED_DATA, indefinite(0xa0, signed));
}
