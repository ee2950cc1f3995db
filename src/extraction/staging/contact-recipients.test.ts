import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Address } from "../../mail/records/address.ts";
import {
  BYTES_A_CONTACT,
  contactRecipients,
  FREE_CONTACT_BYTES,
  firstRecipients,
  MAX_RECIPIENT_CONTACTS,
  recipientContacts,
} from "./contact-recipients.ts";

const NOBODY = { subject: "", from: null, sender: null, to: [], cc: [], bcc: [], replyTo: [] };

function people(count: number, field: string): readonly Address[] {
  return Array.from({ length: count }, (_, number) => ({ name: "", email: `${field}${number}@hostile.example` }));
}

const addresses = fc.array(fc.record({ name: fc.string(), email: fc.string({ maxLength: 400, unit: "grapheme" }) }), {
  maxLength: 400,
});

describe("contactRecipients", () => {
  it("keeps all recipients of ordinary mail", () => {
    const sent = { ...NOBODY, from: people(1, "from")[0]!, to: people(150, "to"), cc: people(60, "cc") };
    expect(contactRecipients(sent)).toBe(sent);
  });

  it("limits the number of recipients", () => {
    // Names long enough to allow more than the limit.
    const named = people(MAX_RECIPIENT_CONTACTS + 1, "to").map(({ email }) => ({ name: "n".repeat(400), email }));
    const taken = contactRecipients({ ...NOBODY, to: named.slice(1), cc: named.slice(0, 1) });
    expect([taken.to.length, taken.cc]).toEqual([MAX_RECIPIENT_CONTACTS, []]);
  });

  it("limits the size of all recipients, first ones first", () => {
    fc.assert(
      fc.property(addresses, addresses, fc.string({ unit: "grapheme" }), (to, replyTo, subject) => {
        const all = [...to, ...replyTo];
        const count = recipientContacts({ ...NOBODY, to, replyTo, subject });
        const taken = contactRecipients({ ...NOBODY, to, replyTo, subject });
        expect([...taken.to, ...taken.replyTo]).toEqual(all.slice(0, count));
        const bytesOf = (text: string): number => Buffer.byteLength(text);
        const made = (contacts: number): number =>
          all.reduce((sum, { name, email }) => sum + 7 * (bytesOf(name) + bytesOf(email)), 12 * bytesOf(subject)) +
          all
            .slice(0, contacts)
            .reduce((sum, { name, email }) => sum + BYTES_A_CONTACT + 22 * bytesOf(email) + 5 * bytesOf(name), 0);
        const sent = all.reduce((sum, { name, email }) => sum + name.length + email.length, subject.length);
        expect(count === 0 || made(count) <= FREE_CONTACT_BYTES + 20 * sent).toBe(true);
      }),
    );
  });

  it("counts authors and subject", () => {
    const author = { name: "", email: "a".repeat(1024) };
    const sent = { ...NOBODY, to: people(600, "to") };
    const all = recipientContacts(sent);
    expect(all).toBeLessThan(300);
    const withAuthors = recipientContacts({ ...sent, from: author, sender: author });
    expect(withAuthors).toBeLessThan(all);
    expect(withAuthors).toBeGreaterThan(200);
    expect(recipientContacts({ ...sent, subject: "x".repeat(60_000) })).toBe(all);
    expect(recipientContacts({ ...sent, subject: "\u20ac".repeat(20_000) })).toBeLessThan(all);
  });
});

describe("firstRecipients", () => {
  it("orders recipients: To, Cc, Bcc, Reply-To", () => {
    const [to, cc, bcc, replyTo] = ["to", "cc", "bcc", "reply"].map((field) => people(2, field)) as [
      readonly Address[],
      readonly Address[],
      readonly Address[],
      readonly Address[],
    ];
    expect(firstRecipients({ to, cc, bcc, replyTo }, 5)).toEqual({ to, cc, bcc: bcc.slice(0, 1), replyTo: [] });
  });
});
