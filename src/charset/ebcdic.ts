export type EbcdicCharset = "ibm037" | "ibm500" | "ibm1047" | "ibm1140" | "ibm1148";

/** The characters of bytes 0x00 to 0x3F; 0x15 ends a line on mainframes. */
const CONTROLS = Buffer.from(
  "000102039c09867f978d8e0b0c0d0e0f101112139d0a08871819928f1c1d1e1f80818283840a171b88898a8b8c050607909116939495960498999a9b14159e1a",
  "hex",
).toString("latin1");
/** The characters of bytes 0x40 to 0xFF in code page 037. */
const GRAPHICS =
  " \u00a0âäàáãåçñ¢.<(+|&éêëèíîïìß!$*);¬-/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@'=\"Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤µ~stuvwxyz¡¿ÐÝÞ®^£¥·©§¶¼½¾[]¯¨´×{ABCDEFGHI\u00adôöòóõ}JKLMNOPQR¹ûüùúÿ\\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ\u009f";

/** Where a code page differs from 037. */
const DIFFERENCES: Readonly<Record<EbcdicCharset, readonly (readonly [byte: number, character: string])[]>> = {
  ibm037: [],
  ibm500: [
    [0x4a, "["],
    [0x4f, "!"],
    [0x5a, "]"],
    [0x5f, "^"],
    [0xb0, "¢"],
    [0xba, "¬"],
    [0xbb, "|"],
  ],
  ibm1047: [
    [0x5f, "^"],
    [0xad, "["],
    [0xb0, "¬"],
    [0xba, "Ý"],
    [0xbb, "¨"],
    [0xbd, "]"],
  ],
  ibm1140: [[0x9f, "€"]],
  ibm1148: [[0x9f, "€"]],
};

/** Decodes Western text of IBM mainframes. */
export function decodeEbcdic(bytes: Buffer, charset: EbcdicCharset): string {
  const base = charset === "ibm1148" ? DIFFERENCES.ibm500 : [];
  const table = Uint16Array.from(CONTROLS + GRAPHICS, (character) => character.charCodeAt(0));
  for (const [byte, character] of [...base, ...DIFFERENCES[charset]]) table[byte] = character.charCodeAt(0);
  const units = Buffer.allocUnsafe(2 * bytes.length);
  for (let at = 0; at < bytes.length; at++) units.writeUInt16LE(table[bytes[at]!]!, 2 * at);
  return units.toString("ucs2");
}
