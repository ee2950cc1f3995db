import { Float64Column } from "../columns/column.ts";
import { formatInstant, type Instant, parseInstant } from "../mail/dates/instant.ts";
import { plausibleDates, sortingDate } from "../mail/dates/plausible-dates.ts";
import type { MessageJson } from "./extraction-records.ts";

/** First and last date of the messages of a document, as written there; null if no message is dated. */
interface StatedRange {
  readonly earliest: string | null;
  readonly latest: string | null;
}

/** When the messages of a document were sent and received: 16 bytes each. */
export class DocumentDates {
  private readonly sentAt = new Float64Column();
  private readonly receivedAt = new Float64Column();

  add({ sent_at: sentAt, received_at: receivedAt }: Pick<MessageJson, "sent_at" | "received_at">): void {
    this.sentAt.push(instantOf(sentAt) ?? Number.NaN);
    this.receivedAt.push(instantOf(receivedAt) ?? Number.NaN);
  }

  /** The range of the dates as they were written. */
  written(): StatedRange {
    return rangeOf(this.sentAt.view(), (sentAt) => sentAt);
  }

  /** The range of the dates that messages are sorted by. */
  sorted(extractedAt: Instant): StatedRange {
    const believed = plausibleDates(this.sentAt, extractedAt);
    return rangeOf(this.sentAt.view(), (sentAt, message) =>
      sortingDate(sentAt, known(this.receivedAt.at(message)), believed),
    );
  }
}

function rangeOf(
  dates: Float64Array,
  dateOf: (sentAt: Instant | null, message: number) => Instant | null,
): StatedRange {
  let earliest: Instant | null = null;
  let latest: Instant | null = null;
  for (let message = 0; message < dates.length; message++) {
    const date = dateOf(known(dates[message]!), message);
    if (date === null) continue;
    if (earliest === null || date < earliest) earliest = date;
    if (latest === null || date > latest) latest = date;
  }
  return { earliest: formatInstant(earliest!), latest: formatInstant(latest!) };
}

const instantOf = (text: string | null): Instant | null => (text === null ? null : parseInstant(text));
const known = (instant: number): Instant | null => (Number.isNaN(instant) ? null : instant);
