import type { FacetWire } from "../http/explore-api/wire.ts";
import { languageOf } from "./formats.ts";

/** How the values of a facet are called: languages by their names, sources by where their paths end. */
export function valueNames(of: FacetWire["of"], values: readonly FacetWire["values"][number][]): readonly string[] {
  const labels = values.map(({ label }) => label);
  if (of === "source") return shortNames(labels);
  return of === "lang" ? labels.map(languageOf) : labels;
}

/** How each of some sources is called where there is room for one name: by its last one, but for those that share it. */
export function shortNames(paths: readonly string[]): readonly string[] {
  const names = paths.map((path) => path.slice(lastNameAt(path)));
  return names.map((name, at) => (names.indexOf(name) === names.lastIndexOf(name) ? name : paths[at]!));
}

/** Where the last name of a path begins, of Windows too; 0 for one that is all name. */
export function lastNameAt(path: string): number {
  const bare = path.replace(/[/\\]$/, "");
  return Math.max(bare.lastIndexOf("/"), bare.lastIndexOf("\\")) + 1;
}
