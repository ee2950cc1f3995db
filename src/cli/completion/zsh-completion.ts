import type { ArgumentShape, CommandShape, FlagShape, ValueShape } from "./command-shapes.ts";

/** For zsh with its completion system (compinit), sourced or as a file `_archivetool` in `$fpath`. */
export function zshCompletion(commands: readonly CommandShape[]): string {
  return `#compdef archivetool
# zsh completion of archivetool. Put this into ~/.zshrc after compinit: source <(archivetool completion zsh)
${commands.map((command) => commandFunction(command)).join("\n\n")}

if [[ $funcstack[1] == _archivetool ]]; then
  _archivetool "$@"
else
  compdef _archivetool archivetool
fi
`;
}

function functionName(name: string): string {
  return ["_archivetool", ...name.split(" ").filter((word) => word !== "")].join("_");
}

function commandFunction({ name, flags, arguments: args, commands }: CommandShape): string {
  const lines = [...flags.map(flagSpec), ...args.map(argumentSpec)];
  if (commands.length === 0) return `${functionName(name)}() {\n  _arguments -s ${lines.join(" \\\n    ")}\n}`;
  const list = commands.map((sub) => quoted(`${sub.name}:${sub.description}`)).join(" ");
  const cases = commands.map((sub) => `        ${sub.name}) ${functionName(`${name} ${sub.name}`)} ;;`).join("\n");
  return `${functionName(name)}() {
  local curcontext=$curcontext context state state_descr line
  typeset -A opt_args
  _arguments -s -C ${lines.join(" \\\n    ")} \\
    '1: :->command' '*:: :->arguments'
  case $state in
    command)
      local -a commands=(${list})
      _describe -t commands command commands ;;
    arguments)
      case $words[1] in
${cases}
      esac ;;
  esac
}`;
}

/** `'(-o --output)'{-o,--output}'[output directory]:dir:_files -/'` */
function flagSpec({ names, description, value, isVariadic }: FlagShape): string {
  const text = description.replace(/[[\]\\:]/g, "\\$&");
  // Words of a variadic flag: any number of them, up to the next flag.
  const action = value === null ? "" : isVariadic ? `:*-*:value${valueAction(value)}` : `:value${valueAction(value)}`;
  // `+` and `=`: the value may be in the same word or the next one.
  const written = names.map((name) =>
    value === null || isVariadic ? name : name.startsWith("--") ? `${name}=` : `${name}+`,
  );
  const exclusive = names.length > 1 ? quoted(`(${names.join(" ")})`) : "";
  const either = names.length > 1 ? `{${written.join(",")}}` : quoted(written[0]!);
  return `${exclusive}${either}${quoted(`[${text}]${action}`)}`;
}

function argumentSpec({ name, value, isVariadic }: ArgumentShape, index: number): string {
  return quoted(`${isVariadic ? "*" : index + 1}:${name}${valueAction(value)}`);
}

function valueAction(value: ValueShape): string {
  if (value.kind === "file") return ":_files";
  if (value.kind === "directory") return ":_files -/";
  return value.kind === "words" ? `:(${value.words.map((word) => word.replaceAll(":", "\\:")).join(" ")})` : ": ";
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
