import { expect, it } from "vitest";
import { withoutPgpArmour } from "./pgp-armour.ts";

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
  expect(withoutPgpArmour(text)).toBe(lines("Bring the sacks.", "", "-- ", "Ann", "Footer"));
});

it("keeps quoted armor, and text without an end line", () => {
  const quoted = lines("> -----BEGIN PGP SIGNED MESSAGE-----", "> Hash: SHA1", ">", "> Yes");
  expect(withoutPgpArmour(quoted)).toBe(quoted);
  expect(withoutPgpArmour(lines("-----BEGIN PGP SIGNED MESSAGE-----", "No header", "- dash", "end"))).toBe(
    lines("No header", "dash", "end"),
  );
});
