import type { MapiAddress } from "./mapi-address.ts";
import type { Properties } from "./properties.ts";
import { PID } from "./property-ids.ts";

/** In whose name an item was sent, and who sent it ([MS-OXOMSG] 2.2.1.48-58). */
export interface Senders {
  readonly represented: MapiAddress;
  readonly sending: MapiAddress;
}

export function sendersOf(properties: Properties): Senders {
  return {
    represented: {
      name: properties.text(PID.sentRepresentingName),
      type: properties.text(PID.sentRepresentingAddressType),
      email: properties.text(PID.sentRepresentingEmail),
      smtp: properties.text(PID.sentRepresentingSmtp),
      entryId: properties.binary(PID.sentRepresentingEntryId),
    },
    sending: {
      name: properties.text(PID.senderName),
      type: properties.text(PID.senderAddressType),
      email: properties.text(PID.senderEmail),
      smtp: properties.text(PID.senderSmtp),
      entryId: properties.binary(PID.senderEntryId),
    },
  };
}
