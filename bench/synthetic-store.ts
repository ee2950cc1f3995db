import { seededRandom } from "../src/columns/seeded-random.ts";
import { PID } from "../src/properties/property-ids.ts";
import { FileSink } from "../test/pst-writer/file-sink.ts";
import { binary, integer, text, type WrittenProperty } from "../test/pst-writer/property-writer.ts";
import {
  mailProperties,
  StoreWriter,
  type WrittenAttachment,
  type WrittenMessage,
} from "../test/pst-writer/store-writer.ts";

/** Parameters of a generated Outlook store. */
export interface StoreShape {
  readonly messages: number;
  readonly attachments: number;
  readonly folders: number;
  /** Mean sizes; actual ones are between zero and twice as much. */
  readonly bodyCharacters: number;
  readonly attachmentBytes: number;
  readonly seed: number;
}

/** About 414 MB in blocks of 4.5 KB on average, with Outlook's default encoding. */
export const DEFAULT_STORE: StoreShape = {
  messages: 10_000,
  attachments: 3_000,
  folders: 20,
  bodyCharacters: 3_600,
  attachmentBytes: 97_500,
  seed: 1,
};

const START = Date.UTC(2004, 0, 1);
const HOUR_MS = 60 * 60 * 1000;
const PEOPLE = 300;
/** Share of messages with HTML in addition to text, as in Outlook. */
const WITH_HTML = 0.2;
/** Bytes of random data for attachments, which do not compress, like most real ones. */
const NOISE_BYTES = 1 << 20;

/**
 * Writes the store. Messages are assigned to folders in turn, so that those of one folder are scattered as in a store
 * that grew.
 */
export function writeSyntheticStore(path: string, shape: StoreShape): void {
  const sink = new FileSink(path);
  const store = new StoreWriter(sink, { layout: "unicode", encoding: "permute" });
  const random = seededRandom(shape.seed);
  const noise = Buffer.from(Uint8Array.from({ length: NOISE_BYTES }, () => random() * 256));
  const folders = Array.from({ length: shape.folders }, (_, index) => store.addFolder(`Project ${index + 1}`));
  let attached = 0;
  for (let number = 0; number < shape.messages; number++) {
    const isDue = attached < Math.floor(((number + 1) * shape.attachments) / shape.messages);
    const attachments = isDue
      ? [attachmentOf(attached, noise, 4 + Math.floor(random() * 2 * shape.attachmentBytes), random())]
      : [];
    attached += attachments.length;
    store.addMessage(folders[number % folders.length]!, messageOf(number, random, { shape, attachments }));
  }
  store.finish();
  sink.close();
}

function messageOf(
  number: number,
  random: () => number,
  about: { readonly shape: StoreShape; readonly attachments: readonly WrittenAttachment[] },
): WrittenMessage {
  const from = person(random);
  const sentAt = START + number * HOUR_MS;
  const length = Math.floor(random() * 2 * about.shape.bodyCharacters);
  const line = `Report ${number} of the project, line after line as people write them to each other.\r\n`;
  const body = line.repeat(Math.ceil(length / line.length)).slice(0, length);
  const subject = `Report ${number}`;
  const id = `<${number}.${Math.floor(random() * 1e9)}@mail.bench.example>`;
  const recipients = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, index) =>
    person(random, index === 0 ? 1 : 2),
  );
  const headers = [
    "Received: from relay.bench.example (relay.bench.example [192.0.2.7]) by mail.bench.example with ESMTP",
    `Date: ${new Date(sentAt).toUTCString().replace("GMT", "+0000")}`,
    `From: "${from.name}" <${from.email}>`,
    `To: ${recipients.map(({ name, email }) => `"${name}" <${email}>`).join(",\r\n ")}`,
    `Subject: ${subject}`,
    `Message-ID: ${id}`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "",
  ].join("\r\n");
  const properties: WrittenProperty[] = [
    ...mailProperties({ subject, body, sentAt, from: from.email }),
    text(PID.transportHeaders, headers),
    text(PID.internetMessageId, id),
    text(PID.displayTo, recipients.map(({ name }) => name).join("; ")),
    binary(PID.conversationIndex, Buffer.alloc(22, number & 255)),
    integer(PID.internetCodePage, 65001),
  ];
  if (random() < WITH_HTML)
    properties.push(binary(PID.html, Buffer.from(`<html><body><pre>${body}</pre></body></html>`)));
  return { properties, recipients, attachments: about.attachments };
}

function person(
  random: () => number,
  type: 1 | 2 = 1,
): { readonly type: 1 | 2; readonly name: string; readonly email: string } {
  const number = Math.floor(random() * PEOPLE);
  return { type, name: `Person ${number}`, email: `person${number}@office.bench.example` };
}

function attachmentOf(number: number, noise: Buffer, size: number, place: number): WrittenAttachment {
  const start = Math.floor(place * (noise.length - Math.min(size, noise.length)));
  const data = Buffer.from(noise.subarray(start, start + size));
  data.writeUInt32LE(number, 0);
  return {
    properties: [
      text(PID.attachLongFilename, `figures-${number}.bin`),
      text(PID.attachMimeTag, "application/octet-stream"),
    ],
    data,
  };
}
