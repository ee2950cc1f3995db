import { lastNameAt } from "../../mail/records/source-names.ts";

/** A source by its last name, with its directory less prominent. */
export function SourceName({ path }: { readonly path: string }) {
  const end = lastNameAt(path);
  return (
    <span class="source-name">
      <bdi>{path.slice(end)}</bdi>
      {end === 0 ? null : <bdi class="quiet">{path.slice(0, end)}</bdi>}
    </span>
  );
}
