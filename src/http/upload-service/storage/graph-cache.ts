import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../../../files/durable-files.ts";
import type { Archive } from "../../../mail/archive.ts";
import { DEFAULT_NODES } from "../../../outputs/graph-page/network-cut.ts";
import { renderGraphPage } from "../../../outputs/graph-page/render-graph-page.ts";
import { collectGraphPayload } from "../../../outputs/graph-payload.ts";
import { GRAPH_DATA_FILE, GRAPH_PAGE_FILE } from "../base/data-directory.ts";
import { WIKI_ZIP } from "./wiki-zip.ts";

/**
 * Writes graph.json and graph.html in advance, because a graph of many contacts is slow to create. The wiki is packed
 * on request.
 */
export async function writeCache(archive: Archive, directory: string): Promise<void> {
  const payload = JSON.stringify(await collectGraphPayload(archive, DEFAULT_NODES));
  writeDurably(join(directory, GRAPH_DATA_FILE), payload);
  writeDurably(join(directory, GRAPH_PAGE_FILE), await renderGraphPage(archive));
  await rm(join(directory, WIKI_ZIP), { force: true });
}
