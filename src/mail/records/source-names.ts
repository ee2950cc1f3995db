/** How each of some sources is called where there is room for one name: by its last one, but for those that share it. */
export function shortNames(paths: readonly string[]): readonly string[] {
  const names = paths.map((path) => path.slice(lastNameAt(path)));
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return names.map((name, at) => (times.get(name) === 1 ? name : paths[at]!));
}

/** Where the last name of a path begins, of Windows too; 0 for one that is all name. */
export function lastNameAt(path: string): number {
  const bare = path.replace(/[/\\]$/, "");
  return Math.max(bare.lastIndexOf("/"), bare.lastIndexOf("\\")) + 1;
}
