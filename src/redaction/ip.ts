import { COLON } from "../mail/words/ascii.ts";
import { beginsNumber, DIGIT, endsNumber, HEX, hasClass, isWordCharacter, type Span } from "./characters.ts";
import { type DigitGroups, groupLength, separatorAfter } from "./digit-groups.ts";
import { hasCueBefore, IP_CUES } from "./keyword-context.ts";

/** Longest text of an IPv6 address with an IPv4 tail (RFC 4291 section 2.2). */
const MAX_IPV6 = 45;
/**
 * Longest run of hexadecimal digits and colons that is checked: an address with a short word and its colon on either
 * side.
 */
const MAX_RUN = MAX_IPV6 + 10;
/** Longest zone name (RFC 4007 section 11) in characters. */
const MAX_ZONE = 16;
/** Colons of the shortest address without `::`: six groups before an IPv4 tail. */
const MIN_COLONS = 6;
/** With fewer hexadecimal digits, `::` is more often code or a time than an address. */
const MIN_HEX_DIGITS = 4;
/** Words after which four numbers are a version or a section, which otherwise look like an address (`5.0.0.1`). */
export const VERSION_WORDS = ["version", "release", "build", "section", "ver", "rev", "sec"] as const;
/** One of them as a whole word ("server" ends in one) or a section sign, right before the numbers. */
const VERSION_BEFORE = new RegExp(`(?:(?<![\\p{L}\\p{M}\\p{N}])(?:${VERSION_WORDS.join("|")})|§)[.:]? ?$`, "iu");
/** Maximum distance of such a word, in characters: the longest with its separators, and the character before it. */
const VERSION_REACH = 12;

function isVersion(text: string, start: number, floor: number): boolean {
  return VERSION_BEFORE.test(text.slice(Math.max(floor, start - VERSION_REACH), start));
}

/** Digits of the longest number of an IPv4 address, and of each where they are filled up with zeros. */
const OCTET_DIGITS = 3;

function isOctet(groups: DigitGroups, group: number): boolean {
  const length = groupLength(groups, group);
  return length >= 1 && length <= OCTET_DIGITS && Number(octetOf(groups, group)) <= 255;
}

function octetOf({ text, starts, ends }: DigitGroups, group: number): string {
  return text.slice(starts[group]!, ends[group]!);
}

/** True if none of four numbers has a leading zero, or all have three digits and a word identifies them. */
function areOctets(groups: DigitGroups, group: number, floor: number): boolean {
  const octets = [0, 1, 2, 3].map((g) => octetOf(groups, group + g));
  if (octets.every((octet) => octet.length === 1 || octet[0] !== "0")) return true;
  const { text, starts } = groups;
  return (
    octets.every((octet) => octet.length === OCTET_DIGITS) &&
    hasCueBefore(text, starts[group]!, { floor, cues: IP_CUES })
  );
}

/** An IPv4 address in dotted decimal that begins with the given group, or null. */
export function matchIpv4(groups: DigitGroups, group: number, floor: number): Span | null {
  if (groups.text.charCodeAt(groups.ends[group]!) !== 0x2e) return null;
  for (let g = group; g < group + 4; g++) {
    if (!isOctet(groups, g) || (g < group + 3 && separatorAfter(groups, g) !== ".")) return null;
  }
  const { text } = groups;
  const start = groups.starts[group]!;
  const end = groups.ends[group + 3]!;
  if (!beginsNumber(text, start, floor) || !endsNumber(text, end) || !areOctets(groups, group, floor)) return null;
  return isVersion(text, start, floor) ? null : { start, end };
}

/** Number of sixteen-bit groups in a run between two "::" (or a whole address); -1 if it is malformed. */
function countHexGroups(run: string, mayEndInIpv4: boolean): number {
  if (run === "") return 0;
  const parts = run.split(":");
  let count = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    if (/^[0-9A-Fa-f]{1,4}$/.test(part)) count++;
    else if (mayEndInIpv4 && i === parts.length - 1 && /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(part))
      count += 2;
    else return -1;
  }
  return count;
}

/** True for an IPv6 address in any form of RFC 4291 section 2.2, without zone. */
function isIpv6(text: string): boolean {
  if (text.length > MAX_IPV6) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const isCompressed = halves.length === 2;
  const head = countHexGroups(halves[0]!, !isCompressed);
  const tail = isCompressed ? countHexGroups(halves[1]!, true) : 0;
  if (head < 0 || tail < 0) return false;
  return isCompressed ? head + tail <= 7 : head === 8;
}

