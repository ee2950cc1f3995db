import type { Command } from "commander";
import { ArchiveError } from "../../errors.ts";
import type { Session } from "../terminal/session.ts";
import { commandShapes, SHELLS, type Shell } from "./command-shapes.ts";

/** Declares `archivetool completion`. */
export function declareCompletion(program: Command, session: () => Session): void {
  program
    .command("completion")
    .description("print a shell completion script")
    .argument("<shell>", SHELLS.join(", "))
    .action(async (shell: string) => {
      const { completionScript } = await import("./completion-scripts.ts");
      for (const line of completionScript(namedShell(shell), commandShapes(program)).split("\n")) session().print(line);
    });
}

function namedShell(text: string): Shell {
  const shell = SHELLS.find((name) => name === text);
  if (shell !== undefined) return shell;
  throw new ArchiveError(
    "INVALID_ARGUMENT",
    `no completion script for "${text}"; supported shells: ${SHELLS.join(", ")}`,
  );
}
