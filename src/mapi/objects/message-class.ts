import { PROPERTY_SET, type PropertyName } from "../../properties/named-properties.ts";
import type { Properties } from "../../properties/properties.ts";
import { PID } from "../../properties/property-ids.ts";
import type { UserItemKind } from "./item-field-rows.ts";
import type { AddressedObject } from "./message-object.ts";

/** How an object is processed. */
type Treatment = "mail" | "meeting" | "appointment" | UserItemKind;

/** By prefix of the message class (lower case); the first match counts. */
const TREATMENTS: readonly { readonly prefix: string; readonly as: Treatment }[] = [
  { prefix: "ipm.note", as: "mail" },
  // That somebody forwarded an invitation; its times are those of a meeting that the mailbox has.
  { prefix: "ipm.schedule.meeting.notification", as: "mail" },
  { prefix: "ipm.schedule.meeting", as: "meeting" },
  { prefix: "ipm.appointment", as: "appointment" },
  { prefix: "ipm.ole.class.{00061055", as: "appointment" },
  { prefix: "ipm.contact", as: "contact" },
  { prefix: "ipm.abchperson", as: "contact" },
  { prefix: "ipm.distlist", as: "distribution_list" },
  { prefix: "ipm.taskrequest", as: "mail" },
  { prefix: "ipm.task", as: "task" },
  { prefix: "ipm.stickynote", as: "note" },
  { prefix: "ipm.activity", as: "journal" },
  { prefix: "ipm.post", as: "mail" },
  { prefix: "report.", as: "mail" },
  { prefix: "ipm.recall", as: "mail" },
  { prefix: "ipm.outlook.recall", as: "mail" },
  { prefix: "ipm.sharing", as: "mail" },
  { prefix: "ipm.replication", as: "mail" },
  { prefix: "ipm.conflict", as: "mail" },
  { prefix: "ipm.microsoft", as: "other" },
  { prefix: "ipm.configuration", as: "other" },
];

export function treatmentOf({ properties, recipients }: AddressedObject): Treatment {
  const messageClass = properties.text(PID.messageClass)?.toLowerCase() ?? classByProperties(properties);
  const row = TREATMENTS.find(({ prefix }) => messageClass.startsWith(prefix));
  if (row !== undefined) return row.as;
  // Objects with classes of add-ins are mail if they have a sender and recipients.
  const isSent = recipients.length > 0 || properties.has(PID.transportHeaders) || properties.has(PID.senderName);
  return isSent || messageClass === "ipm" ? "mail" : "other";
}

/** Properties that only one kind of item has, by the class it lost ([MS-OXOCAL], [MS-OXOCNTC], [MS-OXOTASK]). */
const TELLING: readonly { readonly property: PropertyName; readonly messageClass: string }[] = [
  { property: { set: PROPERTY_SET.appointment, name: 0x820d }, messageClass: "ipm.appointment" },
  { property: { set: PROPERTY_SET.address, name: 0x8083 }, messageClass: "ipm.contact" },
  { property: { set: PROPERTY_SET.address, name: 0x8005 }, messageClass: "ipm.contact" },
  { property: { set: PROPERTY_SET.task, name: 0x8101 }, messageClass: "ipm.task" },
];

/** Class of a damaged item without one: mail, unless its properties indicate another kind. */
function classByProperties(properties: Properties): string {
  const row = TELLING.find(({ property }) => properties.has(properties.named(property)));
  return row?.messageClass ?? "ipm.note";
}
