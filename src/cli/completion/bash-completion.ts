import type { CommandShape, FlagShape, ValueShape } from "./command-shapes.ts";

/**
 * For bash 3.2 (macOS) and newer. Without our completions, bash completes files itself (`-o default`); for arguments
 * that are not files this is switched off, which 3.2 does not support.
 */
export function bashCompletion(commands: readonly CommandShape[]): string {
  const named = commands.filter(({ name }) => name !== "");
  return `# bash completion of archivetool. Put this into ~/.bashrc: source <(archivetool completion bash)
_archivetool() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command="" flag="" word words="" i
  COMPREPLY=()
  # bash gives --flag=value as three words.
  if [[ $cur == "=" ]]; then cur=""
  elif [[ $prev == "=" ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "$command:$word" in
${named.map(({ name }) => `      ${pattern(name)}) command="${name}" ;;`).join("\n")}
    esac
    if [[ $word == -* ]]; then flag=$word; fi
  done
  case "$command:$prev" in
${commands.flatMap((command) => command.flags.filter(({ value }) => value !== null).map((flag) => valueCase(command, flag))).join("\n")}
  esac
  if [[ $cur != -* ]]; then
    case "$command:$flag" in
${commands.flatMap((command) => command.flags.filter(({ isVariadic }) => isVariadic).map((flag) => variadicCase(command, flag))).join("\n")}
    esac
  fi
  case "$command" in
${commands.map(wordsCase).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [[ \${#COMPREPLY[@]} -gt 0 || $cur == -* ]]; then compopt +o default 2>/dev/null; fi
  return 0
}
complete -o default -F _archivetool archivetool
`;
}

/** A word that forms a subcommand with the previous one. */
function pattern(name: string): string {
  const blank = name.lastIndexOf(" ");
  return blank < 0 ? `":${name}"` : `"${name.slice(0, blank)}:${name.slice(blank + 1)}"`;
}

function patterns({ name }: CommandShape, { names }: FlagShape): string {
  return names.map((flag) => `"${name}:${flag}"`).join("|");
}

function valueCase(command: CommandShape, flag: FlagShape): string {
  return `    ${patterns(command, flag)}) ${valueAction(flag.value!)} ;;`;
}

function valueAction(value: ValueShape): string {
  if (value.kind === "text") return "compopt +o default 2>/dev/null; return 0";
  // bash completes files and directories itself.
  if (value.kind !== "words") return "return 0";
  return `if [[ $cur != -* ]]; then COMPREPLY=($(compgen -W "${value.words.join(" ")}" -- "$cur")); return 0; fi`;
}

function variadicCase(command: CommandShape, { names, value }: FlagShape): string {
  const words = value?.kind === "words" ? value.words.join(" ") : "";
  return `      ${patterns(command, { names } as FlagShape)}) COMPREPLY=($(compgen -W "${words}" -- "$cur")); return 0 ;;`;
}

/** Flags after a dash, else subcommands and possible arguments; prints nothing to let the shell complete files. */
function wordsCase({ name, flags, commands, arguments: args }: CommandShape): string {
  const words = [
    ...commands.map((sub) => sub.name),
    ...args.flatMap(({ value }) => (value.kind === "words" ? value.words : [])),
  ];
  const takesFiles = args.some(({ value }) => value.kind === "file" || value.kind === "directory");
  const offered =
    words.length > 0
      ? `words="${words.join(" ")}"`
      : takesFiles
        ? "return 0"
        : "compopt +o default 2>/dev/null; return 0";
  return `    "${name}") if [[ $cur == -* ]]; then words="${flags.flatMap(({ names }) => names).join(" ")}"; else ${offered}; fi ;;`;
}
