import type { Instant } from "../../mail/dates/instant.ts";
import { Properties } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { TableContext, type TableRow } from "../../pst/ltp/table-context.ts";
import { type Folder, readFolders } from "../../pst/messaging/folder-tree.ts";
import type { MessageStore } from "../../pst/messaging/message-store.ts";
import { FOLDER_TABLE, NODE_TYPE, nodeType, tableOfFolder } from "../../pst/ndb/node-entry.ts";
import type { PstNode } from "../reading/source.ts";

/** Rows of items in folder tables. */
export class FolderRows {
  private folders: readonly Folder[] | null = null;

  constructor(private readonly store: MessageStore) {}

  /** Rows of messages in all folders with the same path. */
  *of(mailbox: string): Generator<TableRow> {
    this.folders ??= readFolders(this.store);
    for (const { nid, path } of this.folders) {
      if (path !== mailbox) continue;
      const node = this.store.database.node(tableOfFolder(nid, FOLDER_TABLE.contents));
      const rows = node === null ? null : (TableContext.open(this.store.database, node)?.rows() ?? null);
      for (let row = rows?.next() ?? null; row !== null; row = rows?.next() ?? null)
        if (nodeType(row.id) === NODE_TYPE.message) yield row;
    }
  }
}

/** When an item was created and last changed. */
export interface ItemTimes {
  readonly createdAt: Instant | null;
  readonly updatedAt: Instant | null;
}

export const NO_TIMES: ItemTimes = { createdAt: null, updatedAt: null };

/** Creation and change times from folder rows: items of an OST do not contain them. */
export class ListedTimes {
  /** Requested nodes; a folder may list far more. */
  private readonly wanted: ReadonlySet<number>;
  private readonly times = new Map<number, ItemTimes>();
  private readonly read = new Set<string>();

  constructor(
    private readonly store: MessageStore,
    private readonly rows: FolderRows,
    nodes: readonly PstNode[],
  ) {
    this.wanted = new Set(nodes.map(({ nid }) => nid));
  }

  of({ nid, mailbox }: PstNode): ItemTimes {
    if (!this.read.has(mailbox)) {
      this.read.add(mailbox);
      this.readFolder(mailbox);
    }
    return this.times.get(nid) ?? NO_TIMES;
  }

  /** Problems in a folder are reported with the folder, not with the item that caused the read. */
  private readFolder(mailbox: string): void {
    const { log } = this.store.database;
    const ofItem = log.drain();
    for (const row of this.rows.of(mailbox)) {
      if (!this.wanted.has(row.id) || this.times.has(row.id)) continue;
      const properties = new Properties(row, this.store.context);
      this.times.set(row.id, {
        createdAt: properties.time(PID.creationTime),
        updatedAt: properties.time(PID.lastModificationTime),
      });
    }
    log.drain();
    for (const { code, message } of ofItem) log.note(code, message);
  }
}
