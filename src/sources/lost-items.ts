import { hash } from "node:crypto";
import { bufferOf } from "../properties/byte-range.ts";
import { openStore } from "../pst/store.ts";
import { PstFile } from "./pst-file.ts";
import { locationOf } from "./pst-read.ts";
import type { ItemPlace, PstNode, SourceItem, WorkUnit } from "./source.ts";
import { readUnit } from "./work-units.ts";

/** Why an item is given up: it stopped every worker that read it. */
export interface ItemLoss {
  readonly code: string;
  readonly message: string;
}

/** The items of a unit with nothing but their places and fingerprints, as items that are lost. What is no mail is given as it is. */
export function* lostItems(unit: WorkUnit, loss: ItemLoss): Generator<SourceItem> {
  if (unit.kind === "pst") {
    for (const node of unit.nodes) yield { kind: "damaged", ...loss, ...placeOf(node), sha256: nodeHash(unit, node) };
    return;
  }
  for (const item of readUnit(unit)) {
    if (item.kind !== "rfc5322") yield item;
    else yield { kind: "damaged", ...loss, mailbox: item.mailbox, location: item.location, sha256: hash("sha256", item.bytes) };
  }
}

/** The places of a unit's first item, as far as the unit itself tells: for an item that cannot even be hashed. */
export function firstPlace(unit: WorkUnit): ItemPlace {
  switch (unit.kind) {
    case "mbox":
      return { mailbox: unit.mailbox, location: `offset:${unit.start}` };
    case "pst":
      return placeOf(unit.nodes[0]!);
    case "files": {
      const run = unit.runs[0]!;
      return { mailbox: run.mailbox, location: run.prefix + run.names };
    }
  }
}

function placeOf(node: PstNode): ItemPlace {
  return { mailbox: node.mailbox, location: locationOf(node) };
}

/** Hash of the block that holds the properties of a node; null when it cannot be read. */
function nodeHash(unit: Extract<WorkUnit, { kind: "pst" }>, node: PstNode): string | null {
  const file = new PstFile(unit.path);
  try {
    const store = openStore(file);
    const entry = node.blocks ?? store?.database.node(node.nid) ?? null;
    const block = entry === null ? null : (store?.database.readBlock(entry.dataBid) ?? null);
    return block === null ? null : hash("sha256", bufferOf(block));
  } finally {
    file.close();
  }
}
