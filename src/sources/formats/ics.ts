import { statSync } from "node:fs";
import { encodePath } from "../../files/path-text.ts";
import { beginsCalendar } from "../calendar/calendar-items.ts";
import type { SourceFormat } from "../reading/source.ts";
import { openMessageFile } from "./eml.ts";

/** iCalendar files with events. */
export const ics: SourceFormat = {
  recognizes: beginsCalendar,
  accepts: beginsCalendar,
  open: async (path) => openMessageFile("ics", path, statSync(encodePath(path)).size),
};
