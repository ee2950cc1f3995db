import { type Address, addressText } from "../../mail/records/address.ts";
import type { CopyDifferences } from "../../mail/records/message.ts";
import type { ContactRole } from "../../search/indexing/search-source.ts";

/** The people of a field of a message and its duplicates, as indexed (message-fields.ts). */
export function peopleIn(field: ContactRole, occurrences: readonly CopyDifferences[]): readonly string[] {
  const people: string[] = [];
  const add = (addresses: readonly Address[] = []): void => {
    for (const address of addresses) people.push(addressText(address));
  };
  for (const { from, to, cc, bcc } of occurrences) {
    if (field === "from" && from) add([from]);
    if (field === "to") add(to);
    if (field === "cc") {
      add(cc);
      add(bcc);
    }
  }
  return people;
}
