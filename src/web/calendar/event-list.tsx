import { useAddress, useApplication } from "../application.ts";
import { ItemFileCards } from "../parts/file-cards.tsx";
import { momentOf, periodOf, spanOf } from "../parts/formats.ts";
import { TABLE_WORDS } from "../words/table-words.ts";
import { WORDS } from "../words/words.ts";
import type { ListedEvent } from "./listed-event.ts";

const words = TABLE_WORDS.calendar;

/** Maximum people shown per appointment; its message lists all. */
const NAMED = 30;

/** Appointments with details. */
export function EventList({ events }: { readonly events: readonly ListedEvent[] }) {
  return (
    <ul class="cards">
      {events.map((event) => (
        <Event key={event.id} event={event} />
      ))}
    </ul>
  );
}

function Event({ event }: { readonly event: ListedEvent }) {
  const address = useAddress();
  const { isUtc } = useApplication();
  const { id, subject, location, organizer, recurrence, description, message_id: message, status } = event;
  const people = event.attendees.map(({ name, email }) => (name === "" ? email : name));
  const unnamed = people.length - NAMED;
  return (
    <li class="panel" id={id} tabIndex={-1}>
      <h2 dir="auto">{subject === "" ? WORDS.noSubject : subject}</h2>
      <p>
        {timeOf(event, isUtc.value)}
        {status === "confirmed" ? null : <span class="state-word"> {words.states[status]}</span>}
      </p>
      {recurrence === null ? null : <p class="quiet">{words.repeats(recurrence.text)}</p>}
      {location === "" ? null : <p dir="auto">{location}</p>}
      {organizer === null ? null : (
        <p class="quiet">
          {words.organizer} <bdi>{organizer.name === "" ? organizer.email : organizer.name}</bdi>
        </p>
      )}
      {people.length === 0 ? null : (
        <p class="quiet">
          {words.attendees} <bdi>{people.slice(0, NAMED).join(", ")}</bdi>
          {unnamed > 0 ? ` ${words.more(unnamed)}` : ""}
        </p>
      )}
      {description === "" ? null : (
        <details>
          <summary>{words.description}</summary>
          <p class="field" dir="auto">
            {description}
          </p>
        </details>
      )}
      <ItemFileCards of={`/events/${id}`} files={event.attachments} />
      {message === null ? null : <a href={address("message", { id: message })}>{words.message}</a>}
    </li>
  );
}

/** Start and end; the days of all-day appointments do not depend on a time zone. */
function timeOf({ start, end, all_day: isAllDay }: ListedEvent, isUtc: boolean): string {
  if (start === null) return WORDS.undated;
  if (isAllDay) return spanOf(start.slice(0, 10));
  return end === null || end <= start ? momentOf(start, isUtc) : periodOf(start, end, isUtc);
}
