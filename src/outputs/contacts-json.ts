import { join } from "node:path";
import { contactArc, contactNode } from "../document/contact-graph.ts";
import type { ContactEdge } from "../mail/archive.ts";
import type { Contact } from "../mail/records/contact.ts";
import type { RecordWatcher } from "./record-visitors.ts";
import { TextFile } from "./text-file.ts";

/**
 * Writes contacts.json: every contact as a node with its graph metrics, every pair that wrote as an edge; one per line.
 */
export class ContactsJson implements RecordWatcher {
  private readonly file: TextFile;
  private separator = "";

  constructor(directory: string) {
    this.file = new TextFile(join(directory, "contacts.json"));
    this.file.text('{"nodes":[\n');
  }

  showContacts(contacts: readonly Contact[]): void {
    for (const contact of contacts) this.line(contactNode(contact));
  }

  /** All contacts come before the first edge. */
  showEdges(edges: readonly ContactEdge[]): void {
    for (const edge of edges) this.line(contactArc(edge));
  }

  contactsEnd(): void {
    this.file.text(this.separator === "" ? '],\n"edges":[\n' : '\n],\n"edges":[\n');
    this.separator = "";
  }

  close(): void {
    this.file.text(this.separator === "" ? "]}\n" : "\n]}\n");
    this.file.close();
  }

  private line(record: object): void {
    this.file.text(this.separator);
    this.file.text(JSON.stringify(record));
    this.separator = ",\n";
  }
}
