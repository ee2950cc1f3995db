import { useAddress, useApi, useApplication, useRoute } from "../application.ts";
import { FilterBox } from "../parts/filter-box.tsx";
import { spanOf } from "../parts/formats.ts";
import { Icon } from "../parts/icon.tsx";
import { Pager, TABLE_ROWS, useChanged, useOffset } from "../parts/pager.tsx";
import { EmptyState, FaultMessage, Skeleton } from "../parts/states.tsx";
import { ViewHead } from "../parts/view-head.tsx";
import { formatParameters } from "../shell/addresses.ts";
import { useAnswer } from "../shell/use-answer.ts";
import { useKeys } from "../shell/use-keys.ts";
import { number } from "../words/nouns.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";
import { EventList } from "./event-list.tsx";
import type { EventPage, ListedEvent } from "./listed-event.ts";
import { MonthSheet } from "./month-sheet.tsx";
import { addMonths, isMonth } from "./months.ts";

const words = TABLE_WORDS.calendar;
/** Appointments of a month per request. */
const MONTH_ROWS = 500;

/** The calendar's route parameters, and the response. */
function useCalendar() {
  const api = useApi();
  const { parameters } = useRoute();
  const offset = useOffset();
  const search = parameters.get("search") ?? "";
  const isList = parameters.get("view") === "list";
  const asked = parameters.get("month") ?? "";
  const page = isList ? { offset, limit: TABLE_ROWS } : { limit: 1 };
  const all = useAnswer<EventPage>(api(`/events${formatParameters({ search, ...page })}`));
  const month = isMonth(asked) ? asked : (all.data?.month ?? "");
  const ofMonth = formatParameters({ search, after: month, before: month, limit: MONTH_ROWS });
  const inMonth = useAnswer<EventPage>(isList || month === "" ? null : api(`/events${ofMonth}`));
  const failed = [all, inMonth].find(({ fault }) => fault !== null) ?? null;
  return { isList, month, all: all.data, page: isList ? all.data : inMonth.data, failed };
}

/** Appointments, a month as a sheet or all as a list. */
export function CalendarView() {
  const { isList, month, all, page, failed } = useCalendar();
  const summary = page === null ? "" : number(page.total, "appointment");
  return (
    <div class="page wide">
      <ViewHead title={isList || month === "" ? WORDS.views.calendar : spanOf(month)} summary={summary}>
        <Ways month={month} isList={isList} />
      </ViewHead>
      <FilterBox name="search" label={words.filter} />
      {failed === null ? null : <FaultMessage fault={failed.fault!} onRetry={failed.retry} />}
      {all === null && failed === null ? <Skeleton rows={5} height={96} /> : null}
      {all !== null && all.total === 0 ? <EmptyState title={words.none} /> : null}
      {page === null ? null : <Shown isList={isList} month={month} page={page} />}
    </div>
  );
}

interface ShownProps {
  readonly isList: boolean;
  readonly month: string;
  readonly page: EventPage;
}

function Shown({ isList, month, page }: ShownProps) {
  if (!isList) return month === "" ? null : <Month month={month} events={page.events} />;
  return (
    <>
      <EventList events={page.events} />
      <Pager total={page.total} rows={page.events.length} />
    </>
  );
}

function Month({ month, events }: { readonly month: string; readonly events: readonly ListedEvent[] }) {
  const address = useAddress();
  return (
    <>
      <MonthSheet month={month} events={events} />
      {events.length === 0 ? <EmptyState title={words.emptyMonth(spanOf(month))} /> : <EventList events={events} />}
      <p class="quiet foot">
        {WORDS.search.utcDays}. <a href={address("search", {}, { q: `on:${month}` })}>{words.mailOf(spanOf(month))}</a>
      </p>
    </>
  );
}

interface WaysProps {
  readonly month: string;
  readonly isList: boolean;
}

/** Month back and forward, and sheet or list. */
function Ways({ month, isList }: WaysProps) {
  const { navigation } = useApplication();
  const changed = useChanged();
  const go = (step: number) => () => {
    if (isList || month === "") return false;
    navigation.go(changed({ month: addMonths(month, step) }));
    return true;
  };
  useKeys({ nextMonth: go(1), previousMonth: go(-1) });
  return (
    <>
      {isList || month === "" ? null : (
        <>
          <a class="tool" href={changed({ month: addMonths(month, -1) })} aria-label={words.previous} title="[">
            <Icon name="back" />
          </a>
          <a class="tool" href={changed({ month: addMonths(month, 1) })} aria-label={words.next} title="]">
            <Icon name="forward" />
          </a>
        </>
      )}
      <a class="button" href={changed({ view: isList ? null : "list" })}>
        {isList ? words.sheet : words.list}
      </a>
    </>
  );
}
