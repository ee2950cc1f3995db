import type { CommandShape, FlagShape, ValueShape } from "./command-shapes.ts";

/** For fish: a file `archivetool.fish` in `~/.config/fish/completions`. */
export function fishCompletion(commands: readonly CommandShape[]): string {
  const lines = commands.flatMap((command) => [
    ...command.commands.map(
      (sub) => `complete -c archivetool -n ${condition(command)} -f -a ${sub.name} -d ${quoted(sub.description)}`,
    ),
    ...argumentLines(command),
    ...command.flags.map((flag) => flagLine(command, flag)),
  ]);
  return `# fish completion of archivetool: archivetool completion fish > ~/.config/fish/completions/archivetool.fish
complete -c archivetool -f
${lines.join("\n")}
`;
}

/** Condition that the command line contains this command and no subcommand. */
function condition({ name, commands }: CommandShape): string {
  if (name === "") return "__fish_use_subcommand";
  const seen = name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
  const below =
    commands.length === 0 ? [] : [`not __fish_seen_subcommand_from ${commands.map((sub) => sub.name).join(" ")}`];
  return quoted([...seen, ...below].join("; and "));
}

function argumentLines(command: CommandShape): readonly string[] {
  return command.arguments.flatMap(({ value }) => {
    if (value.kind === "text") return [];
    return [
      `complete -c archivetool -n ${condition(command)} ${value.kind === "words" ? `-f -a ${quoted(value.words.join(" "))}` : "-F"}`,
    ];
  });
}

function flagLine(command: CommandShape, { names, description, value }: FlagShape): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return `complete -c archivetool -n ${condition(command)} ${flags.join(" ")}${valueFlags(value)} -d ${quoted(description)}`;
}

function valueFlags(value: ValueShape | null): string {
  if (value === null) return "";
  if (value.kind === "file") return " -r -F";
  if (value.kind === "directory") return " -x -a '(__fish_complete_directories)'";
  return value.kind === "words" ? ` -x -a ${quoted(value.words.join(" "))}` : " -x";
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
