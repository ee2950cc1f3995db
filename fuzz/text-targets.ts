import { readCards } from "../src/calendar/read-cards.ts";
import { decodeCharset, decodeUnlabeledField, guessedCharset } from "../src/charset/decode-charset.ts";
import { enrichedToText } from "../src/mime/body/enriched-text.ts";
import { convertedFiles, readEudoraBody } from "../src/mime/body/eudora-text.ts";
import { decodeString8, textCharsets } from "../src/properties/text-code-page.ts";
import { openEmlx } from "../src/sources/emlx/emlx.ts";
import type { FuzzTarget } from "./fuzz-target.ts";

const KIB = 1024;
/** One label of each way to decode; the first byte of an input chooses one. */
const LABELS = (
  "utf-8 utf-7 utf-16 utf-16le utf-16be utf-32 us-ascii windows-1252 windows-1255 koi8-u shift_jis euc-jp iso-2022-jp " +
  "gbk gb18030 big5 euc-kr iso-2022-kr iso-2022-cn hz-gb-2312 iso-8859-16 ibm850 x-unknown johab ibm037"
).split(" ");

function require(holds: boolean, law: string): void {
  if (!holds) throw new Error(`broken law: ${law}`);
}

function sizeOfText(text: string): number {
  require(text.isWellFormed(), "text is valid Unicode");
  return text.length;
}

/** Readers of texts that are not whole messages. */
export const TEXT_TARGETS: Readonly<Record<string, FuzzTarget>> = {
  vcard: {
    seeds: () =>
      [
        "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann Reed\r\nN:Reed;Ann;;;\r\nEMAIL;TYPE=INTERNET:ann@mill.example\r\nBDAY:1970-02-03\r\nEND:VCARD\r\n",
        "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:R=C3=BCd;=\r\nAnn\r\nTEL;HOME;VOICE:+1 555 0100\r\nEND:VCARD\r\nBEGIN:VCARD\r\nVERSION:4.0\r\nKIND:group\r\nFN:Millers\r\nMEMBER:mailto:ann@mill.example\r\nEND:VCARD\r\n",
      ].map((text) => Buffer.from(text)),
    words: ["BEGIN:VCARD\r\n", "END:VCARD\r\n", ";ENCODING=B:", "\r\n ", "item1.", "ADR:;;", "\\,", ";TYPE=", "=\r\n"],
    bytesMax: 32 * KIB,
    run: (input) => JSON.stringify(readCards(input.toString("utf8"))).length,
  },
  emlx: {
    seeds: () => [
      Buffer.from(
        '30        \nSubject: figures\n\nThe text.\n\n\n<?xml version="1.0"?>\n<plist version="1.0"><dict>\n<key>date-received</key>\n<real>1046678400</real>\n<key>flags</key>\n<integer>8590195713</integer>\n</dict></plist>\n',
      ),
    ],
    words: ["<?xml ", "<plist", "<key>flags</key>", "<integer>", "<key>date-received</key>", "999999999999", "\n\n"],
    bytesMax: 32 * KIB,
    run(input) {
      const file = openEmlx(input);
      if (file === null) return 0;
      require(file.message.length <= input.length, "a message is part of its file");
      require(file.receivedAt === null ||
        Number.isInteger(file.receivedAt), "a date is a whole number of milliseconds");
      return file.message.length + file.flags.length;
    },
  },
  enriched: {
    seeds: () =>
      [
        "<bold>Gate</bold> shut <fontfamily><param>Times</param>now</fontfamily>\n\nnext << one\n<nofill>a\nb</nofill>",
        '<x-flowed>One long \nline.\n</x-flowed>\n\nAttachment Converted: "C:\\EUDORA\\Attach\\plan.doc"\n',
      ].map((text) => Buffer.from(text)),
    words: ["<param>", "</param>", "<nofill>", "</nofill>", "<lt>", "<nl>", "<excerpt>", "<<", "<x-html>", "</x-rich>"],
    bytesMax: 32 * KIB,
    run(input) {
      const text = input.toString("utf8");
      const body = readEudoraBody(text);
      let size = sizeOfText(enrichedToText(text, "enriched")) + sizeOfText(enrichedToText(text, "richtext"));
      size += sizeOfText(body?.text ?? "") + sizeOfText(body?.html ?? "");
      for (const path of convertedFiles(text)) size += path.length;
      return size;
    },
  },
  charset: {
    seeds: () =>
      ["\x00Grüße, 会議のお知らせ", "\x02+APY-", "\x0c\x1b$B2q5D\x1b(B", "\x11\x1b$)C\x0e0!\x0f", "\x13~{<:Ky~}"].map(
        (text) => Buffer.from(text),
      ),
    words: [
      "\x1b$B",
      "\x1b(B",
      "\x1b$)C",
      "\x0e",
      "\x0f",
      "~{",
      "~}",
      "+",
      "-",
      "\xff\xfe",
      "\xfe\xff",
      "\ufeff",
      "\0\0",
    ],
    bytesMax: 16 * KIB,
    run(input) {
      const label = LABELS[(input[0] ?? 0) % LABELS.length]!;
      const other = LABELS[(input[1] ?? 0) % LABELS.length]!;
      const bytes = input.subarray(2);
      const texts = [
        decodeCharset(bytes, label),
        decodeUnlabeledField(bytes, guessedCharset(bytes)),
        decodeString8(bytes, textCharsets([label, other])),
      ];
      require(!texts.join("").includes("\0"), "text has no NUL");
      return texts.reduce((size, text) => size + sizeOfText(text), 0);
    },
  },
};
