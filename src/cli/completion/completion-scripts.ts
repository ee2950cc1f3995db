import { bashCompletion } from "./bash-completion.ts";
import type { CommandShape, Shell } from "./command-shapes.ts";
import { fishCompletion } from "./fish-completion.ts";
import { zshCompletion } from "./zsh-completion.ts";

const SCRIPTS: Readonly<Record<Shell, (commands: readonly CommandShape[]) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/**
 * A script for a shell that completes commands, flags, values and files. Everything in it is known when it is printed:
 * no key starts Node.
 */
export function completionScript(shell: Shell, commands: readonly CommandShape[]): string {
  return SCRIPTS[shell](commands).trimEnd();
}
