import fc from "fast-check";
import { expect, it } from "vitest";
import { fewPages } from "../../test/pages-in-memory.ts";
import { FIRST_MESSAGE, type MessageIndex } from "../mail/records/ordinal.ts";
import { QuotedMessages } from "./quoted-messages.ts";

it("returns the quoted messages of each message in order", () => {
  const some = fc.array(fc.array(fc.nat(50), { maxLength: 4 }), { maxLength: 30 });
  fc.assert(
    fc.property(some, (quotedBy) => {
      const pairs = new QuotedMessages(fewPages());
      for (let message = FIRST_MESSAGE; message < quotedBy.length; message++)
        for (const one of quotedBy[message]!) pairs.add(message, one as MessageIndex);
      for (let message = FIRST_MESSAGE; message <= quotedBy.length; message++)
        expect(pairs.of(message)).toEqual(quotedBy[message] ?? []);
    }),
  );
});
