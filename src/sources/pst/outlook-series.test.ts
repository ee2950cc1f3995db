import { describe, expect, it } from "vitest";
import { recurrenceBlob, timeZoneDefinition, timeZoneStruct } from "../../../test/pst-writer/appointment-blobs.ts";
import { itemsOfStore, SOME_FORMATS } from "../../../test/pst-writer/items-of-store.ts";
import { binary, boolean, text, time, type WrittenProperty } from "../../../test/pst-writer/property-writer.ts";
import type { StoreWriter, WrittenMessage } from "../../../test/pst-writer/store-writer.ts";
import type { CalendarEntry } from "../../mail/records/calendar-event.ts";
import { PROPERTY_SET } from "../../properties/named-properties.ts";
import { PID } from "../../properties/property-ids.ts";
import type { SourceItem } from "../reading/source.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CHICAGO = {
  name: "Central Standard Time",
  iana: "America/Chicago",
  /** Offset from UTC in hours during the weeks below. */
  ahead: -5,
  aheadInDecember: -6,
  fixed: "Etc/GMT+5",
  display: "(GMT-06:00) Central Time (US & Canada)",
  rule: {
    bias: 360,
    standard: { month: 11, day: 1, weekday: 0, hour: 2 },
    daylight: { month: 3, day: 2, weekday: 0, hour: 2 },
  },
};
const BERLIN = {
  name: "W. Europe Standard Time",
  iana: "Europe/Berlin",
  ahead: 2,
  aheadInDecember: 1,
  fixed: "Etc/GMT-2",
  display: "(GMT+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna",
  rule: {
    bias: -60,
    standard: { month: 10, day: 5, weekday: 0, hour: 3 },
    daylight: { month: 3, day: 5, weekday: 0, hour: 2 },
  },
};
const OCCURRENCE_CLASS = "IPM.OLE.CLASS.{00061055-0000-0000-C000-000000000046}";
/** Mondays of May 2024, at midnight local time. */
const MAY_6 = Date.UTC(2024, 4, 6);
const MAY_13 = MAY_6 + 7 * DAY;
const MAY_20 = MAY_6 + 14 * DAY;

function entriesOf(items: readonly SourceItem[]): readonly CalendarEntry[] {
  return items.flatMap((item) => (item.kind === "appointment" ? [item.entry] : []));
}

