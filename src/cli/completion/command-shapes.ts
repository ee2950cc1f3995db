import type { Command, Option } from "commander";
import { MENTION_KINDS } from "../../mail/records/mention.ts";
import { PII_TYPES } from "../../mail/records/provenance.ts";
import { EML_NAMES, EXPORT_FORMATS } from "../../outputs/export/export-names.ts";

/** Possible values of an option: paths, one of a set of words, or free text. */
export type ValueShape =
  | { readonly kind: "file" }
  | { readonly kind: "directory" }
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "text" };

export interface FlagShape {
  /** `-o`, `--output`: one or both. */
  readonly names: readonly string[];
  readonly description: string;
  /** Null for a switch. */
  readonly value: ValueShape | null;
  /** Takes every word up to the next flag. */
  readonly isVariadic: boolean;
}

export interface ArgumentShape {
  readonly name: string;
  readonly value: ValueShape;
  readonly isVariadic: boolean;
}

/** A command as completion needs it. */
export interface CommandShape {
  /** `service add`; "" for the program itself. */
  readonly name: string;
  readonly description: string;
  readonly flags: readonly FlagShape[];
  readonly arguments: readonly ArgumentShape[];
  /** Names and descriptions of the commands below it. */
  readonly commands: readonly { readonly name: string; readonly description: string }[];
}

/** Shells that a completion can be printed for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

const TEXT: ValueShape = { kind: "text" };
const FILE: ValueShape = { kind: "file" };

/** Meaning of each placeholder in usages. A test checks that none is missing. */
export const PLACEHOLDERS: Readonly<Record<string, ValueShape>> = {
  dir: { kind: "directory" },
  dirs: { kind: "directory" },
  address: TEXT,
  bucket: TEXT,
  collection: TEXT,
  file: FILE,
  files: FILE,
  path: FILE,
  paths: FILE,
  source: FILE,
  from: FILE,
  to: FILE,
  types: { kind: "words", words: PII_TYPES },
  format: { kind: "words", words: EXPORT_FORMATS },
  kind: { kind: "words", words: MENTION_KINDS },
  which: { kind: "words", words: ["main", "all"] },
  style: { kind: "words", words: ["wiki", "markdown"] },
  shell: { kind: "words", words: SHELLS },
  host: { kind: "words", words: ["127.0.0.1", "::1", "0.0.0.0"] },
  query: TEXT,
  queries: TEXT,
  date: TEXT,
  email: TEXT,
  field: TEXT,
  id: TEXT,
  name: TEXT,
  uploads: TEXT,
  url: TEXT,
  n: TEXT,
  seconds: TEXT,
  origins: TEXT,
  other: TEXT,
  pass: TEXT,
  people: TEXT,
  by: { kind: "words", words: EML_NAMES },
  prefix: TEXT,
  token: TEXT,
  topic: TEXT,
  topics: TEXT,
};

/** The program and its commands, including subcommands, from the tree of the argument parser. */
export function commandShapes(program: Command): readonly CommandShape[] {
  const shapes: CommandShape[] = [];
  const pending: { readonly command: Command; readonly name: string }[] = [{ command: program, name: "" }];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const { command, name } = next;
    const commands = command.commands.filter((sub) => sub.name() !== "help");
    shapes.push({
      name,
      description: command.description(),
      flags: [...command.options.filter((option) => !option.hidden).map(flagShape), HELP],
      arguments: command.registeredArguments.map((argument) => ({
        name: argument.name(),
        value: PLACEHOLDERS[argument.name()] ?? TEXT,
        isVariadic: argument.variadic,
      })),
      commands: commands.map((sub) => ({ name: sub.name(), description: sub.description() })),
    });
    for (const sub of commands)
      pending.push({ command: sub, name: name === "" ? sub.name() : `${name} ${sub.name()}` });
  }
  return shapes;
}

const HELP: FlagShape = { names: ["-h", "--help"], description: "print the usage", value: null, isVariadic: false };

function flagShape({ short, long, description, flags, variadic }: Option): FlagShape {
  const [, placeholder] = /[<[]([\w-]+)/.exec(flags) ?? [];
  return {
    names: [short, long].filter((name) => name !== undefined),
    description,
    value: placeholder === undefined ? null : (PLACEHOLDERS[placeholder] ?? TEXT),
    isVariadic: variadic,
  };
}
