import { hash } from "node:crypto";
import { bufferOf } from "../properties/byte-range.ts";
import { openMessageStore } from "../pst/message-store.ts";
import { type PstUnit, readPstUnit } from "./pst.ts";
import { PstFile } from "./pst-file.ts";
import { locationOf } from "./pst-read.ts";
import type { ItemPlace, PstNode, UnitKind } from "./source.ts";

/** 128 MiB: what a run of PST nodes is taken to hold, as only the reader learns it. */
const PST_UNIT_BYTES = 128 * 2 ** 20;

/**
 * Runs of PST nodes. What is lost of one is not read again: its fingerprint is that of the block with its properties.
 */
export const pstUnits: UnitKind<PstUnit> = {
  read: readPstUnit,
  halve: (unit) => {
    const middle = unit.nodes.length >>> 1;
    if (middle === 0) return null;
    return [
      { ...unit, nodes: unit.nodes.slice(0, middle) },
      { ...unit, nodes: unit.nodes.slice(middle) },
    ];
  },
  *lose(unit, loss) {
    for (const node of unit.nodes) yield { kind: "damaged", ...loss, ...placeOf(node), sha256: nodeHash(unit, node) };
  },
  firstPlace: ({ nodes }) => placeOf(nodes[0]!),
  sizeBytes: () => PST_UNIT_BYTES,
};

function placeOf(node: PstNode): ItemPlace {
  return { mailbox: node.mailbox, location: locationOf(node) };
}

/** Hash of the block that holds the properties of a node; null when it cannot be read. */
function nodeHash(unit: PstUnit, node: PstNode): string | null {
  const file = new PstFile(unit.path);
  try {
    const store = openMessageStore(file);
    const entry = node.blocks ?? store?.database.node(node.nid) ?? null;
    const block = entry === null ? null : (store?.database.readBlock(entry.dataBid) ?? null);
    return block === null ? null : hash("sha256", bufferOf(block));
  } finally {
    file.close();
  }
}