describe.each(SOME_FORMATS)("a series of Outlook: $layout, $encoding", (format) => {
  describe.each([CHICAGO, BERLIN])("in $iana", (zone) => {
    const instant = (local: number): number => local - zone.ahead * HOUR;
    const lid = (store: StoreWriter, name: number): number => store.named({ set: PROPERTY_SET.appointment, name });

    /** A weekly series; each changed occurrence has its own item with its own text. */
    function series(
      store: StoreWriter,
      about: {
        readonly startMinute: number;
        readonly minutes: number;
        readonly changes: readonly { readonly original: number; readonly start: number; readonly isAllDay?: boolean }[];
        readonly zone?: readonly WrittenProperty[];
        /** Subject and location in the items of changed occurrences. */
        readonly itemTexts?: readonly [string, string];
      },
    ): WrittenMessage {
      const { startMinute, minutes, changes } = about;
      const blob = recurrenceBlob({
        frequency: "weekly",
        type: 1,
        period: 1,
        specific: [0x02],
        start: MAY_6,
        startMinute,
        endMinute: startMinute + minutes,
        exceptions: changes.map((change) => ({
          ...change,
          end: change.start + ((change.isAllDay ?? startMinute === 0) ? DAY : HOUR),
        })),
      });
      const start = instant(MAY_6) + startMinute * 60_000;
      return {
        properties: [
          text(PID.messageClass, "IPM.Appointment"),
          text(PID.subject, "Quay duty"),
          text(PID.body, "the series"),
          time(lid(store, 0x820d), start),
          time(lid(store, 0x820e), start + minutes * 60_000),
          boolean(lid(store, 0x8215), startMinute === 0),
          binary(lid(store, 0x8216), blob),
          ...(about.zone ?? [
            binary(lid(store, 0x8260), timeZoneDefinition(zone.name, [{ year: 1601, ...zone.rule }])),
          ]),
        ],
        attachments: changes.map(({ original }, index) => ({
          properties: [],
          message: {
            properties: [
              text(PID.messageClass, OCCURRENCE_CLASS),
              text(PID.body, `change ${index + 1}`),
              ...(about.itemTexts === undefined
                ? []
                : [text(PID.subject, about.itemTexts[0]), text(lid(store, 0x8208), about.itemTexts[1])]),
              time(lid(store, 0x8228), instant(original)),
            ],
          },
        })),
      };
    }

    const summary = ({ description, recurrenceId, seriesAllDay, start, end, allDay, timezone }: CalendarEntry) => ({
      description,
      recurrenceId,
      seriesAllDay,
      start,
      end,
      allDay,
      timezone,
    });
    const changedDay = {
      description: "change 1",
      recurrenceId: MAY_13,
      seriesAllDay: true,
      start: MAY_13 + DAY,
      end: MAY_13 + 2 * DAY,
      allDay: true,
      timezone: null,
    };

    it("of all-day events has the texts of changed occurrences, and times if they have some", async () => {
      const items = await itemsOfStore(format, (store) => [
        series(store, {
          startMinute: 0,
          minutes: 1440,
          changes: [
            { original: MAY_13, start: MAY_13 + DAY, isAllDay: true },
            { original: MAY_20, start: MAY_20 + 9 * HOUR, isAllDay: false },
          ],
        }),
      ]);
      const entries = entriesOf(items);
      expect(entries[0]).toMatchObject({ start: MAY_6, end: MAY_6 + DAY, allDay: true, seriesAllDay: null });
      expect(entries.slice(1).map(summary)).toEqual([
        changedDay,
        {
          description: "change 2",
          recurrenceId: MAY_20,
          seriesAllDay: true,
          start: instant(MAY_20 + 9 * HOUR),
          end: instant(MAY_20 + 10 * HOUR),
          allDay: false,
          timezone: zone.iana,
        },
      ]);
    });

    it("of timed events has dates if an occurrence became all-day", async () => {
      const items = await itemsOfStore(format, (store) => [
        series(store, {
          startMinute: 540,
          minutes: 60,
          changes: [{ original: MAY_13 + 9 * HOUR, start: MAY_13, isAllDay: true }],
        }),
      ]);
      expect(entriesOf(items).slice(1).map(summary)).toEqual([
        {
          description: "change 1",
          recurrenceId: instant(MAY_13 + 9 * HOUR),
          seriesAllDay: false,
          start: MAY_13,
          end: MAY_13 + DAY,
          allDay: true,
          timezone: null,
        },
      ]);
    });

    it("has the subject and location of an occurrence's item if only the item has them", async () => {
      const changes = [{ original: MAY_13 + 9 * HOUR, start: MAY_13 + 11 * HOUR }];
      const items = await itemsOfStore(format, (store) => [
        series(store, { startMinute: 540, minutes: 60, changes, itemTexts: ["Night duty", "Lock 4"] }),
      ]);
      expect(entriesOf(items).map(({ subject, location }) => [subject, location])).toEqual([
        ["Quay duty", ""],
        ["Night duty", "Lock 4"],
      ]);
    });

    it.each([
      ["without a zone", () => []],
      [
        "with the rules of a zone and no name",
        (store: StoreWriter) => [binary(lid(store, 0x8233), timeZoneStruct(zone.rule))],
      ],
    ])("of all-day events uses dates %s", async (_, zoneOf) => {
      const items = await itemsOfStore(format, (store) => [
        series(store, {
          startMinute: 0,
          minutes: 1440,
          changes: [{ original: MAY_13, start: MAY_13 + DAY }],
          zone: zoneOf(store),
        }),
      ]);
      expect(entriesOf(items).slice(1).map(summary)).toEqual([changedDay]);
    });

    it("of timed events without a zone uses the clock of its first occurrence", async () => {
      const change = { original: MAY_13 + 9 * HOUR, start: MAY_13 + 11 * HOUR };
      const items = await itemsOfStore(format, (store) => [
        series(store, { startMinute: 540, minutes: 60, changes: [change], zone: [] }),
      ]);
      expect(entriesOf(items).slice(1).map(summary)).toEqual([
        {
          description: "change 1",
          recurrenceId: instant(change.original),
          seriesAllDay: false,
          start: instant(change.start),
          end: instant(change.start + HOUR),
          allDay: false,
          timezone: zone.fixed,
        },
      ]);
    });

    it.each([
      [zone.display, zone.iana, zone.aheadInDecember],
      ["(GMT+09:00) Osaka, Sapporo, Tokyo", zone.fixed, zone.ahead],
    ])(
      "of timed events with the zone name in %s uses its clock, unless it began in another",
      async (name, iana, ahead) => {
        const december = Date.UTC(2024, 11, 2);
        const change = { original: december + 9 * HOUR, start: december + 11 * HOUR };
        const items = await itemsOfStore(format, (store) => [
          series(store, { startMinute: 540, minutes: 60, changes: [change], zone: [text(lid(store, 0x8234), name)] }),
        ]);
        const [first, changed] = entriesOf(items);
        expect([first?.start, first?.timezone]).toEqual([instant(MAY_6 + 9 * HOUR), iana]);
        expect(changed).toMatchObject({
          recurrenceId: change.original - ahead * HOUR,
          start: change.start - ahead * HOUR,
          timezone: iana,
        });
      },
    );

    it.each([
      ["rules alone", (store: StoreWriter) => [binary(lid(store, 0x8233), timeZoneStruct(zone.rule))]],
      ["a name that its owner gave", (store: StoreWriter) => [customized(store, "Customized Time Zone")]],
      ["tzone", (store: StoreWriter) => [customized(store, "tzone://Microsoft/Custom")]],
      ["a name in another language", (store: StoreWriter) => [customized(store, "Mitteleuropäische Zeit")]],
    ])("of timed events with zone rules in %s uses the matching zone", async (_, zoneOf) => {
      const items = await itemsOfStore(format, (store) => [
        series(store, { startMinute: 540, minutes: 60, changes: [], zone: zoneOf(store) }),
      ]);
      expect(entriesOf(items).map(({ start, timezone }) => [start, timezone])).toEqual([
        [instant(MAY_6 + 9 * HOUR), zone.iana],
      ]);
    });

    function customized(store: StoreWriter, name: string): WrittenProperty {
      return binary(lid(store, 0x8260), timeZoneDefinition(name, [{ year: 1601, ...zone.rule }]));
    }

    it("uses the date in a request for one of its all-day occurrences", async () => {
      const [item] = await itemsOfStore(format, (store) => [
        {
          properties: [
            text(PID.messageClass, "IPM.Schedule.Meeting.Request"),
            text(PID.subject, "Quay duty"),
            time(lid(store, 0x820d), instant(MAY_13 + DAY)),
            time(lid(store, 0x820e), instant(MAY_13 + 2 * DAY)),
            time(lid(store, 0x8228), instant(MAY_13)),
            boolean(lid(store, 0x8215), true),
            binary(lid(store, 0x8233), timeZoneStruct(zone.rule)),
          ],
        },
      ]);
      const entry = item?.kind === "object" ? item.calendar[0]! : null;
      expect(entry === null ? null : summary(entry)).toEqual({ ...changedDay, description: "" });
    });
  });
});
