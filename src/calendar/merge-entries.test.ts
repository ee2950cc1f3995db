import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CalendarEntry, INTERNAL_ENTRY_DEFAULTS } from "../mail/records/calendar-event.ts";
import type { MessageOrdinal } from "../mail/records/ordinal.ts";
import { EntryMerger, type LocatedEntry } from "./merge-entries.ts";

const BASE: CalendarEntry = {
  ...INTERNAL_ENTRY_DEFAULTS,
  uid: "1@example.org",
  recurrenceId: null,
  method: "REQUEST",
  status: "confirmed",
  sequence: 0,
  subject: "Plan",
  description: "",
  location: "Room 7",
  start: 1_000,
  end: 2_000,
  allDay: false,
  timezone: null,
  organizer: null,
  attendees: [
    { name: "Bob", email: "bob@example.org", role: "req-participant", status: "needs-action" },
    { name: "Cal", email: "cal@example.org", role: "req-participant", status: "needs-action" },
  ],
  recurrence: null,
  busyStatus: null,
  createdAt: null,
  updatedAt: null,
};

function found(change: Partial<CalendarEntry>, message: number | null = 1): LocatedEntry {
  const place = { source: 0, mailbox: "Inbox", origin: null, item: null, duplicates: [] };
  return { entry: { ...BASE, ...change }, message: message as MessageOrdinal | null, ...place };
}

function reply(status: string, change: Partial<CalendarEntry> = {}): LocatedEntry {
  return found({
    method: "REPLY",
    subject: "Accepted: Plan",
    attendees: [{ name: "", email: "BOB@example.org", role: "req-participant", status }],
    ...change,
  });
}

function merge(...entries: readonly LocatedEntry[]): readonly LocatedEntry[] {
  const merger = new EntryMerger();
  for (const entry of entries) merger.add(entry);
  return [...merger.finish()];
}

