import { basename, dirname, join, relative, sep } from "node:path";
import { systemErrorCode } from "../../errors.ts";
import { MANIFEST_COLUMNS, MANIFEST_NAME } from "../../mail/export-manifest.ts";
import { ByteWindow } from "./byte-window.ts";

const FIRST_LINE = Buffer.from(`${MANIFEST_COLUMNS.join(",")}\r\n`);

/** Parent directories that are searched for the manifest of an export: mailboxes are as deep as their folders. */
const LEVELS_MAX = 32;

/**
 * Path of a file within an export of this tool, with `/` between levels. Requires that the export's list is next to the
 * file, or at the top of a directory around it, and names it; null for any other file.
 */
export function pathInExport(path: string): string | null {
  if (namesFile(`${path}.${MANIFEST_NAME}`, basename(path))) return basename(path);
  let directory = dirname(path);
  for (let level = 0; level < LEVELS_MAX; level++) {
    const inside = relative(directory, path).split(sep).join("/");
    if (namesFile(join(directory, MANIFEST_NAME), inside)) return inside;
    const above = dirname(directory);
    if (above === directory) break;
    directory = above;
  }
  return null;
}

/** True if the file is such a list and has a row for this path; false if it cannot be read. */
function namesFile(manifest: string, path: string): boolean {
  let window: ByteWindow | null = null;
  try {
    window = new ByteWindow(manifest);
    window.moveTo(0);
    return window.view.indexOf(FIRST_LINE) === 0 && hasRow(window, path);
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return false;
  } finally {
    window?.close();
  }
}

function hasRow(window: ByteWindow, path: string): boolean {
  const rows = cellsOf(path).map((cell) => Buffer.from(`\n${cell},`));
  const longest = Math.max(...rows.map((row) => row.length));
  for (;;) {
    if (rows.some((row) => window.view.includes(row))) return true;
    if (window.atEnd) return false;
    window.moveTo(Math.max(window.limit - longest, window.base + 1));
  }
}

/** A path as the first cell of a row: quoted if necessary, with the prefix against formulas. */
function cellsOf(path: string): readonly string[] {
  return [path, `'${path}`].flatMap((cell) => [cell, `"${cell.replaceAll('"', '""')}"`]);
}
