import fc from "fast-check";
import { expect, it } from "vitest";
import { withoutNotices } from "./legal-notice.ts";

const NOTICE =
  "This message is intended only for the use of the\nindividual or entity to which it is addressed and may be private. " +
  "If you are not\nthe intended recipient, any use is strictly prohibited. If you have received this\nmessage in error, delete it.";

it("removes the sentences of a legal notice anywhere in a text", () => {
  expect(withoutNotices(`The crane is late.\n\n${NOTICE}\n\nAnn`)).toBe("The crane is late.\n\nAnn");
  expect(withoutNotices(NOTICE)).toBe("");
  expect(withoutNotices(`Bo wrote. Sollten Sie diese Nachricht irrtümlich erhalten haben, löschen Sie sie. Bo`)).toBe(
    "Bo wrote. Bo",
  );
});

it("removes the line of a German company card, and nothing above it", () => {
  const card = "Kranbau GmbH, Geschäftsführer: Jonas Muster, Amtsgericht Hafenstadt HRB 12345, USt-IdNr. DE000000000";
  expect(withoutNotices(`Bis morgen\nGruß, Jonas\n${card}\nTelefon 555`)).toBe(
    "Bis morgen\nGruß, Jonas\n\nTelefon 555",
  );
  const trial = "Das Amtsgericht Hafenstadt hat entschieden.";
  expect(withoutNotices(trial)).toBe(trial);
  expect(withoutNotices("Solely for the use of the addressee and private. Ann")).toBe(" Ann");
});

it("removes the header of a digest", () => {
  const header =
    "Send Harbor mailing list submissions to\n\tharbor@kai.example\n\n" +
    "To subscribe or unsubscribe via the World Wide Web, visit\n\thttp://kai.example/\n\n" +
    "You can reach the person managing the list at\n\towner@kai.example\n\n" +
    'When replying, please edit your Subject line so it is more specific\nthan "Re: Contents of Harbor digest..."';
  expect(withoutNotices(`${header}\n\nThe crane is late.`).trim()).toBe("The crane is late.");
});

it("is not found in text without one", () => {
  for (const text of ["", "The recipient of the prize is private. It is addressed to Ann, in error or not."])
    expect(withoutNotices(text)).toBe(text);
});

it("accepts any text, and keeps the order of the rest", () => {
  const piece = fc.constantFrom(
    "strictly prohibited",
    "intended recipient",
    ". ",
    "\n\n",
    "a ",
    "received this",
    "!",
    "x".repeat(500),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join("");
      const kept = withoutNotices(text);
      let at = 0;
      for (const character of kept) at = text.indexOf(character, at) + 1;
      expect(at).toBeGreaterThanOrEqual(kept.length);
      expect(kept).not.toMatch(/strictly prohibited|intended recipient/);
    }),
  );
});
