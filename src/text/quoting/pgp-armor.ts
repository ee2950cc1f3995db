/** Lines of a cleartext-signed message (RFC 9580 section 7). */
const SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----";
const SIGNATURE = "-----BEGIN PGP SIGNATURE-----";
const END = "-----END PGP SIGNATURE-----";
/** Prefix of lines that begin with a dash. */
const ESCAPE = "- ";
/** `Hash: SHA256` and similar lines, up to the first blank line. */
const ARMOUR_HEADER = /^[A-Za-z-]{1,40}: /;

type Place = "outside" | "header" | "text" | "signature";

/**
 * Removes OpenPGP armor: markers, armor headers, dash escapes and signatures. Unclosed armor is text to the end;
 * quoted armor stays.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a state a line, with the markers that lead to the next
export function withoutPgpArmor(text: string): string {
  if (!text.includes(SIGNED)) return text;
  const kept: string[] = [];
  let place: Place = "outside";
  for (const line of text.split("\n")) {
    const marker = line.trimEnd();
    if (place === "outside") {
      if (marker === SIGNED) place = "header";
      else kept.push(line);
    } else if (place === "signature") {
      if (marker === END) place = "outside";
    } else if (marker === SIGNATURE) place = "signature";
    else if (place === "header" && (marker === "" || ARMOUR_HEADER.test(marker))) {
      if (marker === "") place = "text";
    } else {
      place = "text";
      kept.push(line.startsWith(ESCAPE) ? line.slice(ESCAPE.length) : line);
    }
  }
  return kept.join("\n");
}
