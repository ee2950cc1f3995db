import { PID } from "../../src/properties/property-ids.ts";
import { text, type WrittenProperty } from "./property-writer.ts";
import { MemorySink, type StoreFormat } from "./pst-writer.ts";
import { mailProperties, StoreWriter, type WrittenMessage } from "./store-writer.ts";

/** Every combination of layout and encoding that exists, and some that readers must survive. */
export const STORE_FORMATS: readonly StoreFormat[] = (["ansi", "unicode", "unicode-4k"] as const).flatMap((layout) =>
  (["none", "permute", "cyclic"] as const).map((encoding) => ({ layout, encoding })),
);

/** Bytes that depend on their position, so that a misplaced block is noticed. */
export function patternBytes(length: number, seed: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = (seed * 2654435761) >>> 0;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** Builds a store in memory. */
export function buildStore(
  format: StoreFormat,
  fill: (store: StoreWriter) => void,
  about: { readonly password?: string; readonly properties?: readonly WrittenProperty[] } = {},
): Buffer {
  const sink = new MemorySink();
  const store = new StoreWriter(sink, format, about);
  fill(store);
  store.finish();
  return Buffer.from(sink.contents());
}

/** A mail with its own body; every field shows its number. */
export function sampleMail(number: number): WrittenMessage {
  return {
    properties: mailProperties({
      subject: `Report ${number}`,
      body: `Line of report ${number}.\r\n`.repeat(1 + (number % 50)),
      sentAt: Date.UTC(2021, 0, 1 + (number % 365), 12),
      from: `writer${number}@example.org`,
    }),
    recipients: [
      { type: 1, name: "Ann Example", email: "ann@example.org" },
      { type: 2, name: "Bob Example", email: "bob@example.org" },
    ],
  };
}

/**
 * A small store with everything that damage can affect: mails, attachments of several blocks, and attached messages
 * with attachments.
 * @param mailsPerCommit the trees are written after every so many mails: pages of a store in use are spread over the
 * file.
 */
export function fuzzStore(format: StoreFormat, mails: number, mailsPerCommit = Number.POSITIVE_INFINITY): Buffer {
  return buildStore(format, (writer) => {
    const folder = writer.addFolder("Inbox");
    const inner: WrittenMessage = { ...sampleMail(7), attachments: [{ properties: [], data: patternBytes(9000, 2) }] };
    for (let number = 0; number < mails; number++) {
      const data = { properties: [text(PID.attachLongFilename, "a")], data: patternBytes(20_000, number) };
      writer.addMessage(folder, {
        ...sampleMail(number),
        attachments: number % 6 === 0 ? [data, { properties: [], message: inner }] : [],
      });
      if ((number + 1) % mailsPerCommit === 0) writer.commit();
    }
  });
}
