/** Short names of sources: the file name, or more of the path if several share it. */
export function shortNames(paths: readonly string[]): readonly string[] {
  const names = paths.map((path) => path.slice(lastNameAt(path)));
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return names.map((name, at) => (times.get(name) === 1 ? name : paths[at]!));
}

/** Start of the last name in a path, also on Windows; 0 if there is no directory. */
export function lastNameAt(path: string): number {
  const bare = path.replace(/[/\\]$/, "");
  return Math.max(bare.lastIndexOf("/"), bare.lastIndexOf("\\")) + 1;
}
