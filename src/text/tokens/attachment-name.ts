/** Longest file name in bytes of UTF-8: file systems allow 255, and a writer may append a number or a suffix. */
const MAX_NAME_BYTES = 200;

/** Longest extension that is kept when a name is cut, in characters with its dot (`.onetoc2`, `.mobileconfig`). */
const MAX_EXTENSION_LENGTH = 16;

/** Maximum characters of a name, which may be a megabyte of padding. */
const MAX_NAME_LENGTH = 4_096;

/** Path separators, characters reserved on Windows, and line and paragraph separators. */
const FORBIDDEN = /[\p{Cc}\u2028\u2029<>:"/\\|?*]/gu;

/** Format characters that reverse or hide text (`photo<RLO>gpj.exe`), and lone surrogates. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\p{Cs}]/gu;

/** Device names of Windows, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(?:\.|$)/iu;

/**
 * A name under which an attachment can be saved on any system: the last segment of the given path, NFC, without
 * control, reserved or bidirectional characters, not hidden, not an option, not a device, at most 200 bytes of UTF-8
 * with its extension kept. Applied twice it changes nothing more. When nothing is left the fallback is cleaned in the
 * same way, and at last `attachment`.
 */
export function sanitizeFilename(name: string, fallback: string): string {
  return cleanName(name) || cleanName(fallback) || "attachment";
}

/**
 * Extensions of files that vault programs read as notes, boards or queries: links, embeds and code in them would be
 * active. Obsidian opens the first seven or runs plugins on them; Logseq, Foam and editors read the others.
 */
const NOTE_ENDING = /\.(?:md|canvas|base|excalidraw|mdx|qmd|rmd|markdown|mdown|mdwn|mkd|mkdn|mdtext|mdtxt|org)$/i;

/** Characters that end a link of a vault, begin code or a comment, or that Obsidian rejects in names. */
const LIVE_IN_LINKS = /[`[\]#^]|%(?=%)|(?<=%)%/g;

/**
 * Name of an attachment file inside a vault: it cannot break out of a link, and possible notes become text files
 * (`plan.md` becomes `plan.md.txt`), so that no embed, query or template runs. Idempotent. @param name from
 * `sanitizeFilename`
 */
export function vaultFilename(name: string): string {
  const plain = name.replace(LIVE_IN_LINKS, "_");
  return NOTE_ENDING.test(plain) ? `${plain}.txt` : plain;
}

function cleanName(name: string): string {
  const segment = lastSegment(name.length > MAX_NAME_LENGTH ? name.slice(-MAX_NAME_LENGTH) : name);
  const plain = trimEdges(collapseBlanks(segment.replace(INVISIBLE, "").normalize("NFC").replace(FORBIDDEN, "_")));
  if (plain === "" || isPlaceholder(plain)) return "";
  const safe = RESERVED.test(plain) ? `_${plain}` : plain;
  return cutName(safe);
}

/**
 * Old clients send whole paths (`C:\My Documents\plan.doc`). A name that ends in a separator keeps the segment before
 * it.
 */
function lastSegment(name: string): string {
  const segments = name.split(/[/\\]/u);
  return segments.findLast((segment) => segment.trim() !== "") ?? "";
}

function collapseBlanks(text: string): string {
  return text.split(/\s/u).filter(Boolean).join(" ");
}

/**
 * A leading dot hides a file, a leading dash makes it an option, a leading tilde a home directory; Windows drops
 * trailing dots and blanks.
 */
function trimEdges(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && " .-~".includes(text.charAt(from))) from++;
  while (to > from && " .".includes(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** A text of only replacement characters is empty. */
function isPlaceholder(text: string): boolean {
  for (const character of text) if (character !== "_" && character !== " " && character !== ".") return false;
  return true;
}

function cutName(name: string): string {
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  const dot = name.lastIndexOf(".");
  const extension =
    dot > 0 && name.length - dot <= MAX_EXTENSION_LENGTH && Buffer.byteLength(name.slice(dot)) <= MAX_NAME_BYTES / 2
      ? name.slice(dot)
      : "";
  let room = MAX_NAME_BYTES - Buffer.byteLength(extension);
  let stem = "";
  for (const character of name) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    stem += character;
  }
  return trimEdges(stem) + extension;
}