const isAddressCharacter = (code: number): boolean => hasClass(code, HEX) || code === COLON;

/** End of the zone that begins at `end` with "%", or `end`. */
function endOfZone(text: string, end: number): number {
  if (text[end] !== "%") return end;
  let index = end + 1;
  while (index < end + 1 + MAX_ZONE && isWordCharacter(text.charCodeAt(index))) index++;
  return index === end + 1 ? end : index;
}

/**
 * End of an address without a last part that is a hexadecimal word, as in "2001:db8::1:dead"; `end` if that contains
 * a decimal digit or is not a part.
 */
function endBeforeWord(text: string, colon: number, end: number): number {
  const last = text.lastIndexOf(":", end - 1);
  return last <= colon || text[last - 1] === ":" || /[0-9]/.test(text.slice(last + 1, end)) ? end : last;
}

/** Result at a colon: an address, or the position before which none can begin. */
export type Ipv6Match =
  | { readonly span: Span }
  | {
      readonly skipTo: number;
      /** End of the run of hexadecimal digits and colons. */
      readonly runEnd: number;
    };

/**
 * Where the scan continues in a run of hexadecimal digits and colons that is not an address: after its last colon, or
 * before the first part that is too long, because another number may begin there (`Tel:555…`). Skips the parts
 * before, so that a run of a million colons is read once.
 */
function resumeIn(text: string, colon: number, runEnd: number): number {
  let part = colon + 1;
  for (let index = part; index < runEnd; index++) {
    if (index - part >= 4 && text.charCodeAt(index) !== 0x3a) return part;
    if (text.charCodeAt(index) === 0x3a) part = index + 1;
  }
  return part;
}

/**
 * The address text[start, end), or null: not touching a word, with enough digits that it is not a time or a name in
 * code.
 */
function ipv6At(text: string, start: number, end: number, floor: number): Span | null {
  const address = text.slice(start, end);
  const hexDigits = address.replace(/[:.]/g, "").length;
  const isBounded =
    (start <= floor || !isWordCharacter(text.charCodeAt(start - 1))) && !isWordCharacter(text.charCodeAt(end));
  if (!isBounded || hexDigits < MIN_HEX_DIGITS || !/[0-9]/.test(address) || !isIpv6(address)) return null;
  return { start, end: endOfZone(text, end) };
}

/**
 * Looks for an IPv6 address around a colon in a run of hexadecimal digits and colons. @param knownEnd end of the run if
 * it was found at an earlier colon
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: where an address begins and ends is found from both sides of one colon
export function matchIpv6(text: string, colon: number, floor: number, knownEnd: number): Ipv6Match {
  let start = colon;
  while (start > floor && colon - start <= 4 && hasClass(text.charCodeAt(start - 1), HEX)) start--;
  // A run that is too long is not read again at each of its colons.
  let end = knownEnd - start > MAX_RUN ? knownEnd : colon;
  let colons = 0;
  let isCompressed = false;
  for (let code = text.charCodeAt(end); isAddressCharacter(code); code = text.charCodeAt(++end)) {
    if (code !== COLON) continue;
    colons++;
    if (text.charCodeAt(end + 1) === COLON) isCompressed = true;
  }
  const runEnd = end;
  // Nearly all such runs in mail are times of the day.
  if ((!isCompressed && colons < MIN_COLONS) || end - start > MAX_RUN)
    return { skipTo: resumeIn(text, colon, runEnd), runEnd };
  // Includes an IPv4 tail, but not a full stop or colon that ends the sentence.
  while (end - start <= MAX_RUN && (text[end] === "." || hasClass(text.charCodeAt(end), DIGIT))) end++;
  while (end > start && (text[end - 1] === "." || (text[end - 1] === ":" && text[end - 2] !== ":"))) end--;
  // The first part may be a word that announces the address ("Server:2001:db8::1", "[IPv6:2001:db8::1]"), and the last
  // one a word after it.
  const wordEnd = endBeforeWord(text, colon, end);
  const span =
    ipv6At(text, start, end, floor) ??
    ipv6At(text, colon + 1, end, floor) ??
    (wordEnd === end ? null : (ipv6At(text, start, wordEnd, floor) ?? ipv6At(text, colon + 1, wordEnd, floor)));
  return span === null ? { skipTo: resumeIn(text, colon, runEnd), runEnd } : { span };
}
