import { CalendarView } from "../calendar/calendar-view.tsx";
import { ItemsView } from "./items-view.tsx";

/** Views that are loaded together: one file weighs less than several. */
export const ITEM_VIEWS = { calendar: CalendarView, items: ItemsView } as const;
