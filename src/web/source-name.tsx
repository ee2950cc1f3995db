/** A source by its last name, with the directory that it lies in told more quietly. */
export function SourceName({ path }: { readonly path: string }) {
  const end = lastNameAt(path);
  return (
    <span class="source-name">
      <bdi>{path.slice(end)}</bdi>
      {end === 0 ? null : <bdi class="quiet">{path.slice(0, end)}</bdi>}
    </span>
  );
}

/** How each of some sources is called where there is room for one name: by its last one, but for those that share it. */
export function shortNames(paths: readonly string[]): readonly string[] {
  const names = paths.map((path) => path.slice(lastNameAt(path)));
  return names.map((name, at) => (names.indexOf(name) === names.lastIndexOf(name) ? name : paths[at]!));
}

/** Where the last name of a path begins, of Windows too; 0 for one that is all name. */
function lastNameAt(path: string): number {
  const bare = path.replace(/[/\\]$/, "");
  return Math.max(bare.lastIndexOf("/"), bare.lastIndexOf("\\")) + 1;
}
