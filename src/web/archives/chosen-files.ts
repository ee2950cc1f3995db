import type { ShellIntake } from "../shell/shell-data.ts";
import { tarOfFiles } from "./tar-of-files.ts";

/** A selected file, with its path in the selected folder. */
export interface ChosenFile {
  readonly path: string;
  readonly file: File;
}

/** How several files become archives. */
export type Bundling = "together" | "each";

/** Problem of a file before it is sent, or null. */
export type Refusal = "empty" | "large" | "name" | "disk" | null;

/** Why the service would reject a file. @param freeBytes free disk space; null while unknown */
export function refusalOf(file: File, { endings, maxBytes }: ShellIntake, freeBytes: number | null): Refusal {
  if (file.size === 0) return "empty";
  if (file.size > maxBytes) return "large";
  if (freeBytes !== null && file.size > freeBytes) return "disk";
  const name = file.name.toLowerCase();
  return endings.some((ending) => name.endsWith(ending)) ? null : "name";
}

/** The uploads for the selected files: a folder is one tar of its files, and so are several files of one archive. */
export function uploadsOf(chosen: readonly ChosenFile[], bundling: Bundling): readonly File[] {
  const folders = new Map<string, ChosenFile[]>();
  for (const file of chosen) {
    const folder = file.path.includes("/") ? file.path.split("/")[0]! : "";
    const files = folders.get(folder) ?? [];
    files.push(file);
    folders.set(folder, files);
  }
  const single = folders.get("") ?? [];
  if (bundling === "together" && chosen.length > 1) return [tarFile(chosen, folderName(folders))];
  return [
    ...single.map(({ file }) => file),
    ...Array.from(folders)
      .filter(([folder]) => folder !== "")
      .map(([folder, files]) => tarFile(files, folder)),
  ];
}

function folderName(folders: ReadonlyMap<string, unknown>): string {
  const [first] = folders.keys();
  return folders.size === 1 && first !== "" && first !== undefined ? first : "mail";
}

function tarFile(files: readonly ChosenFile[], name: string): File {
  const entries = files.map(({ path, file }) => ({ path, file, modifiedAt: file.lastModified }));
  // Equal files give equal name, size and date, by which an upload is recognized after a reload.
  const lastModified = Math.max(...files.map(({ file }) => file.lastModified));
  return new File(tarOfFiles(entries), `${name}.tar`, { lastModified });
}

/** All dropped files, including those in folders. */
export async function droppedFiles(items: DataTransferItemList): Promise<readonly ChosenFile[]> {
  const waiting = Array.from(items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const chosen: ChosenFile[] = [];
  while (waiting.length > 0) {
    const entry = waiting.shift()!;
    if (entry instanceof FileSystemFileEntry) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      chosen.push({ path: entry.fullPath.replace(/^\//, ""), file });
    } else if (entry instanceof FileSystemDirectoryEntry) waiting.push(...(await entriesOf(entry)));
  }
  return chosen;
}

/** A reader returns batches of entries, and finally an empty one. */
async function entriesOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}
