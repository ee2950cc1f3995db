import type { MessageFacts } from "../../search/indexing/message-facts.ts";
import { alignedBuffer } from "./document-columns.ts";

/** Facts in the columns of an index; null in archives of earlier versions. @param column returns a column by name */
export function storedFacts(column: (name: string) => Uint8Array | undefined): MessageFacts | null {
  if (column("labelNames") === undefined) return null;
  const numbers = (name: string): Uint32Array => new Uint32Array(alignedBuffer(column(name)!));
  const names = (name: string): readonly string[] => JSON.parse(new TextDecoder().decode(column(name)!));
  return {
    threads: numbers("threads"),
    sizes: numbers("sizes"),
    traits: numbers("traits"),
    languages: { numbers: numbers("languages"), names: names("languageNames") },
    domains: { numbers: numbers("domains"), names: names("domainNames") },
    labels: { starts: numbers("labelStarts"), values: numbers("labels"), names: names("labelNames") },
  };
}
