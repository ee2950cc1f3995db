import { createHash, hash } from "node:crypto";
import { formatInstant } from "../../mail/dates/instant.ts";
import { type ByteRange, bufferOf } from "../../properties/byte-range.ts";
import { Properties } from "../../properties/properties.ts";
import { bytesOf } from "../../properties/property-bytes.ts";
import { PID } from "../../properties/property-ids.ts";
import type { TableRow } from "../../pst/ltp/table-context.ts";
import type { MessageStore } from "../../pst/messaging/message-store.ts";
import type { ItemPlace, PstNode, SourceItem } from "../reading/source.ts";
import type { FolderRows } from "./pst-folder-rows.ts";

/** Limit of cached folder rows while lost items are described: 20 MB at most. */
const MAX_ROWS = 100_000;
/** Maximum UTF-16 units of a lost subject in a warning. */
const MAX_SUBJECT = 200;

/** Row of a folder for an item. */
interface ListedRow {
  readonly sha256: string;
  readonly subject: string;
  readonly date: string | null;
}

/** Folder rows, read when the first of their items is lost. */
export class LostItems {
  private readonly rows = new Map<string, ReadonlyMap<number, ListedRow>>();
  private rowCount = 0;

  constructor(
    private readonly store: MessageStore,
    private readonly folders: FolderRows,
  ) {}

  /**
   * A listed item that cannot be read is lost; one that only a scan found may be an outdated page and is noted. Its
   * fingerprint is that of the remains: its folder row, which identifies its content at any location; else the bytes
   * of its data, which may be overwritten; else its entry in the node tree.
   */
  report(node: PstNode, place: ItemPlace): SourceItem {
    const { database } = this.store;
    const entry = node.blocks ?? database.node(node.nid);
    const raw = entry === null ? null : database.readBlock(entry.dataBid);
    const reasons = database.log.drain().map(({ message }) => message);
    const row = node.origin === "listed" ? this.rowOf(node) : null;
    // Problems in the folder are reported with the folder.
    database.log.drain();
    const reason =
      entry === null
        ? "listed in its folder, but not in the store"
        : `unreadable: ${reasons.join("; ") || "no properties"}`;
    const left = row?.sha256 ?? (entry === null ? null : (dataHash(raw) ?? entryHash(node.nid, entry)));
    return {
      kind: node.origin === "recovered" ? "note" : "damaged",
      code: entry === null ? "item-missing" : "item-damaged",
      message: reason + (row === null ? "" : rowText(row)),
      sha256: left,
      ...place,
    };
  }

  private rowOf({ nid, mailbox }: PstNode): ListedRow | null {
    let rows = this.rows.get(mailbox);
    if (rows === undefined) {
      if (this.rowCount > MAX_ROWS) this.rows.clear();
      rows = this.rowsOf(mailbox);
      this.rowCount = this.rows.size === 0 ? rows.size : this.rowCount + rows.size;
      this.rows.set(mailbox, rows);
    }
    return rows.get(nid) ?? null;
  }

  /** If a mailbox has several folders of one name, the first that lists an item counts. */
  private rowsOf(mailbox: string): ReadonlyMap<number, ListedRow> {
    const found = new Map<number, ListedRow>();
    for (const row of this.folders.of(mailbox)) {
      if (found.size >= MAX_ROWS) break;
      if (!found.has(row.id)) found.set(row.id, listedRow(row, this.store));
    }
    return found;
  }
}

/** Columns of a row for its position and version ([MS-PST] 2.3.4.4.1: LtpRowId, LtpRowVer). */
const PLACED: ReadonlySet<number> = new Set([0x67f2, 0x67f3]);

function listedRow(row: TableRow, store: MessageStore): ListedRow {
  const digest = createHash("sha256");
  for (const id of [...row.ids()].filter((each) => !PLACED.has(each)).sort((a, b) => a - b)) {
    const bytes = bytesOf(row, id) ?? Buffer.alloc(0);
    digest.update(`${id}:${bytes.length}:`).update(bytes);
  }
  const properties = new Properties(row, store.context);
  return {
    sha256: digest.digest("hex"),
    subject: (properties.subject() ?? "").slice(0, MAX_SUBJECT).toWellFormed(),
    date: formatInstant(properties.time(PID.clientSubmitTime) ?? properties.time(PID.deliveryTime)),
  };
}

function rowText({ subject, date }: ListedRow): string {
  const details = [subject === "" ? "" : `"${subject}"`, date ?? ""].filter((text) => text !== "");
  return details.length === 0 ? "" : `; its folder lists it as ${details.join(" of ")}`;
}

/** A block that no longer inflates leaves nothing. */
function dataHash(raw: ByteRange | null): string | null {
  return raw === null || raw.start === raw.end ? null : hash("sha256", bufferOf(raw));
}

function entryHash(nid: number, { dataBid, subnodeBid }: { readonly dataBid: number; readonly subnodeBid: number }) {
  return hash("sha256", `${nid.toString(16)}:${dataBid.toString(16)}:${subnodeBid.toString(16)}`);
}
