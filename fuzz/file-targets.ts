import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ArchiveError } from "../src/errors.ts";
import { parseMessage } from "../src/mime/parse-message.ts";
import { joinParts } from "../src/sources/emlx/partial-emlx.ts";
import { unpackMessage } from "../src/sources/maildir/packed-message.ts";
import { EntryLedger } from "../src/unpacking/entry-ledger.ts";
import { NO_SINK } from "../src/unpacking/entry-sink.ts";
import { readLostZip } from "../src/unpacking/read-lost-zip.ts";
import { UNPACK_LIMITS } from "../src/unpacking/unpack-limits.ts";
import { buildZip } from "../test/zip-file.ts";
import type { FuzzTarget } from "./fuzz-target.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const FILE = Buffer.from("29 bytes of some short words!");
/** Stored parts of the message 1, below its mailbox: in the forms of Apple Mail since 10.6, and before. */
const STORED_PARTS = ["Attachments/1/2/plan.pdf", "Attachments/1/1.2/plan.pdf", "Messages/1.3.emlxpart"] as const;
/** Bytes of a stored part in a message: each byte escaped, and a line break. */
const STORED_MAX = 4 * FILE.length;
const PARTIAL = [
  "Content-Type: multipart/mixed; boundary=b",
  "",
  "--b",
  "",
  "See the plan.",
  "--b",
  "Content-Type: application/pdf; name=plan.pdf",
  "Content-Transfer-Encoding: base64",
  "X-Apple-Content-Length: 29",
  "",
  "--b",
  "Content-Type: text/plain; name=a.txt",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "--b--",
  "",
].join("\n");

function require(holds: boolean, law: string): void {
  if (!holds) throw new Error(`broken law: ${law}`);
}

/** Readers of message files that are not plain messages. */
export const FILE_TARGETS: Readonly<Record<string, FuzzTarget>> = {
  "packed-message": {
    seeds: () => {
      const mail = Buffer.from("Subject: figures\r\n\r\nThe text.\r\n".repeat(20));
      return [Buffer.concat([Buffer.from([0, 40]), mail]), gzipSync(mail), gzipSync(mail).subarray(0, 40)];
    },
    words: ["\x1f\x8b\x08", "\x1f\x8b\x08\x08", "\x00\x00\x00\x00\x00\x03", "\x03\x00", "\xff\xff\xff\xff"],
    bytesMax: 32 * KIB,
    run(input) {
      const noise = unpackMessage(input, MIB);
      require(noise === null || noise.bytes.length <= MIB, "a message has at most the bytes that are allowed");
      const whole = input.subarray(2);
      const packed = gzipSync(whole);
      const cut = packed.subarray(0, input.length < 2 ? packed.length : input.readUInt16BE(0) % (packed.length + 1));
      const read = unpackMessage(cut, MIB);
      if (read === null || cut.length < 3) return 0;
      require(whole.subarray(0, read.bytes.length).equals(read.bytes), "a cut file holds the beginning of its message");
      require(read.isTruncated || read.bytes.length === whole.length, "a message that is not whole is reported");
      return read.bytes.length;
    },
  },
  "lost-zip": {
    seeds() {
      const parts = ["a.mbox", "b.eml"].map((name) => ({ name, content: "From a\nSubject: figures\n\nHello\n" }));
      const after = buildZip(parts.map((part) => ({ ...part, flags: 8 })));
      return [buildZip(parts).subarray(0, -60), after.subarray(0, -60), after.subarray(0, 80)];
    },
    words: ["PK\x03\x04", "PK\x07\x08", "../", "\x08\x00\x08\x00", "\x14\x00\x08\x08"],
    bytesMax: 32 * KIB,
    async run(input) {
      const directory = mkdtempSync(join(tmpdir(), "fuzz-lost-zip-"));
      const path = join(directory, "a.zip");
      let written = 0;
      const sink = { ...NO_SINK, write: (chunk: Uint8Array) => void (written += chunk.length) };
      const ledger = new EntryLedger(UNPACK_LIMITS, input.length);
      try {
        writeFileSync(path, input);
        const lost = await readLostZip(path, {
          ledger,
          sink,
          signal: new AbortController().signal,
          skipsDamaged: true,
        });
        require(lost >= 0 && written <= ledger.unpackedBytes, "written bytes are counted");
        return written;
      } catch (error) {
        if (error instanceof ArchiveError) return 0;
        throw error;
      } finally {
        rmSync(directory, { recursive: true });
      }
    },
  },
  "partial-emlx": {
    seeds: () => [Buffer.from(PARTIAL), Buffer.from(PARTIAL.replaceAll("\n", "\r\n"))],
    words: [
      "--b\n",
      "--b--\n",
      "X-Apple-Content-Length: 9\n",
      "; boundary=b",
      "; name=plan.pdf",
      "base64",
      "7bit",
      "\r\n\r\n",
    ],
    bytesMax: 32 * KIB,
    run(input) {
      const mailbox = mkdtempSync(join(tmpdir(), "fuzz-partial-"));
      try {
        for (const path of STORED_PARTS) {
          mkdirSync(join(mailbox, path, ".."), { recursive: true });
          writeFileSync(join(mailbox, path), FILE);
        }
        const { message, missing } = joinParts(input, `${mailbox}/Messages/1.partial.emlx`);
        require(missing >= 0 &&
          message.length <= input.length + STORED_PARTS.length * STORED_MAX, "each part is joined once");
        const { attachments, textBody } = parseMessage(message);
        return attachments.length + (textBody?.length ?? 0);
      } finally {
        rmSync(mailbox, { recursive: true });
      }
    },
  },
};
