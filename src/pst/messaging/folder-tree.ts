import { Uint32Column } from "../../columns/column.ts";
import { Properties } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import { PropertyContext } from "../ltp/property-context.ts";
import { TableContext } from "../ltp/table-context.ts";
import { scannedNodes } from "../ndb/node-database.ts";
import { FOLDER_TABLE, NODE_ID, NODE_TYPE, nodeType, tableOfFolder } from "../ndb/node-entry.ts";
import type { MessageStore } from "./message-store.ts";

/** A folder with its path. */
export interface Folder {
  readonly nid: number;
  /** Names from the top, joined by `/`; never empty. */
  readonly path: string;
  /** False if no hierarchy table lists it. */
  readonly isListed: boolean;
}

/** Maximum folders of one store: Outlook's own limit is 10,000 per level. */
const MAX_FOLDERS = 100_000;
/** Outlook allows about 300 levels; deeper paths are a loop or an attack. */
const MAX_PATH_DEPTH = 300;
/** Maximum UTF-16 units of one folder name. */
const MAX_NAME_LENGTH = 255;
const UNNAMED = "Unnamed folder";
/** OSTs do not name their subtree by id; it has this name in every language. */
const OFFLINE_SUBTREE = "IPM_SUBTREE";

/**
 * All folders in hierarchy order, depth first, then unlisted ones. The root of the user's folders (IPM subtree, "Top
 * of Outlook data file") is not part of paths. Search folders have no items of their own.
 */
export function readFolders(store: MessageStore): readonly Folder[] {
  const childrenOf = childrenByParent(store);
  const folders: Folder[] = [];
  const visited = new Set<number>([NODE_ID.rootFolder]);
  const root: Step = { nid: NODE_ID.rootFolder, prefix: "", depth: 0, name: null };
  visit(store, { childrenOf, folders, visited }, { start: root, isListed: true });
  for (const nid of [...childrenOf.values()].flat()) {
    if (visited.has(nid)) continue;
    visited.add(nid);
    visit(
      store,
      { childrenOf, folders, visited },
      { start: { nid, prefix: "", depth: 1, name: null }, isListed: false },
    );
  }
  return folders;
}

interface Step {
  readonly nid: number;
  readonly prefix: string;
  readonly depth: number;
  readonly name: string | null;
}

interface Walk {
  readonly childrenOf: ReadonlyMap<number, readonly number[]>;
  readonly folders: Folder[];
  readonly visited: Set<number>;
}

/** Walks with a stack: recursion over input could overflow. */
function visit(store: MessageStore, walk: Walk, from: { readonly start: Step; readonly isListed: boolean }): void {
  const stack = [from.start];
  while (stack.length > 0) {
    const step = stack.pop()!;
    if (walk.folders.length >= MAX_FOLDERS || step.depth > MAX_PATH_DEPTH) {
      store.database.log.note(
        "limit-reached",
        `more than ${MAX_FOLDERS} folders, or deeper than ${MAX_PATH_DEPTH} levels`,
      );
      continue;
    }
    const isRoot = step.nid === NODE_ID.rootFolder;
    const name = step.name ?? folderName(store, step.nid) ?? (isRoot ? "Root folder" : UNNAMED);
    const path = isRoot ? name : `${step.prefix}${name}`;
    walk.folders.push({ nid: step.nid, path, isListed: from.isListed });
    const prefix = isRoot || isSubtree(store, step.nid, name) ? "" : `${path}/`;
    for (const child of unvisitedChildren(store, walk, step.nid).reverse())
      stack.push({ nid: child.nid, prefix, depth: step.depth + 1, name: child.name });
  }
}

function isSubtree({ ipmSubtreeNid }: MessageStore, nid: number, name: string): boolean {
  return ipmSubtreeNid === null ? name === OFFLINE_SUBTREE : nid === ipmSubtreeNid;
}

/** Children by hierarchy table, then by the node tree; each once per store. */
function unvisitedChildren(store: MessageStore, { childrenOf, visited }: Walk, nid: number): ListedFolder[] {
  const children = listedChildren(store, nid);
  for (const child of childrenOf.get(nid) ?? []) children.push({ nid: child, name: null });
  return children.filter((child) => {
    if (visited.has(child.nid)) return false;
    visited.add(child.nid);
    return true;
  });
}

/** Folders by parent in the node tree, for stores with damaged hierarchy tables. */
function childrenByParent(store: MessageStore): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  const add = (nid: number, parentNid: number): void => {
    const siblings = children.get(parentNid);
    if (siblings === undefined) children.set(parentNid, [nid]);
    else siblings.push(nid);
  };
  store.database.eachNode(NODE_TYPE.folder, add);
  for (const node of scannedNodes(store.database, NODE_TYPE.folder)) add(node.nid, node.parentNid);
  return children;
}

interface ListedFolder {
  readonly nid: number;
  readonly name: string | null;
}

function listedChildren(store: MessageStore, nid: number): ListedFolder[] {
  const node = store.database.node(tableOfFolder(nid, FOLDER_TABLE.hierarchy));
  const table = node === null ? null : TableContext.open(store.database, node);
  if (table === null) return [];
  const children: ListedFolder[] = [];
  const rows = table.rows();
  for (let row = rows.next(); row !== null; row = rows.next()) {
    if (nodeType(row.id) !== NODE_TYPE.folder) continue;
    children.push({ nid: row.id, name: cleanName(new Properties(row, store.context).text(PID.displayName)) });
  }
  return children;
}

function folderName(store: MessageStore, nid: number): string | null {
  const node = store.database.node(nid);
  const bytes = node === null ? null : PropertyContext.open(store.database, node);
  return bytes === null ? null : cleanName(new Properties(bytes, store.context).text(PID.displayName));
}

/** Converts a name to one part of a path: without separators and control characters, and of limited length. */
function cleanName(name: string | null): string | null {
  if (name === null) return null;
  const clean = name
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll("/", "_")
    .replace(/[\x00-\x1f\x7f]/g, " ")
    .trim();
  return clean === "" ? null : clean.toWellFormed();
}

/** Ids of the messages in a folder, according to its contents table. */
export function listedNodes(store: MessageStore, folderNid: number): Uint32Array {
  const node = store.database.node(tableOfFolder(folderNid, FOLDER_TABLE.contents));
  const table = node === null ? null : TableContext.open(store.database, node);
  const nids = new Uint32Column();
  table?.eachRowId((nid) => {
    if (nodeType(nid) === NODE_TYPE.message) nids.push(nid);
  });
  return nids.view();
}