describe("EntryMerger", () => {
  it("prefers the highest sequence, and records its source", () => {
    const [event] = merge(found({ sequence: 1, location: "Room 8" }, 5), found({ sequence: 0 }, 6));
    expect([event?.entry.location, event?.entry.sequence, event?.message]).toEqual(["Room 8", 1, 5]);
  });

  it("prefers a calendar entry to an invitation by mail of the same version, in either order", () => {
    const stored = { ...found({ method: null, updatedAt: 1, location: "Room 9" }, null), mailbox: "Calendar" };
    const request = { ...found({ updatedAt: 9, status: "tentative" }, 4), mailbox: "Deleted Items" };
    for (const entries of [
      [stored, request],
      [request, stored],
    ] as const) {
      const [event] = merge(...entries);
      expect([event?.entry.location, event?.entry.status, event?.mailbox, event?.message]).toEqual([
        "Room 9",
        "confirmed",
        "Calendar",
        null,
      ]);
    }
    expect(merge(stored, found({ sequence: 1, location: "Room 3" }, 5))[0]?.entry.location).toBe("Room 3");
  });

  it("keeps attachments of the calendar item if a later version was only mailed", () => {
    const plan = { filename: "plan.txt", mediaType: "text/plain", sizeBytes: 4, sha256: "ab", linkTarget: null };
    const attachments = [{ ...plan, path: null }];
    const origin = { source: 1, mailbox: "Calendar", location: "nid:200024", sha256: "b".repeat(64) };
    const item = { ...found({ method: null, attachments }, null), origin };
    const [event] = merge(item, found({ sequence: 3, location: "Room 8" }, 4));
    expect([event?.entry.location, event?.entry.attachments]).toEqual(["Room 8", attachments]);
    // Attachments have the location of the entry they belong to.
    expect([event?.mailbox, event?.origin]).toEqual(["Inbox", origin]);
    const bare = found({ method: null, sequence: 4 }, null);
    expect(merge(found({ method: null, attachments }, null), bare)[0]?.entry.attachments).toEqual([]);
  });

  it("returns the calendar item of the current state, and the replaced ones, also from mail", () => {
    const stored = (location: string, sequence: number): LocatedEntry => {
      const item = { source: 0, mailbox: "Calendar", location, sha256: "b".repeat(64) };
      return { ...found({ method: null, sequence }, null), item };
    };
    const [old, latest] = [stored("old.ics", 1), stored("new.ics", 2)];
    for (const entries of [
      [old, latest],
      [latest, old],
    ] as const) {
      const [event] = merge(...entries);
      expect([event?.item, event?.duplicates]).toEqual([latest.item, [old.item]]);
    }
    const [mailed] = merge(old, found({ sequence: 3 }, 4));
    expect([mailed?.item, mailed?.duplicates]).toEqual([null, [old.item]]);
  });

  it("prefers the later update with the same sequence, then the later entry", () => {
    expect(merge(found({ updatedAt: 9, location: "new" }), found({ updatedAt: 5 }))[0]?.entry.location).toBe("new");
    expect(merge(found({ updatedAt: 5 }), found({ updatedAt: 5, location: "new" }))[0]?.entry.location).toBe("new");
    expect(merge(found({ updatedAt: 5, location: "dated" }), found({}))[0]?.entry.location).toBe("dated");
  });

  it("keeps the instances of a series and different events apart, in order of appearance", () => {
    const events = merge(
      found({ uid: "b" }),
      found({ uid: "a" }),
      found({ uid: "b", recurrenceId: 5 }),
      found({ uid: "B", sequence: 2 }),
      found({ uid: "b", recurrenceId: 6 }),
    );
    expect(events.map(({ entry }) => [entry.uid.toLowerCase(), entry.recurrenceId])).toEqual([
      ["b", null],
      ["a", null],
      ["b", 5],
      ["b", 6],
    ]);
  });

  it("recognizes one GlobalObjectId with and without the date of an exception", () => {
    const id = "040000008200E00074C5B7101A82E008";
    const events = merge(
      found({ uid: `${id}00000000ABCDEF` }),
      found({ uid: `${id.toLowerCase()}07d50c1fabcdef`, sequence: 1 }),
    );
    expect(events).toHaveLength(1);
    expect(events[0]?.entry.sequence).toBe(1);
  });

  it("merges events without uid only when they look the same", () => {
    expect(merge(found({ uid: "" }), found({ uid: "" }), found({ uid: "", start: 5 }))).toHaveLength(2);
  });

  it("cancels an event and keeps its fields", () => {
    const cancel = found(
      {
        method: "CANCEL",
        status: "cancelled",
        sequence: 1,
        subject: "Canceled: Plan",
        location: "",
        attendees: [],
        updatedAt: 9,
      },
      2,
    );
    for (const order of [
      [found({}), cancel],
      [cancel, found({})],
    ]) {
      const [event] = merge(...order);
      expect(event?.entry).toMatchObject({
        status: "cancelled",
        subject: "Plan",
        location: "Room 7",
        sequence: 1,
        updatedAt: 9,
      });
      expect(event?.message).toBe(1);
    }
    expect(merge(cancel)[0]?.entry).toMatchObject({ status: "cancelled", subject: "Canceled: Plan" });
  });

  it("does not cancel an event that was scheduled again", () => {
    expect(
      merge(found({ sequence: 2 }), found({ method: "CANCEL", status: "cancelled", sequence: 1 }))[0]?.entry.status,
    ).toBe("confirmed");
    expect(
      merge(found({ updatedAt: 9 }), found({ method: "CANCEL", status: "cancelled", updatedAt: 5 }))[0]?.entry.status,
    ).toBe("confirmed");
    expect(
      merge(found({ updatedAt: 5 }), found({ method: "CANCEL", status: "cancelled", updatedAt: 9 }))[0]?.entry.status,
    ).toBe("cancelled");
  });

  it("reads only the answers from a reply", () => {
    for (const order of [
      [found({}), reply("accepted")],
      [reply("accepted"), found({})],
    ]) {
      const [event] = merge(...order);
      expect(event?.entry).toEqual({
        ...BASE,
        attendees: [{ ...BASE.attendees[0], status: "accepted" }, BASE.attendees[1]],
      });
    }
    expect(merge(reply("accepted"))[0]?.entry.subject).toBe("Accepted: Plan");
  });

  it("counts the latest answer, and no answer to an earlier version", () => {
    expect(
      merge(found({}), reply("declined", { updatedAt: 9 }), reply("accepted", { updatedAt: 5 }))[0]?.entry.attendees[0]
        ?.status,
    ).toBe("declined");
    expect(merge(found({ sequence: 1 }), reply("accepted"))[0]?.entry.attendees[0]?.status).toBe("needs-action");
  });

  it("does not depend on the order of entries with distinct sequences", () => {
    const entry = fc.record({
      method: fc.constantFrom("REQUEST", "CANCEL", "REPLY", "PUBLISH", null),
      updatedAt: fc.option(fc.nat(3)),
      location: fc.constantFrom("a", "b"),
      bob: fc.constantFrom("accepted", "declined", "needs-action"),
    });
    const entries = fc.array(entry, { minLength: 1, maxLength: 6 }).map((list) =>
      list.map(({ bob, ...change }, sequence) =>
        found(
          {
            ...change,
            sequence,
            status: change.method === "CANCEL" ? "cancelled" : "confirmed",
            attendees: [{ ...BASE.attendees[0]!, status: bob }],
          },
          sequence + 1,
        ),
      ),
    );
    const shuffled = entries.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        const [event, ...more] = merge(...list);
        expect(more).toEqual([]);
        expect(merge(...other)).toEqual([event]);
        // Reading everything twice adds nothing.
        expect(merge(...list, ...list)).toEqual([event]);
      }),
    );
  });

  it("is unchanged by merged events that are added again", () => {
    const once = merge(
      found({}),
      reply("accepted"),
      found({ method: "CANCEL", status: "cancelled", sequence: 1 }),
      found({ uid: "2" }),
    );
    expect(merge(...once)).toEqual(once);
  });
});
