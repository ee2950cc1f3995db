import { describe, expect, it } from "vitest";
import { itemsOfStore, SOME_FORMATS } from "../../test/pst-writer/items-of-store.ts";
import { binary, integer, text, time, type WrittenProperty } from "../../test/pst-writer/property-writer.ts";
import type { StoreWriter } from "../../test/pst-writer/store-writer.ts";
import type { CalendarEntry } from "../mail/calendar-event.ts";
import { PROPERTY_SET } from "../properties/named-properties.ts";
import { PID } from "../properties/property-ids.ts";
import type { SourceItem } from "./source.ts";

const MAY_6 = Date.UTC(2024, 4, 6, 9);

/** An entry of what is no mail: the appointment, or that of a meeting request. */
function entryOf(item: SourceItem | undefined): CalendarEntry {
  const entry = item?.kind === "appointment" ? item.entry : item?.kind === "mapi" ? item.calendar[0] : undefined;
  if (entry === undefined) throw new Error(`no entry: ${item?.kind}`);
  return entry;
}

function descriptionOf(item: SourceItem): string | undefined {
  return item.kind === "item" ? item.item.fields["body"] : entryOf(item).description;
}

/** RTF as a store keeps it, without compression ([MS-OXRTFCP] 2.1.3.1). */
function storedRtf(rtf: string): Buffer {
  const content = Buffer.from(rtf, "latin1");
  const header = Buffer.alloc(16);
  header.writeUInt32LE(content.length + 12, 0);
  header.writeUInt32LE(content.length, 4);
  header.write("MELA", 8, "latin1");
  return Buffer.concat([header, content]);
}

const HTML = "<html><body><p>Bring the <b>figures</b>.</p></body></html>";
const RTF =
  "{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}Bring the {\\*\\htmltag84 <b>}figures{\\*\\htmltag92 </b>}.{\\*\\htmltag72 </p>}}";

describe.each(SOME_FORMATS)("what an item of Outlook says: $layout, $encoding", (format) => {
  const start = (store: StoreWriter): WrittenProperty => time(store.named({ set: PROPERTY_SET.appointment, name: 0x820d }), MAY_6);

  it.each([
    ["HTML", binary(PID.html, Buffer.from(HTML))],
    ["RTF made of HTML", binary(PID.rtfCompressed, storedRtf(RTF))],
    ["plain text", text(PID.body, "Bring the figures.")],
  ])("is told in plain text where it is kept as %s", async (_, body) => {
    const classes = ["IPM.Appointment", "IPM.Schedule.Meeting.Request", "IPM.Task", "IPM.Contact", "IPM.StickyNote"];
    const items = await itemsOfStore(format, (store) =>
      classes.map((messageClass) => ({
        properties: [
          text(PID.messageClass, messageClass),
          text(PID.subject, messageClass),
          integer(PID.internetCodePage, 65001),
          start(store),
          body,
        ],
      })),
    );
    expect(items.map(descriptionOf)).toEqual(classes.map(() => "Bring the figures."));
  });
});
