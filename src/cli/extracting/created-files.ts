import { countOf } from "../../text/tokens/format-count.ts";

/**
 * Lists created files: single files by name, a list with further pages by its first and last, a directory of pages by
 * its number of files. @param files paths relative to the output directory, sorted.
 */
export function createdFileLines(files: readonly string[]): string[] {
  const names = new Set(files);
  const lastPages = new Map<string, { readonly file: string; readonly count: number }>();
  const directories = new Map<string, number>();
  const single: string[] = [];
  for (const file of files) {
    const [, directory] = /^(wiki\/[^/]+)\//.exec(file) ?? [];
    const [, list] = /^(.+)-\d{4,}\.md$/.exec(file) ?? [];
    if (directory !== undefined) directories.set(directory, (directories.get(directory) ?? 0) + 1);
    else if (list !== undefined && names.has(`${list}.md`)) {
      const { file: last, count } = lastPages.get(`${list}.md`) ?? { file, count: 1 };
      // A page number wider than the others sorts before them and is the later one.
      lastPages.set(`${list}.md`, { file: file.length >= last.length ? file : last, count: count + 1 });
    } else single.push(file);
  }
  const lists = single.map((file) => {
    const pages = lastPages.get(file);
    return pages === undefined ? file : `${file} to ${pages.file} (${countOf(pages.count, "page")})`;
  });
  return [...lists, ...Array.from(directories, ([directory, count]) => `${directory}/ (${countOf(count, "file")})`)];
}
