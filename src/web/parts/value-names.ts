import type { FacetWire } from "../../http/explore-api/wire/wire.ts";
import { shortNames } from "../../mail/records/source-names.ts";
import { fileTypeName, languageOf } from "./formats.ts";

/** Display names of facet values: languages and file types by name, sources by the end of their paths. */
export function valueNames(of: FacetWire["of"], values: readonly FacetWire["values"][number][]): readonly string[] {
  const labels = values.map(({ label }) => label);
  if (of === "source") return shortNames(labels);
  if (of === "type") return labels.map(fileTypeName);
  return of === "lang" ? labels.map(languageOf) : labels;
}
