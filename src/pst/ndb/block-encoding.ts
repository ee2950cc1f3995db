/**
 * The two "encryptions" of [MS-PST] 5.1 and 5.2. Neither has a real key: permute is a fixed substitution, cyclic a
 * fixed three-rotor walk that starts from the block id. They are encodings, and reading them needs no password.
 */
export type BlockEncoding = "none" | "permute" | "cyclic";

/** In the order of the `bCryptMethod` values in the header. */
export const BLOCK_ENCODINGS: readonly BlockEncoding[] = ["none", "permute", "cyclic"];

/** `bCryptMethod` of the header. */
export function encodingOfByte(value: number): BlockEncoding | null {
  return BLOCK_ENCODINGS[value] ?? null;
}

/** mpbbI of [MS-PST] 5.1: decodes permute, and is the last rotor of cyclic. */
export const ROTOR_I = Buffer.from(
  "47f1b4e60b6a7248854e9eebe2f89453e0bba002e85a09abdbe3bac67cc310dd" +
    "39059630f53760828cc9134a6b1df3fb8f2697ca911701c4322d6e3195ffd923" +
    "d1005e79dc443b1a28c5615720903d83b943be67d2464276c06d5b7eb20f1629" +
    "3ca903540dda5ddff6b7c762cd8d06d3695c86d614f7a56675acb1e94521700c" +
    "879f74a4224c6fbf1f56aa2eb3783350b0a392bccf191ca763cb1e4d3e4b1b9b" +
    "4fe7f0eead3ab55904ea40552551e57a893868527bfc27aed7bdfa07f4cc8e5f" +
    "ef359c842b15d5773449b6120a7f7188fd9d18417d93d8582ccefe24afdeb836" +
    "c8a180a69998a82f0e816573e4c2a28ad4e111d0088b2af2ed9a643fc16cf9ec",
  "hex",
);

/** mpbbS of [MS-PST] 5.1, its own inverse: the middle rotor of cyclic. */
const ROTOR_S = Buffer.from(
  "14530f56b3c87a9ceb65481716159f02cc547c83000d0c0ba262a876dbd9edc7" +
    "c5a4dcac8574d6d0a79bae9a967166c36399b8dd73928e847da55ed15d93b157" +
    "5150808952944f4e0a6bbc8d7f6e47464140440111cb033ff7f4e1a98f3c3af9" +
    "fbf0193082092ec99da08649ee6f4d6dc42d813425871b88aafc06a11238fd4c" +
    "4272641337246a757743ffe6b44b365ce4d8353d45b92cecb7312b290768a30e" +
    "697b189e2139be281a5b78f523ca2ab0af3efe048ce7e5983295d3f64ae8a6ea" +
    "e9f3d52f7020f21f0567ad5510cecde3273bdabad7c226d4911dd21c2233f8fa" +
    "f15aefcf90b68bb5bdc0bf08971e6ce261e0c6c159abbb58de5fdf60797eb28a",
  "hex",
);

/** mpbbR of [MS-PST] 5.1 is the inverse of mpbbI: encodes permute, and is the first rotor of cyclic. */
const ROTOR_R = inverse(ROTOR_I);

function inverse(table: Buffer): Buffer {
  const inverted = Buffer.alloc(256);
  for (const [index, value] of table.entries()) inverted[value] = index;
  return inverted;
}

/** Encodes in place; the cyclic encoding is its own inverse. */
export function encodeBlock(bytes: Buffer, encoding: BlockEncoding, bid: number): void {
  if (encoding === "permute") {
    for (let i = 0; i < bytes.length; i++) bytes[i] = ROTOR_R[bytes[i]!]!;
  } else if (encoding === "cyclic") cyclic(bytes, bid);
}

/** Decodes and encodes in place ([MS-PST] 5.2); only the low 32 bits of the id are used. */
export function cyclic(bytes: Buffer, bid: number): void {
  const key = bid % 0x1_0000_0000;
  let walk = (key ^ (key >>> 16)) & 0xffff;
  for (let i = 0; i < bytes.length; i++) {
    const low = walk & 255;
    const high = walk >> 8;
    let value = ROTOR_R[(bytes[i]! + low) & 255]!;
    value = ROTOR_S[(value + high) & 255]!;
    value = ROTOR_I[(value - high) & 255]!;
    bytes[i] = (value - low) & 255;
    walk = (walk + 1) & 0xffff;
  }
}
