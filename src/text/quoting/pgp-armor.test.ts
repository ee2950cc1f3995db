import { expect, it } from "vitest";
import { withoutPgpArmor } from "./pgp-armor.ts";

const lines = (...all: readonly string[]): string => all.join("\n");

it("returns the signed text, and the text around it", () => {
  const text = lines(
    "-----BEGIN PGP SIGNED MESSAGE-----",
    "Hash: SHA256",
    "",
    "Bring the sacks.",
    "",
    "- -- ",
    "Ann",
    "-----BEGIN PGP SIGNATURE-----",
    "Version: 1",
    "",
    "iQEzBAEBCAAdFiEE",
    "-----END PGP SIGNATURE-----",
    "Footer",
  );
  expect(withoutPgpArmor(text)).toBe(lines("Bring the sacks.", "", "-- ", "Ann", "Footer"));
});

it("keeps quoted armor, and text without an end line", () => {
  const quoted = lines("> -----BEGIN PGP SIGNED MESSAGE-----", "> Hash: SHA1", ">", "> Yes");
  expect(withoutPgpArmor(quoted)).toBe(quoted);
  expect(withoutPgpArmor(lines("-----BEGIN PGP SIGNED MESSAGE-----", "No header", "- dash", "end"))).toBe(
    lines("No header", "dash", "end"),
  );
});
