import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProgram } from "../program.ts";
import { commandShapes, PLACEHOLDERS, SHELLS, type Shell } from "./command-shapes.ts";

const PATHS: Readonly<Record<Shell, readonly string[]>> = {
  bash: ["/bin/bash", "/usr/bin/bash"],
  zsh: ["/bin/zsh", "/usr/bin/zsh"],
  fish: ["/usr/bin/fish", "/bin/fish"],
};
const shellPath = (shell: Shell): string => PATHS[shell].find(existsSync) ?? "";

const directory = mkdtempSync(join(tmpdir(), "archivetool-completion-"));
const scriptOf = (shell: Shell): string => join(directory, shell === "zsh" ? "_archivetool" : `archivetool.${shell}`);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function output(...args: readonly string[]): Promise<string> {
  let text = "";
  const host = {
    signal: new AbortController().signal,
    print: (line: string) => void (text += `${line}\n`),
    writeError: () => undefined,
  };
  await (await createProgram(host)).run(args);
  return text;
}

beforeAll(async () => {
  for (const shell of SHELLS) writeFileSync(scriptOf(shell), await output("completion", shell));
  writeFileSync(join(directory, "old mail.mbox"), "");
});

it("describes every placeholder of the usage", async () => {
  const { command } = await createProgram({
    signal: new AbortController().signal,
    print: () => undefined,
    writeError: () => undefined,
  });
  const named = new Set<string>();
  for (const each of [command, ...command.commands, ...command.commands.flatMap((sub) => sub.commands)]) {
    for (const { flags } of each.options) for (const [, name] of flags.matchAll(/[<[]([\w-]+)/g)) named.add(name!);
    for (const argument of each.registeredArguments) named.add(argument.name());
  }
  expect([...named].sort()).toEqual(Object.keys(PLACEHOLDERS).sort());
  expect(commandShapes(command).map(({ name }) => name)).toContain("service add");
});

it("rejects other shells", async () => {
  await expect(output("completion", "tcsh")).rejects.toMatchObject({
    code: "INVALID_ARGUMENT",
    message: 'no completion script for "tcsh"; supported shells: bash, zsh, fish',
  });
});

/** Bash's completions for a line with the cursor at its end; splits words as bash does, including at `=`. */
function bashOffers(line: string): readonly string[] {
  const words = line.split(/(=)| /).filter((word) => word !== undefined && (word !== "" || line.endsWith(" ")));
  const array = words.map((word) => `'${word}'`).join(" ");
  const script = `source '${scriptOf("bash")}'; COMP_WORDS=(${array}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _archivetool; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync(shellPath("bash"), ["--norc", "-c", script], {
    encoding: "utf8",
    cwd: directory,
  });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((word) => word !== "");
}

function fishOffers(line: string): readonly string[] {
  const script = `source '${scriptOf("fish")}'; complete -C "${line}"`;
  const { stdout } = spawnSync(shellPath("fish"), ["--no-config", "-c", script], { encoding: "utf8", cwd: directory });
  return stdout.split("\n").flatMap((offer) => (offer === "" ? [] : [offer.split("\t", 1)[0]!]));
}

/**
 * Types the line and a tab into zsh on a pseudo-terminal. Returns what zsh then wrote, and finally the resulting
 * line.
 */
function zshOffers(line: string): { readonly written: string; readonly line: string } {
  const script = `
zmodload zsh/zpty
zpty shell ${shellPath("zsh")} -f -i
zpty -w shell "cd '${directory}'; autoload -Uz compinit; compinit -u -D; source '${scriptOf("zsh")}'; LISTMAX=1000; PS1='ready>'"
zpty -w shell 'tell() { print -r -- "LINE<$BUFFER>" }; zle -N tell; bindkey "^Xt" tell; print START""ED'
zpty -r shell before '*STARTED*'
zpty -w -n shell $'${line}\\t\\Cxt'
zpty -r shell after '*LINE<*>*'
print -r -- "$after"
zpty -d shell`;
  const { stdout } = spawnSync(shellPath("zsh"), ["-f", "-c", script], {
    encoding: "utf8",
    cwd: directory,
    timeout: 60_000,
  });
  return { written: stdout, line: /LINE<(.*)>/.exec(stdout)?.[1] ?? stdout };
}

const COMMANDS = [
  "extract",
  "search",
  "show",
  "export",
  "hits",
  "stats",
  "viz",
  "serve",
  "api",
  "service",
  "validate",
  "schema",
  "info",
  "completion",
];

describe.skipIf(shellPath("bash") === "")("bash", () => {
  it.each([
    ["archivetool s", ["search", "show", "stats", "serve", "service", "schema"]],
    ["archivetool -v ext", ["extract"]],
    ["archivetool extract --red", ["--redact", "--redact-words"]],
    ["archivetool extract mail.mbox --redact e", ["email"]],
    ["archivetool extract mail.mbox --redact email p", ["phone"]],
    ["archivetool extract mail.mbox --redact --js", ["--json"]],
    ["archivetool extract --wiki-pages ", ["main", "all"]],
    ["archivetool extract --wiki-pages=a", ["all"]],
    ["archivetool completion ", ["bash", "zsh", "fish"]],
    ["archivetool service a", ["add", "audit"]],
    ["archivetool service add --max", ["--max-messages"]],
    ["archivetool serve archive --op", ["--open"]],
    ["archivetool serve --host ", ["127.0.0.1", "::1", "0.0.0.0"]],
  ])("offers for `%s` %j", (line, offers) => expect(bashOffers(line)).toEqual(offers));

  it("offers every command", () => expect(bashOffers("archivetool ")).toEqual(expect.arrayContaining(COMMANDS)));

  it.each([
    "archivetool extract ",
    "archivetool extract -o ",
    "archivetool extract --output=",
    "archivetool search ",
    "archivetool viz a -o ",
  ])("leaves files to bash for `%s`", (line) => expect(bashOffers(line)).toEqual([]));
});

describe.skipIf(shellPath("fish") === "")("fish", () => {
  it.each([
    ["archivetool sta", ["stats"]],
    ["archivetool extract --red", ["--redact", "--redact-words"]],
    ["archivetool extract --redact e", ["email"]],
    ["archivetool extract --wiki-pages ", ["all", "main"]],
    ["archivetool service add --max", ["--max-messages"]],
    ["archivetool completion f", ["fish"]],
    ["archivetool extract old", ["old mail.mbox"]],
    ["archivetool search --after ", []],
  ])("offers for `%s` %j", (line, offers) => {
    expect(fishOffers(line).map((offer) => offer.replaceAll("\\", ""))).toEqual(offers);
  });

  it("offers every command", () => expect(fishOffers("archivetool ")).toEqual(expect.arrayContaining(COMMANDS)));
});

describe.skipIf(shellPath("zsh") === "")("zsh", () => {
  it.each([
    ["archivetool sta", "stats"],
    ["archivetool extract --red", "--redact"],
    ["archivetool extract --redact e", "email"],
    ["archivetool extract --wiki-pages=a", "--wiki-pages=all"],
    ["archivetool service add --max", "--max-messages"],
    ["archivetool extract old", "old\\ mail.mbox"],
    ["archivetool serve archive --op", "--open"],
  ])("completes the last word of `%s` to %s", (line, completed) => {
    // zsh shows an `=` that the next space removes in inverse video.
    const became = zshOffers(line)
      .line.replace(/\P{ASCII}|[\u0000-\u001f]|\[\d+m|=$/gu, "")
      .replace(/=$/, "");
    expect(became.trimEnd()).toBe(`${line.slice(0, line.lastIndexOf(" "))} ${completed}`);
  });

  it("offers every command with its description", () => {
    const offers = zshOffers("archivetool ").written;
    for (const command of COMMANDS) expect(offers).toContain(command);
    expect(offers).toContain("search an archive");
  });
});
