import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";
import type { ListedEvent } from "./listed-event.ts";
import { daysOf, weeksOf } from "./months.ts";

/** Maximum appointments named per day of the sheet; the list below has all. */
const NAMED = 3;

const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: "short", timeZone: "UTC" });

interface MonthSheetProps {
  readonly month: string;
  readonly events: readonly ListedEvent[];
}

/** The weeks of a month with the appointments of each day, linked to the list below. */
export function MonthSheet({ month, events }: MonthSheetProps) {
  const byDay = new Map<string, ListedEvent[]>();
  for (const event of events) {
    if (event.start === null) continue;
    for (const day of daysOf(event.start, event.end, month)) byDay.set(day, [...(byDay.get(day) ?? []), event]);
  }
  const weeks = weeksOf(month);
  return (
    <table class="month">
      <thead>
        <tr>
          {weeks[0]!.map((day) => (
            <th key={day} scope="col">
              {WEEKDAY.format(Date.parse(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <td key={day} class={day.startsWith(month) ? undefined : "beside"}>
                <time dateTime={day}>{Number(day.slice(8))}</time>
                <Day events={byDay.get(day) ?? []} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Day({ events }: { readonly events: readonly ListedEvent[] }) {
  const more = events.length - NAMED;
  const jump = (id: string) => (event: MouseEvent) => {
    event.preventDefault();
    document.getElementById(id)?.scrollIntoView({ block: "center" });
    document.getElementById(id)?.focus({ preventScroll: true });
  };
  return (
    <ul>
      {events.slice(0, NAMED).map(({ id, subject, status, all_day: isAllDay, start }) => (
        <li key={id}>
          <a href={`#${id}`} class={status === "cancelled" ? "cancelled" : undefined} onClick={jump(id)}>
            {isAllDay ? null : <span class="count">{start!.slice(11, 16)} </span>}
            <span dir="auto">{subject === "" ? WORDS.noSubject : subject}</span>
          </a>
        </li>
      ))}
      {more > 0 ? <li class="count">{TABLE_WORDS.calendar.more(more)}</li> : null}
    </ul>
  );
}
