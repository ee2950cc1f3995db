import { decodeCharset } from "../../charset/decode-charset.ts";

/** `vCal-Uid`: what follows is the UID of an iCalendar event Outlook took over ([MS-OXOCAL] 2.2.1.27). */
const VCAL_MARK = Buffer.from("vCal-Uid\x01\0\0\0", "latin1");
const VCAL_AT = 40;
/** Bytes 16 to 19 hold the date of one occurrence; the UID of a series has zeros there. */
const OCCURRENCE_DATE = { start: 16, end: 20 } as const;
/** Calendars of Outlook begin here. */
const FIRST_YEAR = 1601;

/** [MS-OXCICAL] 2.1.3.1.1.20.26: the UID inside when there is one, else the id in upper-case hex without its date. */
export function uidOfGlobalObjectId(id: Buffer): string {
  if (id.length > VCAL_AT + VCAL_MARK.length && id.subarray(VCAL_AT, VCAL_AT + VCAL_MARK.length).equals(VCAL_MARK)) {
    const uid = decodeCharset(id.subarray(VCAL_AT + VCAL_MARK.length), "utf-8")
      .replace(/\0.*$/s, "")
      .trim();
    if (uid !== "") return uid;
  }
  const clean = Buffer.from(id);
  if (clean.length >= OCCURRENCE_DATE.end) clean.fill(0, OCCURRENCE_DATE.start, OCCURRENCE_DATE.end);
  return clean.toString("hex").toUpperCase();
}

/**
 * The day of the occurrence that an id is about, as midnight in UTC; null for the id of a series or a single event
 * ([MS-OXOCAL] 2.2.1.27).
 */
export function occurrenceDay(id: Buffer): number | null {
  if (id.length < OCCURRENCE_DATE.end) return null;
  const year = id.readUInt16BE(OCCURRENCE_DATE.start);
  const [month, day] = [id[OCCURRENCE_DATE.start + 2]!, id[OCCURRENCE_DATE.start + 3]!];
  if (year < FIRST_YEAR || month < 1 || month > 12 || day < 1 || day > 31) return null;
  return Date.UTC(year, month - 1, day);
}
