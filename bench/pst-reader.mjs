// The PST reader alone, as a process of its own: every item of a store, its texts decoded and the bytes of its attachments read.
import { pst } from "../dist/sources/pst.js";

const opened = await pst.open(process.argv[2], { password: null, skipProtected: false });
const seen = { items: 0, attachments: 0, bytes: 0, characters: 0 };
for (const unit of opened.units()) {
  for (const item of pst.read(unit)) {
    seen.items += 1;
    if (item.kind !== "mapi") continue;
    seen.characters += (item.message.textBody?.length ?? 0) + (item.message.htmlBody?.length ?? 0);
    for (const part of item.message.attachments) {
      seen.attachments += 1;
      seen.bytes += part.bytes().length;
    }
  }
}
console.log(JSON.stringify(seen));
