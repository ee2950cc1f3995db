import { join } from "node:path";
import { contactArc, contactNode } from "../document/contact-graph.ts";
import type { Archive } from "../mail/archive.ts";
import { TextFile } from "./text-file.ts";

/** Writes contacts.json: every contact as a node with its graph metrics, every pair that wrote as an edge; one a line. */
export async function writeContactsJson(archive: Archive, directory: string): Promise<void> {
  const file = new TextFile(join(directory, "contacts.json"));
  file.text('{"nodes":[\n');
  await writeList(file, archive.contacts.scan(), contactNode);
  file.text('],\n"edges":[\n');
  await writeList(file, archive.contacts.edges(), contactArc);
  file.text("]}\n");
  file.close();
}

async function writeList<T>(file: TextFile, batches: AsyncIterable<readonly T[]>, shape: (record: T) => unknown): Promise<void> {
  let isFirst = true;
  for await (const batch of batches) {
    for (const record of batch) {
      file.text((isFirst ? "" : ",\n") + JSON.stringify(shape(record)));
      isFirst = false;
    }
  }
  if (!isFirst) file.text("\n");
}
