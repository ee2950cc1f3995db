import type { MessageFacts } from "../../search/message-facts.ts";
import { ownBuffer } from "./document-columns.ts";

/** The columns that `storedFacts` reads, by name. */
export function factColumns(facts: MessageFacts): readonly (readonly [name: string, data: Uint8Array])[] {
  const { threads, sizes, traits, languages, domains, labels } = facts;
  const numbers = (column: Uint32Array): Uint8Array =>
    new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
  const names = (list: readonly string[]): Uint8Array => new TextEncoder().encode(JSON.stringify(list));
  return [
    ["threads", numbers(threads)],
    ["sizes", numbers(sizes)],
    ["traits", numbers(traits)],
    ["languages", numbers(languages.numbers)],
    ["languageNames", names(languages.names)],
    ["domains", numbers(domains.numbers)],
    ["domainNames", names(domains.names)],
    ["labelStarts", numbers(labels.starts)],
    ["labels", numbers(labels.values)],
    ["labelNames", names(labels.names)],
  ];
}

/** The facts of those columns; null where an earlier version wrote none. @param column one by its name */
export function storedFacts(column: (name: string) => Uint8Array | undefined): MessageFacts | null {
  if (column("labelNames") === undefined) return null;
  const numbers = (name: string): Uint32Array => new Uint32Array(ownBuffer(column(name)!));
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
