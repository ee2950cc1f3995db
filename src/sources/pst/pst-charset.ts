import { alphabetOf } from "../../charset/alphabet-fit.ts";
import { guessedCharset, isUnicodeCharset } from "../../charset/decode-charset.ts";
import { declaredCharsets } from "../../mapi/objects/message-charsets.ts";
import { Properties } from "../../properties/properties.ts";
import { bytesOf, TYPE } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import { textCharsets } from "../../properties/text-code-page.ts";
import { PropertyContext } from "../../pst/ltp/property-context.ts";
import type { MessageStore } from "../../pst/messaging/message-store.ts";
import { ANSI } from "../../pst/ndb/file-layout.ts";
import { NODE_TYPE } from "../../pst/ndb/node-entry.ts";

/** Sampled items of a store: all were written on a handful of machines. */
const SAMPLE_ITEMS = 128;
/** Sampled properties of an item, and bytes of each. */
const TEXTS = [PID.subject, PID.body, PID.senderName, PID.displayTo];
const MAX_TEXT_BYTES = 2048;
const LATIN = "windows-1252";
/** Double-byte charsets, recognized by the byte sequences that are invalid in them. */
const DOUBLE_BYTE: ReadonlySet<string> = new Set(["shift_jis", "euc-jp", "gbk", "big5", "euc-kr"]);

/**
 * Charset of 8-bit texts in an ANSI store that declares none, inferred from its messages: the one most of them
 * declare, else the one that fits their letters. Null if it cannot be inferred, and for Western texts, which need
 * none.
 */
export function inferCharset(store: MessageStore): string | null {
  if (store.header.layout !== ANSI || store.context.charsets.length > 0) return null;
  const votes = new Map<string, number>();
  const texts: Buffer[] = [];
  for (const properties of sampleOf(store)) {
    const named = declaredCharsets(properties).find((charset) => !isUnicodeCharset(charset));
    if (named !== undefined) votes.set(named, (votes.get(named) ?? 0) + 1);
    texts.push(...textsOf(properties));
  }
  const [first] = [...votes].sort((a, b) => b[1] - a[1]);
  const charset = first?.[0] ?? charsetOfTexts(Buffer.concat(texts));
  return charset === LATIN ? null : charset;
}

function charsetOfTexts(bytes: Buffer): string | null {
  const guessed = bytes.length === 0 ? LATIN : guessedCharset(bytes);
  return DOUBLE_BYTE.has(guessed) ? guessed : (alphabetOf(bytes) ?? guessed);
}

/** The store with charsets for texts without one. */
export function withCharsets(store: MessageStore, charsets: readonly (string | null)[]): MessageStore {
  const { names } = store.context;
  // Fields are listed: each spread object has its own hidden class, and readers of messages are compiled again.
  return {
    header: store.header,
    database: store.database,
    context: { charsets: textCharsets([...store.context.charsets, ...charsets]), names },
    ipmSubtreeNid: store.ipmSubtreeNid,
    passwordCrc: store.passwordCrc,
    scratch: store.scratch,
  };
}

/** Samples items from the whole store, some of each unit. */
function* sampleOf(store: MessageStore): Generator<Properties> {
  const { database } = store;
  const nids: number[] = [];
  database.eachNode(NODE_TYPE.message, (nid) => nids.push(nid));
  const count = Math.min(SAMPLE_ITEMS, nids.length);
  for (let index = 0; index < count; index++) {
    database.startItem();
    const node = database.node(nids[Math.floor((index * nids.length) / count)]!);
    const bytes = node === null ? null : PropertyContext.open(database, node);
    if (bytes !== null) yield new Properties(bytes, { charsets: [], names: store.context.names });
  }
}

/** Only non-ASCII bytes matter, with blanks as word boundaries. */
function textsOf({ source }: Properties): readonly Buffer[] {
  const found: Buffer[] = [];
  for (const id of TEXTS) {
    const bytes = source.typeOf(id) === TYPE.string8 ? bytesOf(source, id) : null;
    if (bytes !== null) found.push(Buffer.from(bytes.subarray(0, MAX_TEXT_BYTES)), Buffer.from(" "));
  }
  return found;
}
