import { CalendarView } from "../calendar/calendar-view.tsx";
import { FilesView } from "../files/files-view.tsx";
import { MailboxesView } from "../mailboxes/mailboxes-view.tsx";
import { ItemsView } from "./items-view.tsx";

/** Views that are loaded together: one file is smaller than several. */
export const ITEM_VIEWS = {
  calendar: CalendarView,
  items: ItemsView,
  files: FilesView,
  mailboxes: MailboxesView,
} as const;
