import { ianaZone } from "../../mail/dates/windows-zones.ts";
import { type Clock, clockOfZone } from "../../mail/dates/zone-clock.ts";

/** Minutes east of Greenwich. Military letters other than Z are unknown, so they are read as UTC (RFC 5322 4.3). */
const OFFSETS = byWord([
  [-600, "hst"],
  [-540, "akst"],
  [-480, "pst akdt"],
  [-420, "mst pdt"],
  [-360, "cst mdt"],
  [-300, "est cdt"],
  [-240, "edt ast"],
  [-210, "nst"],
  [-180, "adt brt art"],
  [-150, "ndt"],
  [0, "ut utc gmt z wet"],
  [60, "bst west cet met mez mewz"],
  [120, "cest mest mesz eet sast"],
  [180, "eest msk"],
  [240, "msd"],
  [330, "ist"],
  [480, "hkt sgt awst"],
  [540, "jst kst"],
  [570, "acst"],
  [600, "aest"],
  [630, "acdt"],
  [660, "aedt"],
  [720, "nzst"],
  [780, "nzdt"],
  // Lotus Notes: `ZE2` is two hours east of Greenwich.
  ...Array.from({ length: 14 }, (_, at) => [60 * (at + 1), `ze${at + 1}`] as const),
  ...Array.from({ length: 12 }, (_, at) => [-60 * (at + 1), `zw${at + 1}`] as const),
]);

function byWord(rows: readonly (readonly [number, string])[]): ReadonlyMap<string, number> {
  return new Map(rows.flatMap(([number, words]) => words.split(" ").map((word) => [word, number] as const)));
}

/** Minutes east of Greenwich of an abbreviation in lower case; undefined for other words. */
export function offsetOfZone(word: string): number | undefined {
  return OFFSETS.get(word);
}

/** `10:00:00 W. Europe Standard Time`: a time zone by its name in Windows. */
const WINDOWS_ZONE = / ([a-z.&]{1,20}(?: [a-z.&]{1,20}){0,3} (?:standard|daylight|summer) time)$/i;
/** `10:00:00 Europe/Berlin`, `10:00:00+02:00[Europe/Berlin]`: a name of the IANA database. */
const IANA_ZONE = /[ [(]([A-Z][A-Za-z_]{1,30}(?:\/[A-Za-z0-9_+-]{1,30}){1,2})[\])]?$/;

/** A date that ends with the name of a time zone: what is before the name, and the clock; null for other dates. */
export function splitZoneName(field: string): { readonly written: string; readonly clock: Clock } | null {
  const match = WINDOWS_ZONE.exec(field) ?? IANA_ZONE.exec(field);
  if (match === null) return null;
  const zone = match[1]!.includes("/") ? match[1]! : ianaZone(match[1]!);
  const clock = zone === null ? null : clockOfZone(zone);
  return clock === null ? null : { written: field.slice(0, match.index).trimEnd(), clock };
}
